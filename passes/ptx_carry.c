/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Carry chains: the flag CC.CF is a slot of its own. Sums and differences are computed with twice
 * the bits, where the bit behind the result is the carry, or the borrow.
 */
#include "ptx_integer.h"
#include "ptx_value.h"

static LLVMValueRef carry_slot(struct ptx_emitter *e)
{
	if (!e->carry)
		e->carry = ptx_slot(e, ptx_int(e, 1), 0);
	return e->carry;
}

static bool is_difference(const struct ptx_step *s)
{
	return ptx_word_begins(s->statement->name, "sub");
}

/* a + b + the carry, or a - b - the borrow; the flag is written with .cc. */
static LLVMValueRef add(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef a,
                        LLVMValueRef b, bool takes_carry)
{
	unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(a));
	LLVMTypeRef wide = ptx_int(e, 2 * bits);
	LLVMValueRef sum, flag;

	a = LLVMBuildZExt(e->b, a, wide, "");
	b = LLVMBuildZExt(e->b, b, wide, "");
	sum = is_difference(s) ? LLVMBuildSub(e->b, a, b, "") : LLVMBuildAdd(e->b, a, b, "");
	if (takes_carry) {
		flag = LLVMBuildLoad2(e->b, ptx_int(e, 1), carry_slot(e), "");
		flag = LLVMBuildZExt(e->b, flag, wide, "");
		sum = is_difference(s) ? LLVMBuildSub(e->b, sum, flag, "")
		                       : LLVMBuildAdd(e->b, sum, flag, "");
	}
	if (ptx_has(e, s, ".cc")) {
		flag = LLVMBuildLShr(e->b, sum, ptx_like(sum, bits), "");
		LLVMBuildStore(e->b, LLVMBuildTrunc(e->b, flag, ptx_int(e, 1), ""), carry_slot(e));
	}
	return LLVMBuildTrunc(e->b, sum, ptx_int(e, bits), "");
}

/* add.cc, sub.cc, addc, subc */
void ptx_emit_carry(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef a = ptx_read_at(e, s, 1), b = ptx_read_at(e, s, 2);
	bool takes_carry = s->statement->name.length == 4;

	ptx_write_result(e, s, add(e, s, a, b, takes_carry));
}

/* mad.cc, madc: the sum only has a carry. */
void ptx_emit_madc(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef a = ptx_read_at(e, s, 1), b = ptx_read_at(e, s, 2);
	bool takes_carry = ptx_word_is(s->statement->name, "madc");

	if (ptx_has(e, s, ".wide")) {
		ptx_refuse(e, "'mad.wide.cc' is not read");
		return;
	}
	a = ptx_integer_product(e, s, a, b);
	ptx_write_result(e, s, add(e, s, a, ptx_read_at(e, s, 3), takes_carry));
}
