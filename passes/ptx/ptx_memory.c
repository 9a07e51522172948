/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_memory.h"

#include "ptx_function.h"
#include "ptx_global.h"
#include "ptx_value.h"

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

/* A variable's own address: moved to the space that the instruction has for it. */
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

LLVMValueRef ptx_address(struct ptx_emitter *e, const struct ptx_step *s,
                         const struct ptx_operand *o, LLVMTypeRef type)
{
	enum ptx_space space = space_of(e, s);
	LLVMTypeRef pointer = LLVMPointerType(type, ptx_llvm_space(space));
	struct ptx_operand base = { .kind = PTX_NAME, .name = o->name };
	struct ptx_symbol *variable;
	enum ptx_type register_type = PTX_NO_TYPE;
	LLVMValueRef value;

	if (o->kind != PTX_ADDRESS || !o->name.length) {
		ptx_refuse(e, "an address that is a number is not read");
		return LLVMGetUndef(pointer);
	}
	variable = ptx_variable_named(e, o->name);
	if (variable && variable->value)
		return variable_address(e, variable, o->number.bits, pointer);
	if (!ptx_symbols_register(&e->symbols, o->name, &register_type)) {
		ptx_refuse(e, "'%.*s' is no address that is read", PTX_WORD_ARGS(o->name));
		return LLVMGetUndef(pointer);
	}
	value = ptx_read(e, &base, ptx_type_bits(register_type) == 32 ? PTX_u32 : PTX_u64);
	if (o->number.bits)
		value = LLVMBuildAdd(e->b, value, ptx_like(value, o->number.bits), "");
	return LLVMBuildIntToPtr(e->b, value, pointer, "");
}

/* What the instruction moves: its operands one by one, and their type together. */
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
		ptx_refuse(e, "this form of '%.*s' is not read", PTX_WORD_ARGS(s->statement->name));
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

/* An order with other accesses, as a fence beside the access. */
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
