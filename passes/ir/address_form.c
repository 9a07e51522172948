/* SPDX-License-Identifier: Apache-2.0 */
#include "address_form.h"

#include "builtin.h"
#include "err.h"
#include "kernel_table.h"
#include "llvm_api.h"
#include "memory_space.h"
#include "nvvm.h"

#include <llvm-c/Core.h>

#include <string.h>

static bool is_operation(LLVMValueRef value);

static bool has_attribute(LLVMValueRef function, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
	                                   kind);
}

/* Work-item functions and mathematics: declared to read nothing and to return. */
static bool is_pure_call(LLVMValueRef call)
{
	LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(call));

	return function && LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind &&
	       LLVMIsDeclaration(function) && llvm_function_has(function, LLVM_TOUCHES_NOTHING) &&
	       has_attribute(function, "nounwind");
}

int32_t affine_pure_operands(LLVMValueRef instruction)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);

	if (LLVMIsABinaryOperator(instruction) || LLVMIsACastInst(instruction) ||
	    LLVMIsACmpInst(instruction))
		return (int32_t)LLVMGetNumOperands(instruction);
	switch ((int)opcode) {
	case LLVMCall:
		return is_pure_call(instruction) ? (int32_t)LLVMGetNumArgOperands(instruction) : -1;
	case LLVMFNeg:
	case LLVMSelect:
	case LLVMGetElementPtr:
	case LLVMExtractElement:
	case LLVMInsertElement:
	case LLVMShuffleVector:
	case LLVMExtractValue:
	case LLVMInsertValue:
		return (int32_t)LLVMGetNumOperands(instruction);
	default:
		return -1;
	}
}

bool affine_pure_may_trap(LLVMValueRef instruction)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
	LLVMValueRef by;
	int64_t value;

	if (opcode != LLVMUDiv && opcode != LLVMSDiv && opcode != LLVMURem && opcode != LLVMSRem)
		return false;
	by = LLVMGetOperand(instruction, 1);
	if (!LLVMIsAConstantInt(by) || LLVMGetIntTypeWidth(LLVMTypeOf(by)) > 64)
		return true;
	value = LLVMConstIntGetSExtValue(by);
	return value == 0 || value == -1;
}

#define OPERANDS_MOST 3u
#define DEPTH_MOST    32u
/* Past this many values, no search for an equal operation: it would take too long. */
#define SEARCHED_MOST 2048u
/* Larger expressions are not computed a second time. */
#define SIZE_MOST 64u

struct numbered_value {
	LLVMValueRef value;
	uint32_t operand[OPERANDS_MOST], operand_count;
	uint32_t size; /* of the code that computes it from the arguments; 0: not invariant */
	bool is_operation;
};

/* has_uniform_groups: all groups of a launch have get_local_size() work-items. Otherwise some may
 * have fewer. */
static void value_numbers_init(struct value_numbers *n, bool has_uniform_groups)
{
	*n = (struct value_numbers){ .has_uniform_groups = has_uniform_groups };
	array_init(&n->values, sizeof(struct numbered_value), UINT32_MAX / 4, "values");
}

/* Free what it owns. Accepts a zeroed struct. */
static void value_numbers_release(struct value_numbers *n)
{
	pointer_map_release(&n->known);
	array_release(&n->values);
}

static struct numbered_value *at(const struct value_numbers *n, uint32_t number)
{
	return (struct numbered_value *)n->values.data + number;
}

static bool is_query(LLVMValueRef call, const char *name)
{
	size_t length;
	const char *found = LLVMGetValueName2(LLVMGetCalledValue(call), &length);

	found = builtin_source_name(found, &length);
	return strlen(name) == length && !strncmp(found, name, length);
}

/* A question about the NDRange that has one answer for the whole launch. */
static bool is_invariant_call(const struct value_numbers *n, LLVMValueRef call)
{
	static const char *const names[] = { "get_global_size",         "get_num_groups",
		                             "get_global_offset",       "get_work_dim",
		                             "get_enqueued_local_size", "get_local_size" };
	size_t count = sizeof(names) / sizeof(names[0]) - !n->has_uniform_groups;

	for (size_t i = 0; i < count; i++)
		if (is_query(call, names[i]))
			return true;
	return sreg_dimension(call, "ntid") != SREG_NONE ||
	       sreg_dimension(call, "nctaid") != SREG_NONE;
}

static bool is_invariant_leaf(LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);
	bool is_integer = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
	unsigned space;

	if (LLVMIsAConstantInt(value))
		return true;
	if (!LLVMIsAArgument(value))
		return false;
	if (is_integer || LLVMGetTypeKind(type) != LLVMPointerTypeKind)
		return is_integer;
	space = memory_space_of(LLVMGetGlobalParent(LLVMGetParamParent(value)), value);
	return space == SPACE_GLOBAL || space == SPACE_CONSTANT;
}

/* Operations searched for among earlier ones: on integers, and work-item functions. */
static bool is_operation(LLVMValueRef value)
{
	LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
	int32_t count;

	if (kind != LLVMIntegerTypeKind || !LLVMIsAInstruction(value))
		return false;
	count = affine_pure_operands(value);
	if (count < 0 || count > (int32_t)OPERANDS_MOST)
		return false;
	return LLVMIsABinaryOperator(value) || LLVMIsACastInst(value) || LLVMIsAICmpInst(value) ||
	       LLVMIsASelectInst(value) || LLVMIsACallInst(value);
}

static bool is_same(const struct numbered_value *a, const struct numbered_value *b)
{
	if (!a->is_operation || a->operand_count != b->operand_count ||
	    LLVMTypeOf(a->value) != LLVMTypeOf(b->value) ||
	    LLVMGetInstructionOpcode(a->value) != LLVMGetInstructionOpcode(b->value) ||
	    memcmp(a->operand, b->operand, a->operand_count * sizeof(a->operand[0])) != 0)
		return false;
	if (LLVMIsACallInst(a->value))
		return LLVMGetCalledValue(a->value) == LLVMGetCalledValue(b->value);
	return !LLVMIsAICmpInst(a->value) ||
	       LLVMGetICmpPredicate(a->value) == LLVMGetICmpPredicate(b->value);
}

static uint32_t find_same(const struct value_numbers *n, const struct numbered_value *v)
{
	uint32_t number = 0;

	if (!v->is_operation || n->values.count > SEARCHED_MOST)
		return VALUE_NUMBERS_NONE;
	while (number < n->values.count && !is_same(at(n, number), v))
		number++;
	return number < n->values.count ? number : VALUE_NUMBERS_NONE;
}

/* The size of an operation on the operands, or 0. */
static uint32_t size_of(const struct value_numbers *n, const struct numbered_value *v)
{
	uint32_t size = 1;

	if (affine_pure_may_trap(v->value) ||
	    (LLVMIsACallInst(v->value) && !is_invariant_call(n, v->value)))
		return 0;
	for (uint32_t i = 0; i < v->operand_count; i++) {
		uint32_t of_operand = at(n, v->operand[i])->size;

		if (!of_operand || size + of_operand > SIZE_MOST)
			return 0;
		size += of_operand;
	}
	return size;
}

static uint32_t number_of(struct value_numbers *n, LLVMValueRef value, uint32_t depth,
                          struct err *err);

/* Returns false if an operand has no number. */
static bool read_operands(struct value_numbers *n, struct numbered_value *v, uint32_t depth,
                          struct err *err)
{
	v->operand_count = (uint32_t)affine_pure_operands(v->value);
	for (uint32_t i = 0; i < v->operand_count; i++) {
		v->operand[i] = number_of(n, LLVMGetOperand(v->value, i), depth + 1, err);
		if (v->operand[i] == VALUE_NUMBERS_NONE)
			return false;
	}
	return true;
}

static uint32_t add(struct value_numbers *n, const struct numbered_value *v, struct err *err)
{
	uint32_t number = find_same(n, v);

	if (number == VALUE_NUMBERS_NONE) {
		struct numbered_value *to = array_push(&n->values, 1, err);

		if (!to)
			return VALUE_NUMBERS_NONE;
		*to = *v;
		number = (uint32_t)n->values.count - 1;
	}
	return pointer_map_set(&n->known, v->value, number, err) ? VALUE_NUMBERS_NONE : number;
}

static uint32_t number_of(struct value_numbers *n, LLVMValueRef value, uint32_t depth,
                          struct err *err)
{
	struct numbered_value v = { .value = value };
	uint32_t number = pointer_map_get(&n->known, value);

	if (number != POINTER_MAP_NONE)
		return number;
	if (LLVMIsUndef(value))
		return VALUE_NUMBERS_NONE;
	v.is_operation = depth < DEPTH_MOST && is_operation(value);
	if (v.is_operation && !read_operands(n, &v, depth, err))
		return VALUE_NUMBERS_NONE;
	v.size = v.is_operation ? size_of(n, &v) : is_invariant_leaf(value);
	return add(n, &v, err);
}

uint32_t value_numbers_of(struct value_numbers *n, LLVMValueRef value, struct err *err)
{
	return number_of(n, value, 0, err);
}

/*
 * Whether the value with that number is the same in the whole launch and can be computed anywhere.
 */
static bool value_numbers_is_invariant(const struct value_numbers *n, uint32_t number)
{
	return at(n, number)->size != 0;
}

/* Build code that computes such a value. */
static LLVMValueRef value_numbers_compute(const struct value_numbers *n, LLVMBuilderRef b,
                                          uint32_t number)
{
	const struct numbered_value *v = at(n, number);
	LLVMValueRef copy;

	if (!v->is_operation)
		return v->value;
	copy = LLVMInstructionClone(v->value);
	for (uint32_t i = 0; i < v->operand_count; i++)
		LLVMSetOperand(copy, i, value_numbers_compute(n, b, v->operand[i]));
	LLVMInsertIntoBuilder(b, copy);
	return copy;
}

/* Sums and products of forms. */

/* Returns <, = or > 0 as the leaves of a sort before, with or after those of b. */
static int compare(const struct form_term *a, const struct form_term *b)
{
	if (a->degree != b->degree)
		return a->degree < b->degree ? -1 : 1;
	for (uint32_t i = 0; i < a->degree; i++)
		if (a->leaves[i] != b->leaves[i])
			return a->leaves[i] < b->leaves[i] ? -1 : 1;
	return 0;
}

/* Insert a term into a form, in order. Returns false when there is no room. */
static bool add_term(struct form *to, const struct form_term *term)
{
	uint32_t i = 0;

	while (i < to->count && compare(&to->terms[i], term) < 0)
		i++;
	if (i < to->count && compare(&to->terms[i], term) == 0) {
		to->terms[i].scale += term->scale;
		if (to->terms[i].scale)
			return true;
		to->count--;
		memmove(&to->terms[i], &to->terms[i + 1], (to->count - i) * sizeof(to->terms[0]));
		return true;
	}
	if (to->count == FORM_TERMS || !term->scale)
		return !term->scale;
	memmove(&to->terms[i + 1], &to->terms[i], (to->count - i) * sizeof(to->terms[0]));
	to->terms[i] = *term;
	to->count++;
	return true;
}

/* to += a * scale. Returns false when the sum has too many terms; *to is then invalid. */
static bool form_add(struct form *to, const struct form *a, uint64_t scale)
{
	to->constant += a->constant * scale;
	for (uint32_t i = 0; i < a->count; i++) {
		struct form_term term = a->terms[i];

		term.scale *= scale;
		if (!add_term(to, &term))
			return false;
	}
	return true;
}

bool form_subtract(const struct form *a, const struct form *b, struct form *out)
{
	*out = *a;
	return form_add(out, b, UINT64_MAX);
}

/* Merge the leaves of both terms, in order. Returns false when there are too many. */
static bool join(const struct form_term *a, const struct form_term *b, struct form_term *out)
{
	uint32_t i = 0, k = 0;

	if (a->degree + b->degree > FORM_DEGREE)
		return false;
	*out = (struct form_term){ .scale = a->scale * b->scale, .degree = a->degree + b->degree };
	for (uint32_t n = 0; n < out->degree; n++) {
		bool is_a = k == b->degree || (i < a->degree && a->leaves[i] <= b->leaves[k]);

		out->leaves[n] = is_a ? a->leaves[i++] : b->leaves[k++];
	}
	return true;
}

/* *out = a * b; out is neither a nor b. Returns false when the product has too many terms or too
 * high a degree. */
static bool form_multiply(const struct form *a, const struct form *b, struct form *out)
{
	struct form rest = *b;

	rest.constant = 0;
	*out = (struct form){ 0 };
	if (!form_add(out, a, b->constant) || !form_add(out, &rest, a->constant))
		return false;
	for (uint32_t i = 0; i < a->count; i++)
		for (uint32_t k = 0; k < b->count; k++) {
			struct form_term term;

			if (!join(&a->terms[i], &b->terms[k], &term) || !add_term(out, &term))
				return false;
		}
	return true;
}

bool form_is_parallel(const struct form *a, const struct form *b)
{
	if (a->count != b->count)
		return false;
	for (uint32_t i = 0; i < a->count; i++)
		if (compare(&a->terms[i], &b->terms[i]) != 0 ||
		    a->terms[i].scale != b->terms[i].scale)
			return false;
	return true;
}

#define FORM_DEPTH_MOST 48u
#define WIDE            64u

void form_finder_init(struct form_finder *f, LLVMModuleRef module, bool has_uniform_groups)
{
	*f = (struct form_finder){ .layout = LLVMGetModuleDataLayout(module),
		                   .context = LLVMGetModuleContext(module) };
	value_numbers_init(&f->numbers, has_uniform_groups);
	array_init(&f->forms, sizeof(struct form), UINT32_MAX / 4, "forms of addresses");
}

void form_finder_release(struct form_finder *f)
{
	value_numbers_release(&f->numbers);
	pointer_map_release(&f->found[0]);
	pointer_map_release(&f->found[1]);
	array_release(&f->forms);
}

/* The width of an integer, 64 for a pointer, 0 for anything else. */
static uint32_t width_of(LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);

	if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
		return WIDE;
	return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

static bool find(struct form_finder *f, LLVMValueRef value, bool is_unsigned, struct form *out,
                 struct err *err);

static bool make_leaf(struct form_finder *f, LLVMValueRef value, bool is_unsigned, struct form *out,
                      struct err *err)
{
	uint32_t number = value_numbers_of(&f->numbers, value, err);

	if (number == VALUE_NUMBERS_NONE)
		return false;
	*out = (struct form){ .count = 1 };
	out->terms[0] = (struct form_term){ .scale = 1, .degree = 1 };
	out->terms[0].leaves[0] = 2 * number + (is_unsigned && width_of(value) < WIDE);
	return true;
}

/* out += index * bytes */
static bool add_index(struct form_finder *f, LLVMValueRef index, uint64_t bytes, struct form *out,
                      struct err *err)
{
	struct form form;

	return width_of(index) && find(f, index, false, &form, err) && form_add(out, &form, bytes);
}

static bool find_element(struct form_finder *f, LLVMValueRef gep, struct form *out, struct err *err)
{
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
	unsigned count = (unsigned)LLVMGetNumOperands(gep);

	if (!find(f, LLVMGetOperand(gep, 0), false, out, err))
		return false;
	for (unsigned i = 1; i < count; i++) {
		LLVMValueRef index = LLVMGetOperand(gep, i);

		if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);

			out->constant += LLVMOffsetOfElement(f->layout, type, member);
			type = LLVMStructGetTypeAtIndex(type, member);
			continue;
		}
		if (i > 1)
			type = LLVMGetElementType(type);
		if (!add_index(f, index, LLVMABISizeOfType(f->layout, type), out, err))
			return false;
	}
	return true;
}

/* The sum, difference or product of the operands' forms, or a shift by a constant. */
static bool combine(struct form_finder *f, LLVMValueRef value, bool is_unsigned, struct form *out,
                    struct err *err)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
	LLVMValueRef second = LLVMGetOperand(value, 1);
	struct form a, b;

	if (!find(f, LLVMGetOperand(value, 0), is_unsigned, &a, err))
		return false;
	if (opcode == LLVMShl) {
		*out = (struct form){ 0 };
		return form_add(out, &a, (uint64_t)1 << LLVMConstIntGetZExtValue(second));
	}
	if (!find(f, second, is_unsigned, &b, err))
		return false;
	if (opcode == LLVMMul)
		return form_multiply(&a, &b, out);
	*out = a;
	return form_add(out, &b, opcode == LLVMAdd ? 1 : UINT64_MAX);
}

/* Whether an integer operation is a polynomial operation that combine() accepts. */
static bool is_ring_operation(const struct form_finder *f, LLVMValueRef value, bool is_unsigned)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
	uint32_t bits = width_of(value);

	if (!bits || bits > WIDE)
		return false;
	if (opcode == LLVMShl) {
		LLVMValueRef by = LLVMGetOperand(value, 1);

		if (!LLVMIsAConstantInt(by) || LLVMConstIntGetZExtValue(by) >= bits)
			return false;
	} else if (opcode != LLVMAdd && opcode != LLVMSub && opcode != LLVMMul) {
		return false;
	}
	return bits == WIDE || (is_unsigned ? LLVMGetNUW(value) : LLVMGetNSW(value));
}

/* Whether a cast keeps the number under the given extension; sets *is_unsigned for its operand. */
static bool is_kept_by(LLVMValueRef cast, bool *is_unsigned)
{
	uint32_t from = width_of(LLVMGetOperand(cast, 0)), to = width_of(cast);

	if (!from || !to || to > WIDE)
		return false;
	switch ((int)LLVMGetInstructionOpcode(cast)) {
	case LLVMAddrSpaceCast:
		return memory_space_is_kept_by(cast);
	case LLVMBitCast:
	case LLVMPtrToInt:
	case LLVMIntToPtr:
		return from == WIDE && to == WIDE;
	case LLVMZExt:
		*is_unsigned = true;
		return true;
	case LLVMSExt: /* if then extended as unsigned: only where it makes no difference */
		return to == WIDE || !*is_unsigned;
	default:
		return false;
	}
}

static bool find_new(struct form_finder *f, LLVMValueRef value, bool is_unsigned, struct form *out,
                     struct err *err)
{
	bool is_found = false, of_operand = is_unsigned;

	if (LLVMIsAConstantInt(value) && width_of(value) <= WIDE) {
		*out = (struct form){ .constant =
			                      is_unsigned && width_of(value) < WIDE
			                              ? LLVMConstIntGetZExtValue(value)
			                              : (uint64_t)LLVMConstIntGetSExtValue(value) };
		return true;
	}
	if (f->depth == FORM_DEPTH_MOST || !LLVMIsAInstruction(value))
		return make_leaf(f, value, is_unsigned, out, err);
	f->depth++;
	if (LLVMIsAGetElementPtrInst(value) &&
	    LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind) {
		is_found = find_element(f, value, out, err);
	} else if (LLVMIsACastInst(value)) {
		if (is_kept_by(value, &of_operand))
			is_found = find(f, LLVMGetOperand(value, 0),
			                LLVMGetInstructionOpcode(value) != LLVMSExt && of_operand,
			                out, err);
	} else if (LLVMIsABinaryOperator(value) && is_ring_operation(f, value, is_unsigned)) {
		is_found = combine(f, value, is_unsigned, out, err);
	}
	f->depth--;
	return is_found || make_leaf(f, value, is_unsigned, out, err);
}

/* The form of a value extended to 64 bits: one found earlier, or a new one. */
static bool find(struct form_finder *f, LLVMValueRef value, bool is_unsigned, struct form *out,
                 struct err *err)
{
	struct pointer_map *found = &f->found[is_unsigned && width_of(value) < WIDE];
	uint32_t number = pointer_map_get(found, value);
	struct form *kept;

	if (number != POINTER_MAP_NONE) {
		*out = ((struct form *)f->forms.data)[number];
		return true;
	}
	if (!find_new(f, value, is_unsigned, out, err))
		return false;
	kept = array_push(&f->forms, 1, err);
	if (!kept)
		return false;
	*kept = *out;
	return pointer_map_set(found, value, (uint32_t)f->forms.count - 1, err) == 0;
}

bool form_find(struct form_finder *f, LLVMValueRef pointer, struct form *out, struct err *err)
{
	return find(f, pointer, false, out, err);
}

bool form_is_invariant(const struct form_finder *f, const struct form *form)
{
	for (uint32_t i = 0; i < form->count; i++)
		for (uint32_t k = 0; k < form->terms[i].degree; k++)
			if (!value_numbers_is_invariant(&f->numbers, form->terms[i].leaves[k] / 2))
				return false;
	return true;
}

static LLVMValueRef compute_leaf(const struct form_finder *f, LLVMBuilderRef b, uint32_t leaf)
{
	LLVMValueRef value = value_numbers_compute(&f->numbers, b, leaf / 2);
	LLVMTypeRef wide = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(value)));

	if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
		return LLVMBuildPtrToInt(b, value, wide, "");
	return LLVMBuildIntCast2(b, value, wide, leaf % 2 == 0, "");
}

LLVMValueRef form_compute(const struct form_finder *f, LLVMBuilderRef b, const struct form *form)
{
	LLVMTypeRef wide = LLVMInt64TypeInContext(f->context);
	LLVMValueRef sum = LLVMConstInt(wide, 0, 0);

	for (uint32_t i = 0; i < form->count; i++) {
		const struct form_term *term = &form->terms[i];
		LLVMValueRef product = LLVMConstInt(wide, term->scale, 0);

		for (uint32_t k = 0; k < term->degree; k++)
			product = LLVMBuildMul(b, product, compute_leaf(f, b, term->leaves[k]), "");
		sum = LLVMBuildAdd(b, sum, product, "");
	}
	return sum;
}
