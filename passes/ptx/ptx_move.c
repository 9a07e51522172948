/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_global.h"
#include "ptx_value.h"

#include <stdio.h>

#define PARTS_MOST      8
#define INTRINSIC_BYTES 48

/* The parts of {a, b}; their count, 0 with a refusal when they do not fill the bits. */
static uint32_t take_parts(struct ptx_emitter *e, const struct ptx_operand *list, unsigned bits,
                           const struct ptx_operand **parts)
{
	uint32_t count = 0;

	for (uint32_t o = list->first; o != PTX_NONE && count < PARTS_MOST; count++) {
		parts[count] = ptx_operand_at(e->code, o);
		o = parts[count]->next;
	}
	if (count < 2 || bits % count || bits / count < 8 || (count & (count - 1))) {
		ptx_refuse(e, "a list in 'mov' is not read");
		return 0;
	}
	return count;
}

static enum ptx_type bits_type(unsigned bits)
{
	if (bits == 8)
		return PTX_b8;
	if (bits == 16)
		return PTX_b16;
	return bits == 32 ? PTX_b32 : PTX_b64;
}

/* mov.b64 d, {a, b}: a is the lowest part. */
static void pack(struct ptx_emitter *e, const struct ptx_step *s)
{
	unsigned bits = ptx_type_bits(s->types[0]);
	const struct ptx_operand *parts[PARTS_MOST];
	uint32_t count = take_parts(e, s->operands[1], bits, parts);
	LLVMValueRef whole = ptx_constant(e, bits, 0), part;

	for (uint32_t i = 0; i < count; i++) {
		part = ptx_read(e, parts[i], bits_type(bits / count));
		part = LLVMBuildZExt(e->b, part, ptx_int(e, bits), "");
		if (i)
			part = LLVMBuildShl(e->b, part, ptx_like(part, (uint64_t)i * bits / count),
			                    "");
		whole = LLVMBuildOr(e->b, whole, part, "");
	}
	ptx_write(e, s->operands[0], whole, bits == 128 ? PTX_b128 : bits_type(bits));
}

/* mov.b64 {a, b}, d */
static void unpack(struct ptx_emitter *e, const struct ptx_step *s)
{
	unsigned bits = ptx_type_bits(s->types[0]);
	const struct ptx_operand *parts[PARTS_MOST];
	uint32_t count = take_parts(e, s->operands[0], bits, parts);
	LLVMValueRef whole, part;

	if (!count)
		return;
	whole = ptx_read(e, s->operands[1], bits == 128 ? PTX_b128 : bits_type(bits));
	for (uint32_t i = 0; i < count; i++) {
		part = whole;
		if (i)
			part = LLVMBuildLShr(e->b, whole,
			                     ptx_like(whole, (uint64_t)i * bits / count), "");
		part = LLVMBuildTrunc(e->b, part, ptx_int(e, bits / count), "");
		ptx_write(e, parts[i], part, bits_type(bits / count));
	}
}

void ptx_emit_mov(struct ptx_emitter *e, const struct ptx_step *s)
{
	if (s->operands[0]->kind == PTX_LIST)
		unpack(e, s);
	else if (s->operands[1]->kind == PTX_LIST)
		pack(e, s);
	else
		ptx_write_result(e, s, ptx_read_at(e, s, 1));
}

static enum ptx_space space_of(const struct ptx_emitter *e, const struct ptx_step *s)
{
	for (uint32_t i = 0; i < s->statement->suffix_count; i++) {
		enum ptx_space space = ptx_space_of(ptx_suffix_at(e->code, s->statement, i));

		if (space != PTX_GENERIC)
			return space;
	}
	return PTX_GENERIC;
}

/* An address of one memory as a generic one, or back: the casts tell that it is an address. */
void ptx_emit_cvta(struct ptx_emitter *e, const struct ptx_step *s)
{
	unsigned space = ptx_llvm_space(space_of(e, s));
	bool is_back = ptx_has(e, s, ".to");
	LLVMTypeRef from = ptx_byte_pointer(e, is_back ? 0 : space);
	LLVMTypeRef to = ptx_byte_pointer(e, is_back ? space : 0);
	LLVMValueRef value = ptx_read_at(e, s, 1);

	if (ptx_type_bits(s->types[0]) != 64) {
		ptx_refuse(e, "'cvta' of this type is not read");
		return;
	}
	value = LLVMBuildIntToPtr(e->b, value, from, "");
	if (space)
		value = LLVMBuildAddrSpaceCast(e->b, value, to, "");
	ptx_write_result(e, s, LLVMBuildPtrToInt(e->b, value, ptx_int(e, 64), ""));
}

void ptx_emit_isspacep(struct ptx_emitter *e, const struct ptx_step *s)
{
	static const char *const names[] = {
		[PTX_GENERIC] = NULL,  [PTX_GLOBAL] = "global", [PTX_SHARED] = "shared",
		[PTX_CONST] = "const", [PTX_LOCAL] = "local",   [PTX_PARAM] = NULL,
		[PTX_REG] = NULL,
	};
	const char *name = names[space_of(e, s)];
	char intrinsic[INTRINSIC_BYTES];
	LLVMValueRef value;

	if (!name) {
		ptx_refuse(e, "this form of 'isspacep' is not read");
		return;
	}
	snprintf(intrinsic, sizeof(intrinsic), "llvm.nvvm.isspacep.%s", name);
	value = ptx_read(e, s->operands[1], PTX_u64);
	value = LLVMBuildIntToPtr(e->b, value, ptx_byte_pointer(e, 0), "");
	ptx_write(e, s->operands[0], ptx_call(e, intrinsic, ptx_int(e, 1), &value, 1), PTX_pred);
}
