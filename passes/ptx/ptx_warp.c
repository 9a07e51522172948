/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_value.h"

#include <stdio.h>

#define NAME_BYTES 64

static LLVMValueRef all_lanes(struct ptx_emitter *e)
{
	return LLVMConstAllOnes(ptx_int(e, 32));
}

/* The mask of lanes that is operand i, where there is one: without .sync it is all of them. */
static LLVMValueRef read_mask(struct ptx_emitter *e, const struct ptx_step *s, uint32_t i)
{
	return i < s->count ? ptx_read(e, s->operands[i], PTX_b32) : all_lanes(e);
}

static void refuse_form(struct ptx_emitter *e, const struct ptx_step *s)
{
	ptx_refuse(e, "this form of '%.*s' is not read", PTX_WORD_ARGS(s->statement->name));
}

/* The one of the words, each with its point, that the instruction has; NULL: none. */
static const char *chosen(const struct ptx_emitter *e, const struct ptx_step *s,
                          const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (ptx_has(e, s, words[i]))
			return words[i];
	return NULL;
}

/* A result that is a pair: a value, and a predicate if it is wanted. */
static void write_pair(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef pair)
{
	const struct ptx_operand *o = s->operands[0];

	LLVMValueRef value = LLVMBuildExtractValue(e->b, pair, 0, "");

	ptx_write(e, o, LLVMBuildIntCast2(e->b, value, ptx_int(e, 32), 0, ""), PTX_b32);
	if (o->second.length)
		ptx_write_name(e, o->second, LLVMBuildExtractValue(e->b, pair, 1, ""), PTX_pred);
}

static LLVMTypeRef pair_type(const struct ptx_emitter *e, unsigned bits)
{
	LLVMTypeRef members[2] = { ptx_int(e, bits), ptx_int(e, 1) };

	return LLVMStructTypeInContext(e->context, members, 2, 0);
}

void ptx_emit_shfl(struct ptx_emitter *e, const struct ptx_step *s)
{
	static const char *const modes[] = { ".up", ".down", ".bfly", ".idx" };
	const char *mode = chosen(e, s, modes, sizeof(modes) / sizeof(modes[0]));
	LLVMValueRef arguments[4];
	char name[NAME_BYTES];

	if (!mode || ptx_type_bits(s->types[0]) != 32) {
		refuse_form(e, s);
		return;
	}
	arguments[0] = read_mask(e, s, 4);
	for (uint32_t i = 1; i < 4; i++)
		arguments[i] = ptx_read(e, s->operands[i], PTX_b32);
	snprintf(name, sizeof(name), "llvm.nvvm.shfl.sync%s.i32p", mode);
	write_pair(e, s, ptx_call(e, name, pair_type(e, 32), arguments, 4));
}

void ptx_emit_vote(struct ptx_emitter *e, const struct ptx_step *s)
{
	static const char *const modes[] = { ".all", ".any", ".uni", ".ballot" };
	const char *mode = chosen(e, s, modes, sizeof(modes) / sizeof(modes[0]));
	bool is_ballot = ptx_has(e, s, ".ballot");
	LLVMValueRef arguments[2], value;
	char name[NAME_BYTES];

	if (!mode) {
		refuse_form(e, s);
		return;
	}
	arguments[0] = read_mask(e, s, 2);
	arguments[1] = s->operands[1]->kind == PTX_NUMBERS
	                       ? ptx_constant(e, 1, s->operands[1]->number.bits != 0)
	                       : ptx_read_predicate(e, s->operands[1]);
	snprintf(name, sizeof(name), "llvm.nvvm.vote%s.sync", mode);
	value = ptx_call(e, name, ptx_int(e, is_ballot ? 32 : 1), arguments, 2);
	ptx_write(e, s->operands[0], value, is_ballot ? PTX_b32 : PTX_pred);
}

void ptx_emit_match(struct ptx_emitter *e, const struct ptx_step *s)
{
	unsigned bits = ptx_type_bits(s->types[0]);
	bool is_all = ptx_has(e, s, ".all");
	LLVMValueRef arguments[2] = { read_mask(e, s, 2), ptx_read_at(e, s, 1) }, value;
	char name[NAME_BYTES];

	snprintf(name, sizeof(name), "llvm.nvvm.match.%s.sync.i%u%s", is_all ? "all" : "any", bits,
	         is_all ? "p" : "");
	/* Those of 64 bits have a result of as many in LLVM 14. */
	if (is_all) {
		write_pair(e, s, ptx_call(e, name, pair_type(e, bits), arguments, 2));
		return;
	}
	value = ptx_call(e, name, ptx_int(e, bits), arguments, 2);
	ptx_write(e, s->operands[0], LLVMBuildIntCast2(e->b, value, ptx_int(e, 32), 0, ""),
	          PTX_b32);
}

void ptx_emit_redux(struct ptx_emitter *e, const struct ptx_step *s)
{
	static const char *const operations[] = { ".add", ".min", ".max", ".and", ".or", ".xor" };
	const char *operation =
		chosen(e, s, operations, sizeof(operations) / sizeof(operations[0]));
	bool is_unsigned = s->types[0] == PTX_u32 && ptx_has(e, s, ".min .max");
	LLVMValueRef arguments[2];
	char name[NAME_BYTES];

	if (!operation || ptx_type_bits(s->types[0]) != 32 || ptx_type_is_float(s->types[0])) {
		refuse_form(e, s);
		return;
	}
	arguments[0] = ptx_read_at(e, s, 1);
	arguments[1] = read_mask(e, s, 2);
	snprintf(name, sizeof(name), "llvm.nvvm.redux.sync.%s%s", is_unsigned ? "u" : "",
	         operation + 1);
	ptx_write_result(e, s, ptx_call(e, name, ptx_int(e, 32), arguments, 2));
}

/* LLVM 14 has no intrinsic for it: CUDA's headers too write it like this. */
void ptx_emit_activemask(struct ptx_emitter *e, const struct ptx_step *s)
{
	static char text[] = "activemask.b32 $0;", constraints[] = "=r";
	LLVMTypeRef type = LLVMFunctionType(ptx_int(e, 32), NULL, 0, 0);
	LLVMValueRef code =
		LLVMGetInlineAsm(type, text, sizeof(text) - 1, constraints, sizeof(constraints) - 1,
	                         1, 0, LLVMInlineAsmDialectATT, 0);

	ptx_write(e, s->operands[0], LLVMBuildCall2(e->b, type, code, NULL, 0, ""), PTX_b32);
}

static bool is_number(const struct ptx_operand *o, uint64_t number)
{
	return o->kind == PTX_NUMBERS && o->number.bits == number;
}

/* bar.red: the barrier is operand 1, what is gathered the last one. */
static void emit_gather(struct ptx_emitter *e, const struct ptx_step *s)
{
	static const char *const operations[] = { ".popc", ".and", ".or" };
	const char *operation =
		chosen(e, s, operations, sizeof(operations) / sizeof(operations[0]));
	bool is_count = ptx_has(e, s, ".popc");
	LLVMValueRef value;
	char name[NAME_BYTES];

	if (!operation || s->count != 3 || !is_number(s->operands[1], 0)) {
		refuse_form(e, s);
		return;
	}
	snprintf(name, sizeof(name), "llvm.nvvm.barrier0%s", operation);
	value = ptx_read_predicate(e, s->operands[2]);
	value = LLVMBuildZExt(e->b, value, ptx_int(e, 32), "");
	value = ptx_call(e, name, ptx_int(e, 32), &value, 1);
	if (!is_count)
		value = LLVMBuildICmp(e->b, LLVMIntNE, value, ptx_like(value, 0), "");
	ptx_write(e, s->operands[0], value, is_count ? PTX_u32 : PTX_pred);
}

void ptx_emit_bar(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMTypeRef nothing = LLVMVoidTypeInContext(e->context);
	LLVMValueRef arguments[2];

	if (ptx_has(e, s, ".red")) {
		emit_gather(e, s);
		return;
	}
	if (!ptx_has(e, s, ".sync") || s->count > 2) {
		refuse_form(e, s);
		return;
	}
	if (is_number(s->operands[0], 0) && s->count == 1 && !ptx_has(e, s, ".warp")) {
		ptx_call(e, "llvm.nvvm.barrier0", nothing, NULL, 0);
		return;
	}
	for (uint32_t i = 0; i < s->count; i++)
		arguments[i] = ptx_read(e, s->operands[i], PTX_b32);
	if (ptx_has(e, s, ".warp"))
		ptx_call(e, "llvm.nvvm.bar.warp.sync", nothing, arguments, 1);
	else if (s->count == 2)
		ptx_call(e, "llvm.nvvm.barrier", nothing, arguments, 2);
	else
		ptx_call(e, "llvm.nvvm.barrier.n", nothing, arguments, 1);
}

/* membar, fence, and the order that a load or store has. */
void ptx_emit_fence(struct ptx_emitter *e, const struct ptx_step *s)
{
	const char *name = "llvm.nvvm.membar.gl";

	if (ptx_has(e, s, ".cta"))
		name = "llvm.nvvm.membar.cta";
	else if (ptx_has(e, s, ".sys"))
		name = "llvm.nvvm.membar.sys";
	ptx_call(e, name, LLVMVoidTypeInContext(e->context), NULL, 0);
}
