/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_function.h"

#include "err.h"
#include "ptx_global.h"
#include "ptx_value.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

void ptx_function_release(struct ptx_function *f)
{
	free(f->refusal);
	f->refusal = NULL;
}

const struct ptx_variable *ptx_function_parameter(const struct ptx_emitter *e,
                                                  const struct ptx_function *f, uint32_t i)
{
	return ptx_items_parameter(&e->items, &f->head, i);
}

static LLVMTypeRef parameter_type(const struct ptx_emitter *e, const struct ptx_function *f,
                                  const struct ptx_variable *v)
{
	if (!f->head.is_entry)
		return ptx_byte_pointer(e, 0);
	if (v->is_array)
		return LLVMPointerType(LLVMArrayType(ptx_int(e, 8), (unsigned)v->bytes), 0);
	return ptx_type_llvm(e, v->type);
}

void ptx_function_describe_parameter(struct ptx_emitter *e, const struct ptx_function *f,
                                     uint32_t i)
{
	static const char byval[] = "byval", align[] = "align";
	const struct ptx_variable *v = ptx_function_parameter(e, f, i);
	LLVMTypeRef array = LLVMArrayType(ptx_int(e, 8), (unsigned)v->bytes);

	if (!f->head.is_entry || !v->is_array)
		return;
	LLVMAddAttributeAtIndex(
		f->value, i + 1,
		LLVMCreateTypeAttribute(e->context,
	                                LLVMGetEnumAttributeKindForName(byval, sizeof(byval) - 1),
	                                array));
	LLVMAddAttributeAtIndex(
		f->value, i + 1,
		LLVMCreateEnumAttribute(e->context,
	                                LLVMGetEnumAttributeKindForName(align, sizeof(align) - 1),
	                                v->alignment_bytes));
}

static int declare_function(struct ptx_emitter *e, struct ptx_function *f)
{
	static const char always[] = "alwaysinline";
	LLVMTypeRef *types =
		array_alloc(f->head.parameter_count, sizeof(*types), "parameters", e->err);
	char *name = str_format(e->err, "%.*s", (int)f->head.name.length, f->head.name.at);

	if (types && name) {
		for (uint32_t i = 0; i < f->head.parameter_count; i++)
			types[i] = parameter_type(e, f, ptx_function_parameter(e, f, i));
		f->value = LLVMAddFunction(e->module, name,
		                           LLVMFunctionType(LLVMVoidTypeInContext(e->context),
		                                            types, f->head.parameter_count, 0));
		if (!f->head.is_entry)
			LLVMAddAttributeAtIndex(
				f->value, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
				LLVMCreateEnumAttribute(
					e->context,
					LLVMGetEnumAttributeKindForName(always, sizeof(always) - 1),
					0));
	}
	free(types);
	free(name);
	return f->value ? 0 : ERR_NOMEM;
}

/* A parameter in memory, or in a register, as a symbol. */
static void enter_parameter(struct ptx_emitter *e, const struct ptx_function *f, uint32_t i)
{
	const struct ptx_variable *v = ptx_function_parameter(e, f, i);
	LLVMValueRef parameter = LLVMGetParam(f->value, i), slot;
	LLVMTypeRef bytes = ptx_byte_pointer(e, 0), type = ptx_type_llvm(e, v->type);
	struct ptx_symbol symbol = { .name = v->name,
		                     .kind = PTX_SYMBOL_VARIABLE,
		                     .type = v->type,
		                     .space = PTX_PARAM,
		                     .bytes = v->bytes };

	if (f->head.is_entry && !v->is_array) {
		slot = ptx_slot(e, LLVMTypeOf(parameter), 0);
		LLVMBuildStore(e->b, parameter, slot);
		symbol.value = LLVMBuildBitCast(e->b, slot, bytes, "");
	} else if (v->space == PTX_REG) {
		symbol.kind = PTX_SYMBOL_REGISTER;
		symbol.value = ptx_slot(e, type, 0);
		slot = LLVMBuildBitCast(e->b, parameter, LLVMPointerType(type, 0), "");
		if (i >= f->head.result_count)
			LLVMBuildStore(e->b, LLVMBuildLoad2(e->b, type, slot, ""), symbol.value);
	} else {
		symbol.value = LLVMBuildBitCast(e->b, parameter, bytes, "");
	}
	if (!ptx_symbols_add(&e->symbols, &symbol, e->err))
		ptx_fail(e, ERR_NOMEM);
}

/* Results in registers, to where the caller wants them. */
static void leave_results(struct ptx_emitter *e)
{
	const struct ptx_function *f = e->function;

	for (uint32_t i = 0; i < f->head.result_count; i++) {
		const struct ptx_variable *v = ptx_function_parameter(e, f, i);
		LLVMTypeRef type = ptx_type_llvm(e, v->type);
		struct ptx_operand name = { .kind = PTX_NAME, .name = v->name };

		if (v->space == PTX_REG)
			LLVMBuildStore(e->b, ptx_read(e, &name, v->type),
			               LLVMBuildBitCast(e->b, LLVMGetParam(f->value, i),
			                                LLVMPointerType(type, 0), ""));
	}
}

void ptx_emit_ret(struct ptx_emitter *e, const struct ptx_step *s)
{
	leave_results(e);
	LLVMBuildRetVoid(e->b);
	e->is_reached = false;
}

void ptx_function_declare(struct ptx_emitter *e, const struct ptx_variable *v)
{
	struct ptx_symbol symbol = { .name = v->name,
		                     .kind = PTX_SYMBOL_VARIABLE,
		                     .type = v->type,
		                     .space = v->space,
		                     .bytes = v->bytes };
	LLVMTypeRef array = LLVMArrayType(ptx_int(e, 8), (unsigned)v->bytes);

	if (v->space == PTX_LOCAL || v->space == PTX_PARAM) {
		if (v->bytes > UINT32_MAX) {
			ptx_refuse(e, "'%.*s' is too large", PTX_WORD_ARGS(v->name));
			return;
		}
		/* Of a scalar it has the type, so that it becomes a value. */
		if (!v->is_array && v->type != PTX_NO_TYPE)
			array = ptx_type_llvm(e, v->type);
		symbol.value = LLVMBuildBitCast(e->b, ptx_slot(e, array, v->alignment_bytes),
		                                ptx_byte_pointer(e, 0), "");
		if (!ptx_symbols_add(&e->symbols, &symbol, e->err))
			ptx_fail(e, ERR_NOMEM);
		return;
	}
	ptx_global_add(e, v, &e->code->initials);
}

/* The nodes before the body: slots, then parameters. */
static void emit_function(struct ptx_emitter *e, struct ptx_function *f)
{
	size_t known = e->symbols.list.count;
	LLVMBasicBlockRef entry, first;

	e->function = f;
	e->body = f->value;
	e->carry = NULL;
	e->refusal[0] = 0;
	e->line = f->head.line;
	ptx_debug_begin(&e->debug, f->value, f->head.name, f->head.line, e->code);
	entry = LLVMAppendBasicBlockInContext(e->context, f->value, "");
	first = LLVMAppendBasicBlockInContext(e->context, f->value, "");
	LLVMPositionBuilderAtEnd(e->b, entry);
	LLVMSetCurrentDebugLocation2(e->b, NULL);
	LLVMBuildBr(e->b, first);
	ptx_continue_at(e, first);
	for (uint32_t i = 0; i < f->head.parameter_count; i++)
		enter_parameter(e, f, i);
	ptx_emit_body(e);
	ptx_symbols_cut(&e->symbols, known);
	if (e->refusal[0] && !e->failed) {
		f->refusal = str_copy(e->refusal, e->err);
		if (!f->refusal)
			ptx_fail(e, ERR_NOMEM);
	}
}

static int read_body(struct ptx_emitter *e, struct ptx_scan *s, struct ptx_function *f)
{
	struct ptx_statements code;
	int ret;

	ptx_statements_init(&code);
	ret = ptx_statements_read(&code, s);
	if (!ret) {
		e->code = &code;
		emit_function(e, f);
		ret = e->failed;
	}
	e->code = NULL;
	ptx_statements_release(&code);
	return ret;
}

/* The function of that name that was declared before, or a new one. NULL: no memory. */
static struct ptx_function *enter_function(struct ptx_emitter *e, const struct ptx_function *f)
{
	struct ptx_symbol *known = ptx_symbols_find(&e->symbols, f->head.name);
	struct ptx_symbol symbol = { .name = f->head.name,
		                     .kind = PTX_SYMBOL_FUNCTION,
		                     .function = (uint32_t)e->functions.count };
	struct ptx_function *kept;

	if (known && known->kind == PTX_SYMBOL_FUNCTION) {
		kept = (struct ptx_function *)e->functions.data + known->function;
		return kept;
	}
	kept = array_push(&e->functions, 1, e->err);
	if (!kept || !ptx_symbols_add(&e->symbols, &symbol, e->err))
		return NULL;
	*kept = *f;
	kept->head.has_body = false; /* until it has been read */
	return declare_function(e, kept) ? NULL : kept;
}

static bool has_same_parameters(const struct ptx_emitter *e, const struct ptx_function *a,
                                const struct ptx_function *b)
{
	if (a->head.is_entry != b->head.is_entry ||
	    a->head.parameter_count != b->head.parameter_count ||
	    a->head.result_count != b->head.result_count)
		return false;
	for (uint32_t i = 0; i < a->head.parameter_count; i++) {
		const struct ptx_variable *one = ptx_function_parameter(e, a, i);
		const struct ptx_variable *other = ptx_function_parameter(e, b, i);

		if (one->is_array != other->is_array || one->bytes != other->bytes ||
		    one->type != other->type)
			return false;
	}
	return true;
}

/* The body's parameter names count, not those of a declaration before it. */
static int check_again(struct ptx_emitter *e, struct ptx_function *known,
                       const struct ptx_function *f)
{
	if (!has_same_parameters(e, known, f) || (known->head.has_body && f->head.has_body))
		return err_set(e->err, ERR_FORMAT,
		               "%s:%zu: '%.*s' is declared otherwise in line %zu", e->name,
		               f->head.line, PTX_WORD_ARGS(f->head.name), known->head.line);
	if (f->head.has_body) {
		LLVMValueRef value = known->value;

		*known = *f;
		known->value = value;
	}
	return 0;
}

int ptx_function_read(struct ptx_emitter *e, struct ptx_scan *s, const struct ptx_head *head)
{
	const struct ptx_function f = { .head = *head };
	struct ptx_function *kept = enter_function(e, &f);
	int ret;

	if (!kept)
		return ERR_NOMEM;
	ret = check_again(e, kept, &f);
	return ret || !head->has_body ? ret : read_body(e, s, kept);
}
