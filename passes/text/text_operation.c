/* SPDX-License-Identifier: Apache-2.0 */
#include "text_parts.h"

#include <llvm-c/Core.h>

#include <string.h>

static bool can_wrap(LLVMOpcode opcode)
{
	return opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMMul;
}

/* If anything is frozen, wrapping may be allowed after all; in C it never is. */
static bool never_wraps(const struct text_function *f, LLVMValueRef instruction)
{
	return !f->is_frozen && can_wrap(LLVMGetInstructionOpcode(instruction)) &&
	       LLVMGetNSW(instruction);
}

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

/*
 * Instructions that become expressions; templates: text_function.h.
 *
 * result, operand: what the result and the first operand are
 * BOOL   i1                 BOOLS  vector of i1
 * NUMBER scalar integer     NUMBERS  vector of integers
 * FLOAT  floating-point     FLOATS   vector
 *
 * ANY matches all; the first matching row counts. NULL: not expressible.
 */
static const struct {
	LLVMOpcode opcode;
	enum form result, operand;
	const char *template;
} operations[] = {
	{ LLVMAdd, FORM_BOOL, FORM_ANY, "$0 ^ $1" },
	{ LLVMAdd, FORM_BOOLS, FORM_ANY, "$0 ^ $1" },
	{ LLVMAdd, FORM_ANY, FORM_ANY, "$w0 + $w1" },
	{ LLVMSub, FORM_BOOL, FORM_ANY, "$0 ^ $1" },
	{ LLVMSub, FORM_BOOLS, FORM_ANY, "$0 ^ $1" },
	{ LLVMSub, FORM_ANY, FORM_ANY, "$w0 - $w1" },
	{ LLVMMul, FORM_BOOL, FORM_ANY, "$0 & $1" },
	{ LLVMMul, FORM_BOOLS, FORM_ANY, "$0 & $1" },
	{ LLVMMul, FORM_ANY, FORM_ANY, "$w0 * $w1" },
	{ LLVMUDiv, FORM_ANY, FORM_ANY, "$0 / $1" },
	{ LLVMURem, FORM_ANY, FORM_ANY, "$0 % $1" },
	{ LLVMSDiv, FORM_ANY, FORM_ANY, "$[$s0 / $s1$]" },
	{ LLVMSRem, FORM_ANY, FORM_ANY, "$[$s0 % $s1$]" },
	{ LLVMShl, FORM_ANY, FORM_ANY, "$w0 << $1" },
	{ LLVMLShr, FORM_ANY, FORM_ANY, "$0 >> $1" },
	{ LLVMAShr, FORM_ANY, FORM_ANY, "$[$s0 >> $1$]" },
	{ LLVMAnd, FORM_ANY, FORM_ANY, "$0 & $1" },
	{ LLVMOr, FORM_ANY, FORM_ANY, "$0 | $1" },
	{ LLVMXor, FORM_ANY, FORM_ANY, "$0 ^ $1" },
	{ LLVMFNeg, FORM_ANY, FORM_ANY, "-$0" },
	{ LLVMFAdd, FORM_ANY, FORM_ANY, "$0 + $1" },
	{ LLVMFSub, FORM_ANY, FORM_ANY, "$0 - $1" },
	{ LLVMFMul, FORM_ANY, FORM_ANY, "$0 * $1" },
	{ LLVMFDiv, FORM_ANY, FORM_ANY, "$0 / $1" },
	{ LLVMFRem, FORM_ANY, FORM_ANY, "fmod($0, $1)" },
	{ LLVMTrunc, FORM_BOOL, FORM_ANY, "($0 & 1) != 0" },
	{ LLVMTrunc, FORM_BOOLS, FORM_ANY, "convert_$R(($0 & ($T0)(1)) != ($T0)(0))" },
	{ LLVMTrunc, FORM_NUMBER, FORM_ANY, "($R)$0" },
	{ LLVMTrunc, FORM_NUMBERS, FORM_ANY, "convert_$R($0)" },
	{ LLVMZExt, FORM_NUMBER, FORM_ANY, "($R)$0" },
	{ LLVMZExt, FORM_NUMBERS, FORM_BOOLS, "convert_$R($0 & ($T0)(1))" },
	{ LLVMZExt, FORM_NUMBERS, FORM_ANY, "convert_$R($0)" },
	{ LLVMSExt, FORM_NUMBER, FORM_ANY, "$[($S)$s0$]" },
	{ LLVMSExt, FORM_NUMBERS, FORM_ANY, "as_$R(convert_$S($s0))" },
	{ LLVMFPToUI, FORM_NUMBER, FORM_ANY, "($R)$0" },
	{ LLVMFPToUI, FORM_NUMBERS, FORM_ANY, "convert_$R($0)" },
	{ LLVMFPToSI, FORM_NUMBER, FORM_ANY, "$[($S)$0$]" },
	{ LLVMFPToSI, FORM_NUMBERS, FORM_ANY, "as_$R(convert_$S($0))" },
	{ LLVMUIToFP, FORM_FLOAT, FORM_ANY, "($R)$0" },
	{ LLVMUIToFP, FORM_FLOATS, FORM_BOOLS, "convert_$R($0 & ($T0)(1))" },
	{ LLVMUIToFP, FORM_FLOATS, FORM_ANY, "convert_$R($0)" },
	{ LLVMSIToFP, FORM_FLOAT, FORM_ANY, "($R)($s0)" },
	{ LLVMSIToFP, FORM_FLOATS, FORM_ANY, "convert_$R($s0)" },
	{ LLVMFPTrunc, FORM_FLOAT, FORM_ANY, "($R)$0" },
	{ LLVMFPTrunc, FORM_FLOATS, FORM_ANY, "convert_$R($0)" },
	{ LLVMFPExt, FORM_FLOAT, FORM_ANY, "($R)$0" },
	{ LLVMFPExt, FORM_FLOATS, FORM_ANY, "convert_$R($0)" },
	{ LLVMBitCast, FORM_NUMBER, FORM_NUMBER, "$0" },
	{ LLVMBitCast, FORM_BOOL, FORM_ANY, NULL },
	{ LLVMBitCast, FORM_BOOLS, FORM_ANY, NULL },
	{ LLVMBitCast, FORM_ANY, FORM_BOOLS, NULL },
	{ LLVMBitCast, FORM_ANY, FORM_ANY, "as_$R($0)" },
	{ LLVMSelect, FORM_ANY, FORM_BOOL, "$0 ? $1 : $2" },
	{ LLVMSelect, FORM_BOOLS, FORM_BOOLS, "select($2, $1, $0)" },
	{ LLVMSelect, FORM_ANY, FORM_BOOLS, "select($2, $1, convert_$M($0))" },
};

/*
 * Integers and pointers. Vector comparisons give a mask. FLOAT_COMPARISON(predicate, "scalars",
 * "vectors") -- unordered comparisons are negated ordered ones.
 */
static const struct {
	LLVMIntPredicate predicate;
	const char *template;
} comparisons[] = {
	{ LLVMIntEQ, "$0 == $1" },    { LLVMIntNE, "$0 != $1" },    { LLVMIntUGT, "$0 > $1" },
	{ LLVMIntUGE, "$0 >= $1" },   { LLVMIntULT, "$0 < $1" },    { LLVMIntULE, "$0 <= $1" },
	{ LLVMIntSGT, "$s0 > $s1" },  { LLVMIntSGE, "$s0 >= $s1" }, { LLVMIntSLT, "$s0 < $s1" },
	{ LLVMIntSLE, "$s0 <= $s1" },
};

static const struct {
	LLVMRealPredicate predicate;
	const char *scalars, *vectors;
} float_comparisons[] = {
	{ LLVMRealPredicateFalse, "0", "($M0)(0)" },
	{ LLVMRealPredicateTrue, "1", "($M0)(-1)" },
	{ LLVMRealOEQ, "$0 == $1", "$0 == $1" },
	{ LLVMRealOGT, "$0 > $1", "$0 > $1" },
	{ LLVMRealOGE, "$0 >= $1", "$0 >= $1" },
	{ LLVMRealOLT, "$0 < $1", "$0 < $1" },
	{ LLVMRealOLE, "$0 <= $1", "$0 <= $1" },
	{ LLVMRealONE, "$0 < $1 || $0 > $1", "($0 < $1) | ($0 > $1)" },
	{ LLVMRealORD, "$0 == $0 && $1 == $1", "($0 == $0) & ($1 == $1)" },
	{ LLVMRealUNO, "$0 != $0 || $1 != $1", "($0 != $0) | ($1 != $1)" },
	{ LLVMRealUEQ, "!($0 < $1 || $0 > $1)", "~(($0 < $1) | ($0 > $1))" },
	{ LLVMRealUGT, "!($0 <= $1)", "~($0 <= $1)" },
	{ LLVMRealUGE, "!($0 < $1)", "~($0 < $1)" },
	{ LLVMRealULT, "!($0 >= $1)", "~($0 >= $1)" },
	{ LLVMRealULE, "!($0 > $1)", "~($0 > $1)" },
	{ LLVMRealUNE, "$0 != $1", "$0 != $1" },
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

/* The comparison alone: 0 or 1; for vectors 0 or -1 in the width of the operands. */
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

/* Signed arithmetic of at least 32 bits that does not wrap: tell the device's compiler so. */
static const char *signed_template(struct text_function *f, LLVMValueRef v, enum form form)
{
	if (form != FORM_NUMBER || LLVMGetIntTypeWidth(LLVMTypeOf(v)) < 32 || !never_wraps(f, v))
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

/* Elements of vectors and members of structs. */

/* ".s3" */
static const char *lane_name(unsigned lane)
{
	static const char *const names[] = {
		".s0", ".s1", ".s2", ".s3", ".s4", ".s5", ".s6", ".s7",
		".s8", ".s9", ".sa", ".sb", ".sc", ".sd", ".se", ".sf"
	};

	return names[lane % 16];
}

static void write_lane(struct text_function *f, LLVMValueRef vector, unsigned lane)
{
	text_put(f, LLVMIsConstant(vector) ? "(" : "");
	text_value(f, vector);
	text_put(f, LLVMIsConstant(vector) ? ")%s" : "%s", lane_name(lane));
}

/* ((uint *)&v3)[v4 & 3], for a variable. */
static void write_variable_lane(struct text_function *f, LLVMValueRef vector, LLVMValueRef v,
                                LLVMValueRef index)
{
	LLVMTypeRef type = LLVMTypeOf(vector);
	unsigned lanes = text_lanes(type);
	const char *element = text_is_bool(type) ? "char" : text_type(f, text_element(type));

	text_put(f, "((__private %s *)&", element);
	text_value(f, v);
	text_put(f, ")[");
	text_value(f, index);
	text_put(f, " & %u]", lanes == 3 ? 3 : lanes - 1);
}

static bool lane_of(LLVMValueRef index, unsigned lanes, unsigned *lane)
{
	uint64_t n;

	if (!LLVMIsAConstantInt(index))
		return false;
	n = LLVMConstIntGetZExtValue(index);
	*lane = n < lanes ? (unsigned)n : 0;
	return true;
}

static void write_extract(struct text_function *f, LLVMValueRef i)
{
	LLVMValueRef vector = LLVMGetOperand(i, 0), index = LLVMGetOperand(i, 1);
	LLVMTypeRef type = LLVMTypeOf(vector);
	bool is_bool = text_is_bool(type);
	unsigned lane;

	if (lane_of(index, text_lanes(type), &lane)) {
		text_assign(f, i);
		write_lane(f, vector, lane);
		text_put(f, is_bool ? " != 0;\n" : ";\n");
		return;
	}
	text_line(f);
	text_put_to(f, &f->declarations, "\t%s x%u;\n", text_type(f, type), f->number_count);
	text_put(f, "x%u = ", f->number_count);
	text_value(f, vector);
	text_put(f, ";\n");
	text_assign(f, i);
	text_put(f, "((__private %s *)&x%u)[", is_bool ? "char" : text_type(f, text_element(type)),
	         f->number_count++);
	text_value(f, index);
	text_put(f, " & %u]%s;\n", text_lanes(type) == 3 ? 3 : text_lanes(type) - 1,
	         is_bool ? " != 0" : "");
}

static void write_insert(struct text_function *f, LLVMValueRef i)
{
	LLVMValueRef index = LLVMGetOperand(i, 2), element = LLVMGetOperand(i, 1);
	LLVMTypeRef type = LLVMTypeOf(i);
	unsigned lane;

	text_assign(f, i);
	text_value(f, LLVMGetOperand(i, 0));
	text_put(f, ";\n");
	text_line(f);
	if (lane_of(index, text_lanes(type), &lane))
		write_lane(f, i, lane);
	else
		write_variable_lane(f, i, i, index);
	text_put(f, text_is_bool(type) ? " = -(char)" : " = ");
	text_value(f, element);
	text_put(f, ";\n");
}

static int mask_at(LLVMValueRef i, unsigned lane)
{
	int n = LLVMGetMaskValue(i, lane);

	return n < 0 ? -1 : n;
}

/* v3.s0213, if all lanes come from the first vector. */
static bool is_swizzle(LLVMValueRef i, unsigned lanes, unsigned from)
{
	for (unsigned lane = 0; lane < lanes; lane++)
		if (mask_at(i, lane) < 0 || mask_at(i, lane) >= (int)from)
			return false;
	return true;
}

static void write_shuffled_lane(struct text_function *f, LLVMValueRef i, int n)
{
	LLVMValueRef first = LLVMGetOperand(i, 0), second = LLVMGetOperand(i, 1);
	int from = (int)text_lanes(LLVMTypeOf(first));

	if (n < 0 && text_is_bool(LLVMTypeOf(i)))
		text_put(f, "0");
	else if (n < 0)
		text_zero(f, text_element(LLVMTypeOf(i)));
	else
		write_lane(f, n < from ? first : second, (unsigned)(n < from ? n : n - from));
}

static void write_shuffle(struct text_function *f, LLVMValueRef i)
{
	unsigned lanes = text_lanes(LLVMTypeOf(i));
	unsigned from = text_lanes(LLVMTypeOf(LLVMGetOperand(i, 0)));
	LLVMValueRef first = LLVMGetOperand(i, 0);

	text_assign(f, i);
	if (is_swizzle(i, lanes, from) && !LLVMIsConstant(first)) {
		text_value(f, first);
		text_put(f, ".s");
		for (unsigned lane = 0; lane < lanes; lane++)
			text_put(f, "%s", lane_name((unsigned)mask_at(i, lane)) + 2);
	} else {
		text_put(f, "(%s)(", text_type(f, LLVMTypeOf(i)));
		for (unsigned lane = 0; lane < lanes; lane++) {
			text_put(f, lane ? ", " : "");
			write_shuffled_lane(f, i, mask_at(i, lane));
		}
		text_put(f, ")");
	}
	text_put(f, ";\n");
}

/* ".m1.e[3]" */
static void write_members(struct text_function *f, LLVMTypeRef type, LLVMValueRef i)
{
	unsigned count = LLVMGetNumIndices(i);
	const unsigned *indices = LLVMGetIndices(i);

	for (unsigned n = 0; n < count; n++) {
		if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			text_put(f, ".m%u", indices[n]);
			type = LLVMStructGetTypeAtIndex(type, indices[n]);
		} else {
			text_put(f, ".e[%u]", indices[n]);
			type = LLVMGetElementType(type);
		}
	}
}

static void write_extract_value(struct text_function *f, LLVMValueRef i)
{
	LLVMValueRef from = LLVMGetOperand(i, 0);

	text_assign(f, i);
	text_value(f, from);
	write_members(f, LLVMTypeOf(from), i);
	text_put(f, ";\n");
}

static void write_insert_value(struct text_function *f, LLVMValueRef i)
{
	text_assign(f, i);
	text_value(f, LLVMGetOperand(i, 0));
	text_put(f, ";\n");
	text_line(f);
	text_value(f, i);
	write_members(f, LLVMTypeOf(i), i);
	text_put(f, " = ");
	text_value(f, LLVMGetOperand(i, 1));
	text_put(f, ";\n");
}

bool text_vector(struct text_function *f, LLVMValueRef i)
{
	switch ((int)LLVMGetInstructionOpcode(i)) {
	case LLVMExtractElement:
		write_extract(f, i);
		return true;
	case LLVMInsertElement:
		write_insert(f, i);
		return true;
	case LLVMShuffleVector:
		write_shuffle(f, i);
		return true;
	case LLVMExtractValue:
		write_extract_value(f, i);
		return true;
	case LLVMInsertValue:
		write_insert_value(f, i);
		return true;
	default:
		return false;
	}
}
