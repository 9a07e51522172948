/* SPDX-License-Identifier: Apache-2.0 */
#include "err.h"
#include "ptx_emit.h"
#include "ptx_value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* CUDA's own functions and their types: p a pointer, i 32 bits, l 64 bits, v void. */
static const struct ptx_extern {
	const char *name, *types;
} externs[] = {
	{ "vprintf", "ipp" },
	{ "__assertfail", "vppipl" },
	{ "malloc", "pl" },
	{ "free", "vp" },
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

/* The address passed for a parameter: of a variable, or of a copy of a register. */
static LLVMValueRef pass(struct ptx_emitter *e, const struct ptx_operand *o,
                         const struct ptx_variable *v, bool is_result)
{
	struct ptx_symbol *variable = o->kind == PTX_NAME ? ptx_variable_named(e, o->name) : NULL;
	LLVMTypeRef type = ptx_type_llvm(e, v->type);
	LLVMValueRef slot;

	if (variable && variable->space == PTX_PARAM && variable->bytes >= v->bytes)
		return variable->value;
	if (variable || v->is_array) {
		ptx_refuse(e, "an argument of a call is not supported");
		return LLVMGetUndef(ptx_byte_pointer(e, 0));
	}
	slot = ptx_slot(e, type, 0);
	if (!is_result)
		LLVMBuildStore(e->b, ptx_read(e, o, v->type), slot);
	return LLVMBuildBitCast(e->b, slot, ptx_byte_pointer(e, 0), "");
}

/* Copy results that the call names as registers from where the function stored them. */
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
		ptx_refuse(e, "'%s' is declared differently", x->name);
		return;
	}
	for (; x->types[i + 1]; i++, o = ptx_operand_at(e->code, o)->next)
		arguments[i] = extern_argument(
			e, ptx_operand_at(e->code, o),
			ptx_function_parameter(e, f, f->head.result_count + i), x->types[i + 1]);
	/* It is declared in CUDA's form, not like the module's own functions. */
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
		ptx_refuse(e, "calls of functions by their address are not supported");
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

void ptx_emit_bra(struct ptx_emitter *e, const struct ptx_step *s)
{
	struct ptx_operand guard = { .kind = PTX_NAME,
		                     .name = s->statement->guard,
		                     .is_negated = s->statement->is_guard_negated };
	LLVMBasicBlockRef target = ptx_label(e, s, s->operands[0]->name), next;

	if (!target)
		return;
	if (!guard.name.length) {
		LLVMBuildBr(e->b, target);
		e->is_reached = false;
		return;
	}
	next = ptx_node(e);
	LLVMBuildCondBr(e->b, ptx_read_predicate(e, &guard), target, next);
	ptx_continue_at(e, next);
}

/* brx.idx index, list: an index past the end is undefined, and jumps to the last target. */
void ptx_emit_brx(struct ptx_emitter *e, const struct ptx_step *s)
{
	const struct ptx_statement *list = ptx_targets(e, s, s->operands[1]->name);
	LLVMBasicBlockRef target = NULL;
	LLVMValueRef index, jump;
	uint64_t i = 0;

	if (!list || list->is_odd || !list->operand_count) {
		ptx_refuse(e, "there is no list of targets '%.*s'",
		           PTX_WORD_ARGS(s->operands[1]->name));
		return;
	}
	index = ptx_read(e, s->operands[0], PTX_u32);
	for (uint32_t o = list->first_operand; o != PTX_NONE; o = ptx_operand_at(e->code, o)->next)
		target = ptx_label(e, s, ptx_operand_at(e->code, o)->name);
	if (!target)
		return;
	jump = LLVMBuildSwitch(e->b, index, target, list->operand_count);
	for (uint32_t o = list->first_operand; o != PTX_NONE;
	     o = ptx_operand_at(e->code, o)->next, i++) {
		target = ptx_label(e, s, ptx_operand_at(e->code, o)->name);
		if (target)
			LLVMAddCase(jump, ptx_constant(e, 32, i), target);
	}
	e->is_reached = false;
}

void ptx_emit_exit(struct ptx_emitter *e, const struct ptx_step *s)
{
	if (!e->function->head.is_entry) {
		ptx_refuse(e, "'exit' in a device function is not supported");
		return;
	}
	LLVMBuildRetVoid(e->b);
	e->is_reached = false;
}

void ptx_emit_trap(struct ptx_emitter *e, const struct ptx_step *s)
{
	ptx_call(e, "llvm.trap", LLVMVoidTypeInContext(e->context), NULL, 0);
	LLVMBuildUnreachable(e->b);
	e->is_reached = false;
}

/* Hints, and what only a debugger or profiler sees. */
void ptx_emit_nothing(struct ptx_emitter *e, const struct ptx_step *s)
{
}

#define NAME_BYTES 64

static LLVMValueRef all_lanes(struct ptx_emitter *e)
{
	return LLVMConstAllOnes(ptx_int(e, 32));
}

/* The lane mask in operand i, if there is one; without .sync, all lanes. */
static LLVMValueRef read_mask(struct ptx_emitter *e, const struct ptx_step *s, uint32_t i)
{
	return i < s->count ? ptx_read(e, s->operands[i], PTX_b32) : all_lanes(e);
}

static void refuse_form(struct ptx_emitter *e, const struct ptx_step *s)
{
	ptx_refuse(e, "this form of '%.*s' is not supported", PTX_WORD_ARGS(s->statement->name));
}

/* Which of the listed suffixes the instruction has; NULL: none. */
static const char *chosen(const struct ptx_emitter *e, const struct ptx_step *s,
                          const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (ptx_has(e, s, words[i]))
			return words[i];
	return NULL;
}

/* Write a result that is a pair: a value, and a predicate if the instruction names one. */
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
	LLVMValueRef arguments[2] = { read_mask(e, s, 2), ptx_read_at(e, s, 1) };
	char name[NAME_BYTES];

	snprintf(name, sizeof(name), "llvm.nvvm.match.%s.sync.i%u%s", is_all ? "all" : "any", bits,
	         is_all ? "p" : "");
	if (is_all)
		write_pair(e, s, ptx_call(e, name, pair_type(e, 32), arguments, 2));
	else
		ptx_write(e, s->operands[0], ptx_call(e, name, ptx_int(e, 32), arguments, 2),
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

void ptx_emit_activemask(struct ptx_emitter *e, const struct ptx_step *s)
{
	ptx_write(e, s->operands[0], ptx_call(e, "llvm.nvvm.activemask", ptx_int(e, 32), NULL, 0),
	          PTX_b32);
}

static bool is_number(const struct ptx_operand *o, uint64_t number)
{
	return o->kind == PTX_NUMBERS && o->number.bits == number;
}

/* bar.red: operand 1 is the barrier, the last one the value to reduce. */
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

/* membar, fence, and the ordering of a load or store. */
void ptx_emit_fence(struct ptx_emitter *e, const struct ptx_step *s)
{
	const char *name = "llvm.nvvm.membar.gl";

	if (ptx_has(e, s, ".cta"))
		name = "llvm.nvvm.membar.cta";
	else if (ptx_has(e, s, ".sys"))
		name = "llvm.nvvm.membar.sys";
	ptx_call(e, name, LLVMVoidTypeInContext(e->context), NULL, 0);
}
