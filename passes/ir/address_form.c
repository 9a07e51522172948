/* SPDX-License-Identifier: Apache-2.0 */
#include "address_form.h"

#include "form_arithmetic.h"
#include "memory_space.h"

#include <llvm-c/Core.h>

#define DEPTH_MOST 48u
#define WIDE       64u

void form_finder_init(struct form_finder *f, LLVMModuleRef module, bool has_uniform_groups)
{
	*f = (struct form_finder){ .layout = LLVMGetModuleDataLayout(module) };
	no_wrap_init(&f->no_wrap, LLVMGetModuleContext(module));
	value_numbers_init(&f->numbers, has_uniform_groups);
	array_init(&f->forms, sizeof(struct form), UINT32_MAX / 4, "forms of addresses");
}

void form_finder_release(struct form_finder *f)
{
	no_wrap_release(&f->no_wrap);
	value_numbers_release(&f->numbers);
	pointer_map_release(&f->found[0]);
	pointer_map_release(&f->found[1]);
	array_release(&f->forms);
}

/* Width of an integer, 64 for a pointer, 0 for all else. */
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

/* Whether an operation on integers is one of the polynomials: combine() may take it. */
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
	return bits == WIDE || no_wrap_has(&f->no_wrap, value, is_unsigned);
}

/* A cast that leaves the number as it is, extended so; *is_unsigned for its operand. */
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
	case LLVMSExt: /* of what is then taken for unsigned: only where that is no matter */
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
	if (f->depth == DEPTH_MOST || !LLVMIsAInstruction(value))
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

/* The form of a value extended to 64 bits: that found before, or a new one. */
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
	LLVMTypeRef wide = LLVMInt64TypeInContext(LLVMGetModuleContext(f->no_wrap.module));
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
