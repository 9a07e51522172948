/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_value.h"

#include "err.h"

#include <stdio.h>
#include <string.h>

#define INTRINSIC_BYTES 96

/*
 * Special registers, and LLVM's names for them after "llvm.nvvm.read.ptx.sreg.". LLVM has no clock
 * in nanoseconds: the one in cycles is used.
 */
static const struct {
	const char *name, *intrinsic;
	unsigned bits;
} sregs[] = {
	{ "%tid.x", "llvm.nvvm.read.ptx.sreg.tid.x", 32 },
	{ "%tid.y", "llvm.nvvm.read.ptx.sreg.tid.y", 32 },
	{ "%tid.z", "llvm.nvvm.read.ptx.sreg.tid.z", 32 },
	{ "%ntid.x", "llvm.nvvm.read.ptx.sreg.ntid.x", 32 },
	{ "%ntid.y", "llvm.nvvm.read.ptx.sreg.ntid.y", 32 },
	{ "%ntid.z", "llvm.nvvm.read.ptx.sreg.ntid.z", 32 },
	{ "%ctaid.x", "llvm.nvvm.read.ptx.sreg.ctaid.x", 32 },
	{ "%ctaid.y", "llvm.nvvm.read.ptx.sreg.ctaid.y", 32 },
	{ "%ctaid.z", "llvm.nvvm.read.ptx.sreg.ctaid.z", 32 },
	{ "%nctaid.x", "llvm.nvvm.read.ptx.sreg.nctaid.x", 32 },
	{ "%nctaid.y", "llvm.nvvm.read.ptx.sreg.nctaid.y", 32 },
	{ "%nctaid.z", "llvm.nvvm.read.ptx.sreg.nctaid.z", 32 },
	{ "%laneid", "llvm.nvvm.read.ptx.sreg.laneid", 32 },
	{ "%warpid", "llvm.nvvm.read.ptx.sreg.warpid", 32 },
	{ "%nwarpid", "llvm.nvvm.read.ptx.sreg.nwarpid", 32 },
	{ "%smid", "llvm.nvvm.read.ptx.sreg.smid", 32 },
	{ "%nsmid", "llvm.nvvm.read.ptx.sreg.nsmid", 32 },
	{ "%gridid", "llvm.nvvm.read.ptx.sreg.gridid", 32 },
	{ "%lanemask_eq", "llvm.nvvm.read.ptx.sreg.lanemask.eq", 32 },
	{ "%lanemask_le", "llvm.nvvm.read.ptx.sreg.lanemask.le", 32 },
	{ "%lanemask_lt", "llvm.nvvm.read.ptx.sreg.lanemask.lt", 32 },
	{ "%lanemask_ge", "llvm.nvvm.read.ptx.sreg.lanemask.ge", 32 },
	{ "%lanemask_gt", "llvm.nvvm.read.ptx.sreg.lanemask.gt", 32 },
	{ "%clock", "llvm.nvvm.read.ptx.sreg.clock", 32 },
	{ "%clock64", "llvm.nvvm.read.ptx.sreg.clock64", 64 },
	{ "%globaltimer", "llvm.nvvm.read.ptx.sreg.clock64", 64 },
	{ "%globaltimer_lo", "llvm.nvvm.read.ptx.sreg.clock", 32 },
};

LLVMTypeRef ptx_int(const struct ptx_emitter *e, unsigned bits)
{
	return LLVMIntTypeInContext(e->context, bits);
}

LLVMTypeRef ptx_float(const struct ptx_emitter *e)
{
	return LLVMFloatTypeInContext(e->context);
}

LLVMTypeRef ptx_byte_pointer(const struct ptx_emitter *e, unsigned space)
{
	return LLVMPointerType(ptx_int(e, 8), space);
}

LLVMTypeRef ptx_type_llvm(const struct ptx_emitter *e, enum ptx_type type)
{
	if (type == PTX_f32)
		return ptx_float(e);
	if (type == PTX_f64)
		return LLVMDoubleTypeInContext(e->context);
	return ptx_int(e, ptx_type_bits(type));
}

LLVMValueRef ptx_constant(const struct ptx_emitter *e, unsigned bits, uint64_t value)
{
	return LLVMConstInt(ptx_int(e, bits), value, 0);
}

LLVMValueRef ptx_like(LLVMValueRef like, uint64_t value)
{
	return LLVMConstInt(LLVMTypeOf(like), value, 0);
}

LLVMValueRef ptx_float_like(LLVMValueRef like, double value)
{
	return LLVMConstReal(LLVMTypeOf(like), value);
}

/* The same bits as the other type of the same width. */
static LLVMValueRef ptx_as(struct ptx_emitter *e, LLVMValueRef value, LLVMTypeRef type)
{
	return LLVMTypeOf(value) == type ? value : LLVMBuildBitCast(e->b, value, type, "");
}

static unsigned bits_of(LLVMTypeRef type)
{
	if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
		return LLVMGetIntTypeWidth(type);
	return LLVMGetTypeKind(type) == LLVMDoubleTypeKind ? 64 : 32;
}

/* Truncate or extend the value to as many bits as `to` has. */
static LLVMValueRef resize(struct ptx_emitter *e, LLVMValueRef value, LLVMTypeRef to,
                           bool is_signed)
{
	unsigned from_bits = bits_of(LLVMTypeOf(value)), to_bits = bits_of(to);

	if (from_bits != to_bits) {
		value = ptx_as(e, value, ptx_int(e, from_bits));
		value = LLVMBuildIntCast2(e->b, value, ptx_int(e, to_bits), is_signed, "");
	}
	return ptx_as(e, value, to);
}

static LLVMValueRef undefined(const struct ptx_emitter *e, enum ptx_type type)
{
	return LLVMGetUndef(ptx_type_llvm(e, type));
}

static double as_double(const struct ptx_number *n)
{
	union {
		uint64_t bits;
		double value;
	} wide = { .bits = n->bits };
	union {
		uint32_t bits;
		float value;
	} narrow = { .bits = (uint32_t)n->bits };

	return n->kind == PTX_SINGLE ? (double)narrow.value : wide.value;
}

static LLVMValueRef read_number(struct ptx_emitter *e, const struct ptx_number *n,
                                enum ptx_type type)
{
	LLVMTypeRef to = ptx_type_llvm(e, type);
	bool is_wide = n->kind == PTX_DOUBLE;

	if (type == PTX_b128)
		return LLVMConstInt(to, n->bits, (int64_t)n->bits < 0);
	if (ptx_type_is_float(type) && n->kind != PTX_INTEGER && is_wide != (type == PTX_f64))
		return LLVMConstReal(to, as_double(n));
	return LLVMConstBitCast(ptx_constant(e, ptx_type_bits(type), n->bits), to);
}

static LLVMValueRef read_special(struct ptx_emitter *e, struct ptx_word name, enum ptx_type type)
{
	for (size_t i = 0; i < sizeof(sregs) / sizeof(sregs[0]); i++) {
		LLVMValueRef value;

		if (!ptx_word_is(name, sregs[i].name))
			continue;
		value = ptx_call(e, sregs[i].intrinsic, ptx_int(e, sregs[i].bits), NULL, 0);
		return resize(e, value, ptx_type_llvm(e, type), false);
	}
	if (ptx_word_is(name, "WARP_SZ"))
		return ptx_constant(e, ptx_type_bits(type), 32);
	ptx_refuse(e, "'%.*s' is not known", PTX_WORD_ARGS(name));
	return undefined(e, type);
}

struct ptx_symbol *ptx_variable_named(const struct ptx_emitter *e, struct ptx_word name)
{
	struct ptx_symbol *found = ptx_symbols_find(&e->symbols, name);

	return found && found->kind == PTX_SYMBOL_VARIABLE ? found : NULL;
}

/* The address of a variable, plus an offset, as a number. */
static LLVMValueRef read_address(struct ptx_emitter *e, const struct ptx_operand *o,
                                 enum ptx_type type)
{
	struct ptx_symbol *found = ptx_symbols_find(&e->symbols, o->name);
	LLVMValueRef address;

	if (!found || found->kind != PTX_SYMBOL_VARIABLE) {
		if (!found)
			return read_special(e, o->name, type);
		ptx_refuse(e, "the address of '%.*s' is taken, which is no variable",
		           PTX_WORD_ARGS(o->name));
		return undefined(e, type);
	}
	if (!found->value || ptx_type_is_float(type)) {
		ptx_refuse(e, "'%.*s' is a texture, a surface or in an unsupported memory",
		           PTX_WORD_ARGS(o->name));
		return undefined(e, type);
	}
	address = LLVMBuildPtrToInt(e->b, found->value, ptx_type_llvm(e, type), "");
	if (o->number.bits)
		address = LLVMBuildAdd(e->b, address, ptx_like(address, o->number.bits), "");
	return address;
}

/* The slot of a register, created on first use. NULL when the name is not a register. */
static LLVMValueRef slot_of(struct ptx_emitter *e, struct ptx_word name, enum ptx_type *type)
{
	LLVMValueRef *slot = ptx_symbols_register(&e->symbols, name, type);

	if (slot && !*slot)
		*slot = ptx_slot(e, ptx_type_llvm(e, *type), 0);
	return slot ? *slot : NULL;
}

LLVMValueRef ptx_read(struct ptx_emitter *e, const struct ptx_operand *o, enum ptx_type type)
{
	LLVMTypeRef to = ptx_type_llvm(e, type);
	enum ptx_type has = PTX_NO_TYPE;
	LLVMValueRef slot, value;

	if (o->kind == PTX_NUMBERS)
		return read_number(e, &o->number, type);
	if (o->kind != PTX_NAME) {
		ptx_refuse(e, "an operand must not be a list or an address");
		return undefined(e, type);
	}
	slot = slot_of(e, o->name, &has);
	if (!slot)
		return read_address(e, o, type);
	if ((type == PTX_pred) != (has == PTX_pred)) {
		ptx_refuse(e, "'%.*s' has type %s, expected %s", PTX_WORD_ARGS(o->name),
		           ptx_type_name(has), ptx_type_name(type));
		return undefined(e, type);
	}
	value = LLVMBuildLoad2(e->b, ptx_type_llvm(e, has), slot, "");
	return resize(e, value, to, ptx_type_is_signed(has));
}

LLVMValueRef ptx_read_at(struct ptx_emitter *e, const struct ptx_step *s, uint32_t index)
{
	return ptx_read(e, s->operands[index], s->types[0]);
}

LLVMValueRef ptx_read_predicate(struct ptx_emitter *e, const struct ptx_operand *o)
{
	LLVMValueRef value = ptx_read(e, o, PTX_pred);

	return o->is_negated ? LLVMBuildNot(e->b, value, "") : value;
}

void ptx_write_name(struct ptx_emitter *e, struct ptx_word name, LLVMValueRef value,
                    enum ptx_type type)
{
	enum ptx_type has = PTX_NO_TYPE;
	LLVMValueRef slot;

	if (ptx_word_is(name, "_"))
		return;
	slot = slot_of(e, name, &has);
	if (!slot || (type == PTX_pred) != (has == PTX_pred)) {
		ptx_refuse(e, "'%.*s' is not a register for a result of type %s",
		           PTX_WORD_ARGS(name), ptx_type_name(type));
		return;
	}
	value = resize(e, value, ptx_type_llvm(e, has), ptx_type_is_signed(type));
	LLVMBuildStore(e->b, value, slot);
}

void ptx_write(struct ptx_emitter *e, const struct ptx_operand *o, LLVMValueRef value,
               enum ptx_type type)
{
	if (o->kind == PTX_NAME)
		ptx_write_name(e, o->name, value, type);
	else
		ptx_refuse(e, "its result is not a register");
}

void ptx_write_result(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef value)
{
	ptx_write(e, s->operands[0], value, s->types[0]);
}

LLVMValueRef ptx_call(struct ptx_emitter *e, const char *name, LLVMTypeRef result,
                      LLVMValueRef *arguments, unsigned count)
{
	LLVMTypeRef types[PTX_OPERANDS_MOST], type;
	LLVMValueRef function = LLVMGetNamedFunction(e->module, name);

	for (unsigned i = 0; i < count; i++)
		types[i] = LLVMTypeOf(arguments[i]);
	type = LLVMFunctionType(result, types, count, 0);
	if (!function)
		function = LLVMAddFunction(e->module, name, type);
	if (LLVMGlobalGetValueType(function) != type) {
		ptx_refuse(e, "'%s' is declared differently", name);
		return LLVMGetTypeKind(result) == LLVMVoidTypeKind ? NULL : LLVMGetUndef(result);
	}
	return LLVMBuildCall2(e->b, type, function, arguments, count, "");
}

LLVMValueRef ptx_math(struct ptx_emitter *e, const char *name, LLVMValueRef a, LLVMValueRef b,
                      LLVMValueRef c)
{
	LLVMTypeRef type = LLVMTypeOf(a);
	LLVMValueRef arguments[3] = { a, b, c };
	char full[INTRINSIC_BYTES];
	char kind = LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? 'i' : 'f';

	snprintf(full, sizeof(full), "llvm.%s.%c%u", name, kind, bits_of(type));
	return ptx_call(e, full, type, arguments, b ? (c ? 3 : 2) : 1);
}

#define PARTS_MOST 8

/* The parts of {a, b}; their count, or 0 with a refusal when they do not fill the bits. */
static uint32_t take_parts(struct ptx_emitter *e, const struct ptx_operand *list, unsigned bits,
                           const struct ptx_operand **parts)
{
	uint32_t count = 0;

	for (uint32_t o = list->first; o != PTX_NONE && count < PARTS_MOST; count++) {
		parts[count] = ptx_operand_at(e->code, o);
		o = parts[count]->next;
	}
	if (count < 2 || bits % count || bits / count < 8 || (count & (count - 1))) {
		ptx_refuse(e, "a list in 'mov' is not supported");
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

/*
 * Convert the address of a memory to a generic one, or back: the casts show that it is an address.
 */
void ptx_emit_cvta(struct ptx_emitter *e, const struct ptx_step *s)
{
	unsigned space = ptx_llvm_space(space_of(e, s));
	bool is_back = ptx_has(e, s, ".to");
	LLVMTypeRef from = ptx_byte_pointer(e, is_back ? 0 : space);
	LLVMTypeRef to = ptx_byte_pointer(e, is_back ? space : 0);
	LLVMValueRef value = ptx_read_at(e, s, 1);

	if (ptx_type_bits(s->types[0]) != 64) {
		ptx_refuse(e, "'cvta' of this type is not supported");
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
		ptx_refuse(e, "this form of 'isspacep' is not supported");
		return;
	}
	snprintf(intrinsic, sizeof(intrinsic), "llvm.nvvm.isspacep.%s", name);
	value = ptx_read(e, s->operands[1], PTX_u64);
	value = LLVMBuildIntToPtr(e->b, value, ptx_byte_pointer(e, 0), "");
	ptx_write(e, s->operands[0], ptx_call(e, intrinsic, ptx_int(e, 1), &value, 1), PTX_pred);
}
