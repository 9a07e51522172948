/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_memory.h"
#include "ptx_value.h"

#include <stdio.h>

#define INTRINSIC_BYTES 64

static const struct {
	const char *suffix;
	LLVMAtomicRMWBinOp any, with_sign;
} operations[] = {
	{ ".add", LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpAdd },
	{ ".and", LLVMAtomicRMWBinOpAnd, LLVMAtomicRMWBinOpAnd },
	{ ".or", LLVMAtomicRMWBinOpOr, LLVMAtomicRMWBinOpOr },
	{ ".xor", LLVMAtomicRMWBinOpXor, LLVMAtomicRMWBinOpXor },
	{ ".exch", LLVMAtomicRMWBinOpXchg, LLVMAtomicRMWBinOpXchg },
	{ ".min", LLVMAtomicRMWBinOpUMin, LLVMAtomicRMWBinOpMin },
	{ ".max", LLVMAtomicRMWBinOpUMax, LLVMAtomicRMWBinOpMax },
};

static LLVMValueRef undefined(struct ptx_emitter *e, const struct ptx_step *s)
{
	ptx_refuse(e, "this form of '%.*s' is not read", PTX_WORD_ARGS(s->statement->name));
	return LLVMGetUndef(ptx_type_llvm(e, s->types[0]));
}

static LLVMValueRef exchange_if(struct ptx_emitter *e, const struct ptx_step *s,
                                LLVMValueRef address)
{
	LLVMValueRef pair;

	if (s->count < 4)
		return undefined(e, s);
	pair = LLVMBuildAtomicCmpXchg(e->b, address, ptx_read_at(e, s, 2), ptx_read_at(e, s, 3),
	                              LLVMAtomicOrderingSequentiallyConsistent,
	                              LLVMAtomicOrderingSequentiallyConsistent, 0);
	return LLVMBuildExtractValue(e->b, pair, 0, "");
}

/* inc and dec wrap at a limit: LLVM has them for NVPTX alone. */
static LLVMValueRef step_to_limit(struct ptx_emitter *e, const struct ptx_step *s,
                                  LLVMValueRef address, LLVMValueRef value)
{
	LLVMValueRef arguments[2] = { address, value };
	char name[INTRINSIC_BYTES];

	if (s->types[0] != PTX_u32)
		return undefined(e, s);
	snprintf(name, sizeof(name), "llvm.nvvm.atomic.load.%s.32.p%ui32",
	         ptx_has(e, s, ".inc") ? "inc" : "dec",
	         LLVMGetPointerAddressSpace(LLVMTypeOf(address)));
	return ptx_call(e, name, ptx_int(e, 32), arguments, 2);
}

static LLVMValueRef operate(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef address,
                            LLVMValueRef value)
{
	LLVMAtomicOrdering order = LLVMAtomicOrderingSequentiallyConsistent;

	if (ptx_type_is_float(s->types[0]) && ptx_has(e, s, ".add"))
		return LLVMBuildAtomicRMW(e->b, LLVMAtomicRMWBinOpFAdd, address, value, order, 0);
	if (ptx_type_is_float(s->types[0]) || ptx_type_is_half(s->types[0]))
		return undefined(e, s);
	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
		if (ptx_has(e, s, operations[i].suffix))
			return LLVMBuildAtomicRMW(e->b,
			                          ptx_type_is_signed(s->types[0])
			                                  ? operations[i].with_sign
			                                  : operations[i].any,
			                          address, value, order, 0);
	return undefined(e, s);
}

/* Each is sequentially consistent, which is at least what it asks for. */
void ptx_emit_atom(struct ptx_emitter *e, const struct ptx_step *s)
{
	bool has_result = ptx_word_is(s->statement->name, "atom");
	LLVMValueRef address, value;

	if (s->type_count != 1 || ptx_type_bits(s->types[0]) < 32 || s->types[0] == PTX_b128) {
		undefined(e, s);
		return;
	}
	address = ptx_address(e, s, s->operands[has_result], ptx_type_llvm(e, s->types[0]));
	if (ptx_has(e, s, ".cas")) {
		value = exchange_if(e, s, address);
	} else {
		value = ptx_read_at(e, s, has_result + 1u);
		if (ptx_has(e, s, ".inc .dec"))
			value = step_to_limit(e, s, address, value);
		else
			value = operate(e, s, address, value);
	}
	if (has_result)
		ptx_write_result(e, s, value);
}
