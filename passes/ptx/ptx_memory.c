/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_value.h"

#include "err.h"
#include "ptx_emit.h"
#include "str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lists the names of variables that are .managed. */
#define PTX_MANAGED_METADATA "warpline.managed"

#define INITIAL_BYTES_MOST ((uint64_t)1 << 30)

unsigned ptx_llvm_space(enum ptx_space space)
{
	switch (space) {
	case PTX_GLOBAL:
		return 1;
	case PTX_SHARED:
		return 3;
	case PTX_CONST:
		return 4;
	case PTX_LOCAL:
	case PTX_PARAM:
	case PTX_GENERIC:
	case PTX_REG:
		break;
	}
	return 0;
}

/* An address as a generic pointer; null for a function, which has none. */
static LLVMValueRef address_constant(struct ptx_emitter *e, const struct ptx_initial *initial)
{
	struct ptx_symbol *found = ptx_symbols_find(&e->symbols, initial->symbol);
	LLVMTypeRef pointer = ptx_byte_pointer(e, 0);
	LLVMValueRef value, added = ptx_constant(e, 64, initial->bits);

	if (!found || found->kind != PTX_SYMBOL_VARIABLE || !found->value ||
	    !LLVMIsConstant(found->value))
		return LLVMConstNull(pointer);
	value = found->value;
	if (LLVMGetPointerAddressSpace(LLVMTypeOf(value)))
		value = LLVMConstAddrSpaceCast(value, pointer);
	return initial->bits ? LLVMConstGEP2(ptx_int(e, 8), value, &added, 1) : value;
}

/* The bytes and addresses of a variable, in order. */
struct pieces {
	struct array list; /* LLVMValueRef */
	char *bytes;
	uint64_t done_bytes;
};

static bool push_piece(struct ptx_emitter *e, struct pieces *p, LLVMValueRef piece)
{
	LLVMValueRef *kept = array_push(&p->list, 1, e->err);

	if (kept)
		*kept = piece;
	return kept != NULL;
}

/* Append the plain bytes up to here. */
static bool push_bytes(struct ptx_emitter *e, struct pieces *p, uint64_t to_bytes)
{
	LLVMValueRef text = LLVMConstStringInContext(e->context, p->bytes + p->done_bytes,
	                                             (unsigned)(to_bytes - p->done_bytes), 1);

	if (to_bytes == p->done_bytes)
		return true;
	p->done_bytes = to_bytes;
	return push_piece(e, p, text);
}

/* Fill in the bytes of values; addresses become pieces of their own. */
static bool fill(struct ptx_emitter *e, struct pieces *p, const struct ptx_variable *v,
                 const struct ptx_initial *all)
{
	for (size_t i = 0; i < v->initial_count; i++)
		if (!all[i].symbol.length)
			memcpy(p->bytes + all[i].offset_bytes, &all[i].bits,
			       all[i].bytes < 8 ? all[i].bytes : 8);
	for (size_t i = 0; i < v->initial_count; i++) {
		LLVMValueRef address;

		if (!all[i].symbol.length || all[i].bytes < 4 ||
		    all[i].offset_bytes < p->done_bytes)
			continue;
		address = address_constant(e, &all[i]);
		if (all[i].bytes < 8) /* address of shared memory: its lower half identifies it */
			address = LLVMConstPtrToInt(address, ptx_int(e, 32));
		if (!push_bytes(e, p, all[i].offset_bytes) || !push_piece(e, p, address))
			return false;
		p->done_bytes += all[i].bytes;
	}
	return push_bytes(e, p, v->bytes);
}

static LLVMValueRef initial_value(struct ptx_emitter *e, const struct ptx_variable *v,
                                  const struct array *initials)
{
	struct pieces p = { 0 };
	LLVMValueRef value = NULL, *list;

	if (!v->initial_count)
		return LLVMConstNull(LLVMArrayType(ptx_int(e, 8), (unsigned)v->bytes));
	array_init(&p.list, sizeof(LLVMValueRef), PTX_INITIALS_MOST, "initial values");
	p.bytes = array_alloc((size_t)v->bytes, 1, "initial values", e->err);
	if (p.bytes &&
	    fill(e, &p, v, (const struct ptx_initial *)initials->data + v->first_initial)) {
		list = p.list.data;
		value = p.list.count == 1 ? list[0]
		                          : LLVMConstStructInContext(e->context, list,
		                                                     (unsigned)p.list.count, 1);
	}
	array_release(&p.list);
	free(p.bytes);
	if (!value)
		ptx_fail(e, ERR_NOMEM);
	return value;
}

static void note_managed(struct ptx_emitter *e, const char *name)
{
	LLVMMetadataRef text = LLVMMDStringInContext2(e->context, name, strlen(name));
	LLVMMetadataRef node = LLVMMDNodeInContext2(e->context, &text, 1);

	LLVMAddNamedMetadataOperand(e->module, PTX_MANAGED_METADATA,
	                            LLVMMetadataAsValue(e->context, node));
}

/* Strings made by the compiler: unknown to the host. */
static bool is_text(struct ptx_word name)
{
	return ptx_word_begins(name, "$str") || ptx_word_begins(name, "__unnamed_");
}

static LLVMValueRef make_global(struct ptx_emitter *e, const struct ptx_variable *v,
                                const struct array *initials, const char *name)
{
	LLVMTypeRef bytes = LLVMArrayType(ptx_int(e, 8), (unsigned)v->bytes);
	LLVMValueRef value = NULL, global;

	if (v->space == PTX_SHARED && !v->is_extern && v->bytes)
		value = LLVMGetUndef(bytes);
	else if (!v->is_extern && v->space != PTX_SHARED)
		value = initial_value(e, v, initials);
	if (e->failed)
		return NULL;
	global = LLVMAddGlobalInAddressSpace(e->module, value ? LLVMTypeOf(value) : bytes, name,
	                                     ptx_llvm_space(v->space));
	LLVMSetAlignment(global, (unsigned)v->alignment_bytes);
	if (value)
		LLVMSetInitializer(global, value);
	if (v->space == PTX_SHARED && value)
		LLVMSetLinkage(global, LLVMInternalLinkage);
	if (is_text(v->name) || v->space == PTX_CONST)
		LLVMSetGlobalConstant(global, 1);
	if (is_text(v->name))
		LLVMSetLinkage(global, LLVMPrivateLinkage);
	else if (v->space != PTX_SHARED)
		LLVMSetExternallyInitialized(global, 1);
	if (v->is_managed)
		note_managed(e, name);
	return LLVMConstBitCast(global, ptx_byte_pointer(e, ptx_llvm_space(v->space)));
}

void ptx_global_add(struct ptx_emitter *e, const struct ptx_variable *v,
                    const struct array *initials)
{
	struct ptx_symbol symbol = { .name = v->name,
		                     .kind = PTX_SYMBOL_VARIABLE,
		                     .type = v->type,
		                     .space = v->space,
		                     .bytes = v->bytes };
	char *name = str_format(e->err, "%.*s", (int)v->name.length, v->name.at);

	if (!name) {
		ptx_fail(e, ERR_NOMEM);
		return;
	}
	/* Only the names of others are known: code that uses them is refused. */
	if (!v->is_texture && v->bytes <= INITIAL_BYTES_MOST && ptx_llvm_space(v->space))
		symbol.value = make_global(e, v, initials, name);
	if (!e->failed && !ptx_symbols_add(&e->symbols, &symbol, e->err))
		ptx_fail(e, ERR_NOMEM);
	free(name);
}

#define ELEMENTS_MOST    8
#define ACCESS_BITS_MOST 512

static enum ptx_space space_of(const struct ptx_emitter *e, const struct ptx_step *s)
{
	for (uint32_t i = 0; i < s->statement->suffix_count; i++) {
		enum ptx_space space = ptx_space_of(ptx_suffix_at(e->code, s->statement, i));

		if (space != PTX_GENERIC)
			return space;
	}
	return PTX_GENERIC;
}

/* A variable's own address, in the space that the instruction names. */
static LLVMValueRef variable_address(struct ptx_emitter *e, const struct ptx_symbol *variable,
                                     uint64_t added, LLVMTypeRef pointer)
{
	LLVMValueRef value = variable->value, index = ptx_constant(e, 64, added);
	unsigned space = LLVMGetPointerAddressSpace(pointer);

	if (added)
		value = LLVMBuildGEP2(e->b, ptx_int(e, 8), value, &index, 1, "");
	if (LLVMGetPointerAddressSpace(LLVMTypeOf(value)) != space)
		value = LLVMBuildAddrSpaceCast(e->b, value, ptx_byte_pointer(e, space), "");
	return LLVMBuildBitCast(e->b, value, pointer, "");
}

/*
 * The address as a pointer to `type` in the memory that the instruction names. Undefined, with a
 * refusal, if it is not an address.
 */
static LLVMValueRef ptx_address(struct ptx_emitter *e, const struct ptx_step *s,
                                const struct ptx_operand *o, LLVMTypeRef type)
{
	enum ptx_space space = space_of(e, s);
	LLVMTypeRef pointer = LLVMPointerType(type, ptx_llvm_space(space));
	struct ptx_operand base = { .kind = PTX_NAME, .name = o->name };
	struct ptx_symbol *variable;
	enum ptx_type register_type = PTX_NO_TYPE;
	LLVMValueRef value;

	if (o->kind != PTX_ADDRESS || !o->name.length) {
		ptx_refuse(e, "an address that is a number is not supported");
		return LLVMGetUndef(pointer);
	}
	variable = ptx_variable_named(e, o->name);
	if (variable && variable->value)
		return variable_address(e, variable, o->number.bits, pointer);
	if (!ptx_symbols_register(&e->symbols, o->name, &register_type)) {
		ptx_refuse(e, "'%.*s' is not a supported address", PTX_WORD_ARGS(o->name));
		return LLVMGetUndef(pointer);
	}
	value = ptx_read(e, &base, ptx_type_bits(register_type) == 32 ? PTX_u32 : PTX_u64);
	if (o->number.bits)
		value = LLVMBuildAdd(e->b, value, ptx_like(value, o->number.bits), "");
	return LLVMBuildIntToPtr(e->b, value, pointer, "");
}

/* What the instruction moves: its operands, and their type together. */
struct moved {
	const struct ptx_operand *elements[ELEMENTS_MOST];
	uint32_t count;
	enum ptx_type type;
	LLVMTypeRef element, whole;
};

static bool take_elements(struct ptx_emitter *e, const struct ptx_step *s,
                          const struct ptx_operand *o, struct moved *m)
{
	uint32_t wanted = ptx_has(e, s, ".v2") ? 2 : ptx_has(e, s, ".v4") ? 4 : 1;

	if (ptx_has(e, s, ".v8"))
		wanted = 8;
	*m = (struct moved){ .type = s->types[0] };
	if (o->kind != PTX_LIST)
		m->elements[m->count++] = o;
	for (uint32_t i = o->first; o->kind == PTX_LIST && i != PTX_NONE; m->count++) {
		if (m->count == ELEMENTS_MOST)
			break;
		m->elements[m->count] = ptx_operand_at(e->code, i);
		i = m->elements[m->count]->next;
	}
	if (m->count != wanted || s->type_count != 1 || m->type == PTX_b128 ||
	    m->type == PTX_pred || ptx_type_bits(m->type) * wanted > ACCESS_BITS_MOST) {
		ptx_refuse(e, "this form of '%.*s' is not supported",
		           PTX_WORD_ARGS(s->statement->name));
		return false;
	}
	m->element = ptx_type_llvm(e, m->type);
	m->whole = wanted == 1 ? m->element : LLVMVectorType(m->element, wanted);
	return true;
}

static bool is_volatile(const struct ptx_emitter *e, const struct ptx_step *s)
{
	return ptx_has(e, s, ".volatile .relaxed .acquire .release .mmio");
}

/* Ordering with other accesses, as a fence next to the access. */
static void emit_order(struct ptx_emitter *e, const struct ptx_step *s)
{
	if (ptx_has(e, s, ".acquire .release"))
		ptx_emit_fence(e, s);
}

static void finish_access(const struct moved *m, LLVMValueRef access, bool is_made_volatile)
{
	LLVMSetAlignment(access, m->count * ptx_type_bits(m->type) / 8);
	LLVMSetVolatile(access, is_made_volatile);
}

void ptx_emit_ld(struct ptx_emitter *e, const struct ptx_step *s)
{
	struct moved m;
	LLVMValueRef value;

	if (!take_elements(e, s, s->operands[0], &m))
		return;
	value = LLVMBuildLoad2(e->b, m.whole, ptx_address(e, s, s->operands[1], m.whole), "");
	finish_access(&m, value, is_volatile(e, s));
	emit_order(e, s);
	for (uint32_t i = 0; i < m.count; i++) {
		LLVMValueRef element = value;

		if (m.count > 1)
			element = LLVMBuildExtractElement(e->b, value, ptx_constant(e, 32, i), "");
		ptx_write(e, m.elements[i], element, m.type);
	}
}

void ptx_emit_st(struct ptx_emitter *e, const struct ptx_step *s)
{
	LLVMValueRef value, store;
	struct moved m;

	if (!take_elements(e, s, s->operands[1], &m))
		return;
	value = m.count > 1 ? LLVMGetUndef(m.whole) : ptx_read(e, m.elements[0], m.type);
	for (uint32_t i = 0; m.count > 1 && i < m.count; i++)
		value = LLVMBuildInsertElement(e->b, value, ptx_read(e, m.elements[i], m.type),
		                               ptx_constant(e, 32, i), "");
	emit_order(e, s);
	store = LLVMBuildStore(e->b, value, ptx_address(e, s, s->operands[0], m.whole));
	finish_access(&m, store, is_volatile(e, s));
}

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
	ptx_refuse(e, "this form of '%.*s' is not supported", PTX_WORD_ARGS(s->statement->name));
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

/* inc and dec wrap at a limit: LLVM has them only for NVPTX. */
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

/* Each is sequentially consistent, at least as strong as requested. */
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
