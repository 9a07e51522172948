/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_global.h"

#include "err.h"
#include "ptx_value.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

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

/* An address as a generic pointer; of functions there is none: a null pointer. */
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

/* The bytes and addresses of a variable, one after the other. */
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

/* The plain bytes up to here. */
static bool push_bytes(struct ptx_emitter *e, struct pieces *p, uint64_t to_bytes)
{
	LLVMValueRef text = LLVMConstStringInContext(e->context, p->bytes + p->done_bytes,
	                                             (unsigned)(to_bytes - p->done_bytes), 1);

	if (to_bytes == p->done_bytes)
		return true;
	p->done_bytes = to_bytes;
	return push_piece(e, p, text);
}

/* The bytes of the values without addresses; these, in their places, as pieces of their own. */
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
		if (all[i].bytes < 8) /* of shared memory: known by its lower half */
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

/* Texts that the compiler itself has made: the host does not know them. */
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
	/* Others are known by name only: what uses them is refused. */
	if (!v->is_texture && v->bytes <= INITIAL_BYTES_MOST && ptx_llvm_space(v->space))
		symbol.value = make_global(e, v, initials, name);
	if (!e->failed && !ptx_symbols_add(&e->symbols, &symbol, e->err))
		ptx_fail(e, ERR_NOMEM);
	free(name);
}
