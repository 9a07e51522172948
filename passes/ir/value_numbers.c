/* SPDX-License-Identifier: Apache-2.0 */
#include "value_numbers.h"

#include "affine_pure.h"
#include "builtin.h"
#include "err.h"
#include "kernel_table.h"
#include "memory_space.h"
#include "sreg.h"

#include <llvm-c/Core.h>

#include <string.h>

#define OPERANDS_MOST 3u
#define DEPTH_MOST    32u
/* Beyond so many values the same operation is not looked for: that would take long. */
#define SEARCHED_MOST 2048u
/* Larger expressions are not computed a second time. */
#define SIZE_MOST 64u

struct numbered_value {
	LLVMValueRef value;
	uint32_t operand[OPERANDS_MOST], operand_count;
	uint32_t size; /* of what computes it from the arguments; 0: it is not invariant */
	bool is_operation;
};

void value_numbers_init(struct value_numbers *n, bool has_uniform_groups)
{
	*n = (struct value_numbers){ .has_uniform_groups = has_uniform_groups };
	array_init(&n->values, sizeof(struct numbered_value), UINT32_MAX / 4, "values");
}

void value_numbers_release(struct value_numbers *n)
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

/* A question about the NDRange whose answer is one for the whole launch. */
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

/* Operations that are looked for among those before: of integers, and work-item functions. */
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

/* The size of an operation of the operands, or 0. */
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

/* False: an operand has no number. */
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

bool value_numbers_is_invariant(const struct value_numbers *n, uint32_t number)
{
	return at(n, number)->size != 0;
}

LLVMValueRef value_numbers_compute(const struct value_numbers *n, LLVMBuilderRef b, uint32_t number)
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
