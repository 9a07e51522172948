/* SPDX-License-Identifier: Apache-2.0 */
#include "text_parts.h"

#include <llvm-c/Core.h>

enum form {
	FORM_ANY,
	FORM_BOOL,
	FORM_BOOLS,
	FORM_NUMBER,
	FORM_NUMBERS,
	FORM_FLOAT,
	FORM_FLOATS,
	FORM_OTHER,
};

static const struct {
	LLVMOpcode opcode;
	enum form result, operand;
	const char *template;
} operations[] = {
#define OPERATION(opcode, result, operand, template)                                               \
	{ opcode, FORM_##result, FORM_##operand, template },
#include "text_operations.def"
#undef OPERATION
};

static const struct {
	LLVMIntPredicate predicate;
	const char *template;
} comparisons[] = {
#define COMPARISON(predicate, template) { predicate, template },
#include "text_comparisons.def"
#undef COMPARISON
};

static const struct {
	LLVMRealPredicate predicate;
	const char *scalars, *vectors;
} float_comparisons[] = {
#define FLOAT_COMPARISON(predicate, scalars, vectors) { predicate, scalars, vectors },
#include "text_comparisons.def"
#undef FLOAT_COMPARISON
};

static enum form form_of(LLVMTypeRef type)
{
	bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;

	if (text_is_bool(type))
		return is_vector ? FORM_BOOLS : FORM_BOOL;
	if (text_is_integer(type))
		return is_vector ? FORM_NUMBERS : FORM_NUMBER;
	if (text_is_float(type))
		return is_vector ? FORM_FLOATS : FORM_FLOAT;
	return FORM_OTHER;
}

static const char *find_template(LLVMOpcode opcode, enum form result, enum form operand)
{
	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
		if (operations[i].opcode == opcode &&
		    (operations[i].result == FORM_ANY || operations[i].result == result) &&
		    (operations[i].operand == FORM_ANY || operations[i].operand == operand))
			return operations[i].template;
	return NULL;
}

/* The comparison alone: 0 or 1, of vectors 0 or -1 in the width of what is compared. */
static const char *comparison_template(LLVMValueRef v, bool is_vector)
{
	if (text_opcode(v) == LLVMICmp) {
		LLVMIntPredicate p = LLVMGetICmpPredicate(v);

		for (size_t i = 0; i < sizeof(comparisons) / sizeof(comparisons[0]); i++)
			if (comparisons[i].predicate == p)
				return comparisons[i].template;
	} else {
		LLVMRealPredicate p = LLVMGetFCmpPredicate(v);

		for (size_t i = 0; i < sizeof(float_comparisons) / sizeof(float_comparisons[0]);
		     i++)
			if (float_comparisons[i].predicate == p)
				return is_vector ? float_comparisons[i].vectors
				                 : float_comparisons[i].scalars;
	}
	return "";
}

static void write_comparison(struct text_function *f, LLVMValueRef v)
{
	LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(v, 0));
	bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;

	if (is_vector && form_of(type) == FORM_OTHER)
		text_refuse(f, "a comparison of vectors of pointers");
	if (is_vector)
		text_put(f, "convert_%s(", text_type(f, LLVMTypeOf(v)));
	text_template(f, comparison_template(v, is_vector), v);
	if (is_vector)
		text_put(f, ")");
}

/* Signed arithmetic of a word or more that does not wrap: so the device's compiler knows it too. */
static const char *signed_template(struct text_function *f, LLVMValueRef v, enum form form)
{
	if (form != FORM_NUMBER || LLVMGetIntTypeWidth(LLVMTypeOf(v)) < 32 ||
	    !text_never_wraps(f, v))
		return NULL;
	switch ((int)text_opcode(v)) {
	case LLVMAdd:
		return "$[$s0 + $s1$]";
	case LLVMSub:
		return "$[$s0 - $s1$]";
	case LLVMMul:
		return "$[$s0 * $s1$]";
	default:
		return NULL;
	}
}

bool text_operation(struct text_function *f, LLVMValueRef v)
{
	LLVMOpcode opcode = text_opcode(v);
	LLVMTypeRef type = LLVMTypeOf(v);
	enum form result = form_of(type);
	const char *template;

	if (opcode == LLVMICmp || opcode == LLVMFCmp) {
		write_comparison(f, v);
		return true;
	}
	template = signed_template(f, v, result);
	if (!template)
		template = find_template(opcode, result, form_of(LLVMTypeOf(LLVMGetOperand(v, 0))));
	if (!template)
		return false;
	text_template(f, template, v);
	return true;
}
