/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_function.h"
#include "ptx_value.h"

#include "err.h"

#include <stdlib.h>
#include <string.h>

static const struct ptx_extern {
	const char *name, *types;
} externs[] = {
#define PTX_EXTERN(name, types) { name, types },
#include "ptx_calls.def"
#undef PTX_EXTERN
};

/* A call's parts: call (result), name, (arguments), prototype; */
struct call {
	const struct ptx_operand *results, *name, *arguments;
};

static bool take_parts(const struct ptx_step *s, struct call *c)
{
	uint32_t i = 0;

	*c = (struct call){ 0 };
	if (s->operands[0]->kind == PTX_LIST)
		c->results = s->operands[i++];
	if (i < s->count && s->operands[i]->kind == PTX_NAME)
		c->name = s->operands[i++];
	if (i < s->count && s->operands[i]->kind == PTX_LIST)
		c->arguments = s->operands[i++];
	return c->name && i == s->count;
}

static uint32_t count_list(const struct ptx_emitter *e, const struct ptx_operand *list)
{
	uint32_t count = 0;

	for (uint32_t o = list ? list->first : PTX_NONE; o != PTX_NONE;
	     o = ptx_operand_at(e->code, o)->next)
		count++;
	return count;
}

/* The address of what is passed for a parameter: of a variable, or of a copy of a register. */
static LLVMValueRef pass(struct ptx_emitter *e, const struct ptx_operand *o,
                         const struct ptx_variable *v, bool is_result)
{
	struct ptx_symbol *variable = o->kind == PTX_NAME ? ptx_variable_named(e, o->name) : NULL;
	LLVMTypeRef type = ptx_type_llvm(e, v->type);
	LLVMValueRef slot;

	if (variable && variable->space == PTX_PARAM && variable->bytes >= v->bytes)
		return variable->value;
	if (variable || v->is_array) {
		ptx_refuse(e, "an argument of a call is not read");
		return LLVMGetUndef(ptx_byte_pointer(e, 0));
	}
	slot = ptx_slot(e, type, 0);
	if (!is_result)
		LLVMBuildStore(e->b, ptx_read(e, o, v->type), slot);
	return LLVMBuildBitCast(e->b, slot, ptx_byte_pointer(e, 0), "");
}

/* Results that the call names as registers, from where they were left. */
static void take_results(struct ptx_emitter *e, const struct ptx_function *f,
                         const struct ptx_operand *results, LLVMValueRef *places)
{
	uint32_t o = results ? results->first : PTX_NONE;

	for (uint32_t i = 0; o != PTX_NONE; i++, o = ptx_operand_at(e->code, o)->next) {
		const struct ptx_variable *v = ptx_function_parameter(e, f, i);
		const struct ptx_operand *result = ptx_operand_at(e->code, o);
		LLVMTypeRef type = ptx_type_llvm(e, v->type);
		LLVMValueRef value;

		if (ptx_variable_named(e, result->name))
			continue;
		value = LLVMBuildBitCast(e->b, places[i], LLVMPointerType(type, 0), "");
		ptx_write(e, result, LLVMBuildLoad2(e->b, type, value, ""), v->type);
	}
}

static void call_function(struct ptx_emitter *e, const struct ptx_function *f, const struct call *c)
{
	LLVMValueRef *places =
		array_alloc(f->head.parameter_count, sizeof(*places), "arguments", e->err);
	uint32_t o = c->results ? c->results->first : PTX_NONE;

	if (!places) {
		ptx_fail(e, ERR_NOMEM);
		return;
	}
	for (uint32_t i = 0; i < f->head.parameter_count; i++) {
		if (i == f->head.result_count)
			o = c->arguments ? c->arguments->first : PTX_NONE;
		places[i] = pass(e, ptx_operand_at(e->code, o), ptx_function_parameter(e, f, i),
		                 i < f->head.result_count);
		o = ptx_operand_at(e->code, o)->next;
	}
	LLVMBuildCall2(e->b, LLVMGlobalGetValueType(f->value), f->value, places,
	               f->head.parameter_count, "");
	take_results(e, f, c->results, places);
	free(places);
}

static LLVMTypeRef extern_type(const struct ptx_emitter *e, char kind)
{
	if (kind == 'v')
		return LLVMVoidTypeInContext(e->context);
	if (kind == 'p')
		return ptx_byte_pointer(e, 0);
	return ptx_int(e, kind == 'i' ? 32 : 64);
}

/* An argument of one of CUDA's own functions, by value. */
static LLVMValueRef extern_argument(struct ptx_emitter *e, const struct ptx_operand *o,
                                    const struct ptx_variable *v, char kind)
{
	LLVMTypeRef type = extern_type(e, kind), word = kind == 'i' ? type : ptx_int(e, 64);
	LLVMValueRef value = pass(e, o, v, false);

	value = LLVMBuildBitCast(e->b, value, LLVMPointerType(word, 0), "");
	value = LLVMBuildLoad2(e->b, word, value, "");
	return kind == 'p' ? LLVMBuildIntToPtr(e->b, value, type, "") : value;
}

static void call_extern(struct ptx_emitter *e, const struct ptx_function *f, const struct call *c,
                        const struct ptx_extern *x)
{
	LLVMValueRef arguments[PTX_OPERANDS_MOST], value, place;
	uint32_t o = c->arguments ? c->arguments->first : PTX_NONE, i = 0;
	LLVMTypeRef result = extern_type(e, x->types[0]);

	if (strlen(x->types) - 1 != f->head.parameter_count - f->head.result_count) {
		ptx_refuse(e, "'%s' is declared otherwise", x->name);
		return;
	}
	for (; x->types[i + 1]; i++, o = ptx_operand_at(e->code, o)->next)
		arguments[i] = extern_argument(
			e, ptx_operand_at(e->code, o),
			ptx_function_parameter(e, f, f->head.result_count + i), x->types[i + 1]);
	/* It is declared in CUDA's form, not in that of the text's own functions. */
	if (LLVMGetNamedFunction(e->module, x->name) == f->value)
		LLVMSetValueName2(f->value, "", 0);
	value = ptx_call(e, x->name, result, arguments, i);
	if (!c->results || x->types[0] == 'v')
		return;
	place = pass(e, ptx_operand_at(e->code, c->results->first), ptx_function_parameter(e, f, 0),
	             true);
	if (x->types[0] == 'p')
		value = LLVMBuildPtrToInt(e->b, value, ptx_int(e, 64), "");
	LLVMBuildStore(e->b, value,
	               LLVMBuildBitCast(e->b, place, LLVMPointerType(LLVMTypeOf(value), 0), ""));
	take_results(e, f, c->results, &place);
}

static const struct ptx_extern *find_extern(const struct ptx_function *f)
{
	for (size_t i = 0; i < sizeof(externs) / sizeof(externs[0]); i++)
		if (!f->head.has_body && ptx_word_is(f->head.name, externs[i].name))
			return &externs[i];
	return NULL;
}

void ptx_emit_call(struct ptx_emitter *e, const struct ptx_step *s)
{
	struct call c;
	struct ptx_symbol *symbol = NULL;
	const struct ptx_function *f;
	const struct ptx_extern *known;

	if (take_parts(s, &c))
		symbol = ptx_symbols_find(&e->symbols, c.name->name);
	if (!symbol || symbol->kind != PTX_SYMBOL_FUNCTION) {
		ptx_refuse(e, "calls of functions by their address are not read");
		return;
	}
	f = (const struct ptx_function *)e->functions.data + symbol->function;
	if (f->head.is_entry || count_list(e, c.results) != f->head.result_count ||
	    count_list(e, c.arguments) != f->head.parameter_count - f->head.result_count) {
		ptx_refuse(e, "the call of '%.*s' has other arguments than the function",
		           PTX_WORD_ARGS(f->head.name));
		return;
	}
	known = find_extern(f);
	if (known)
		call_extern(e, f, &c, known);
	else
		call_function(e, f, &c);
}
