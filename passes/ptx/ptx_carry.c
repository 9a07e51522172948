/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Carry chains: the flag CC.CF is a slot of its own. A sum that is less than one of its parts has a
 * carry; a part that is less than what is taken from it, a borrow.
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

/* One step: the sum or difference, and into *flag whether it went past the end. */
static LLVMValueRef add_one(struct ptx_emitter *e, bool is_minus, LLVMValueRef a, LLVMValueRef b,
                            LLVMValueRef *flag)
{
	LLVMValueRef sum = is_minus ? LLVMBuildSub(e->b, a, b, "") : LLVMBuildAdd(e->b, a, b, "");

	*flag = is_minus ? LLVMBuildICmp(e->b, LLVMIntULT, a, b, "")
	                 : LLVMBuildICmp(e->b, LLVMIntULT, sum, a, "");
	return sum;
}

/* a + b + the carry, or a - b - the borrow; the flag is written with .cc. */
static LLVMValueRef add(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef a,
                        LLVMValueRef b, bool takes_carry)
{
	LLVMTypeRef bit = ptx_int(e, 1);
	LLVMValueRef first, second = ptx_constant(e, 1, 0), carry;
	LLVMValueRef sum = add_one(e, is_difference(s), a, b, &first);

	if (takes_carry) {
		carry = LLVMBuildLoad2(e->b, bit, carry_slot(e), "");
		carry = LLVMBuildZExt(e->b, carry, LLVMTypeOf(a), "");
		sum = add_one(e, is_difference(s), sum, carry, &second);
	}
	if (ptx_has(e, s, ".cc"))
		LLVMBuildStore(e->b, LLVMBuildOr(e->b, first, second, ""), carry_slot(e));
	return sum;
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
