/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_emit.h"

#include "err.h"
#include "ptx_value.h"
#include "str.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MOST 72

struct ptx_opcode {
	const char *name;
	void (*emit)(struct ptx_emitter *e, const struct ptx_step *s);
	uint32_t fewest, most;
	const char *suffixes;
};

static const struct ptx_opcode opcodes[] = {
#define PTX_OPCODE(name, handler, fewest, most, suffixes)                                          \
	{ name, ptx_emit_##handler, fewest, most, suffixes },
#include "ptx_opcodes.def"
};

void ptx_fail(struct ptx_emitter *e, int code)
{
	if (!e->failed)
		e->failed = code;
}

void ptx_refuse(struct ptx_emitter *e, const char *format, ...)
{
	va_list list;
	int length;

	if (e->refusal[0])
		return;
	length = snprintf(e->refusal, sizeof(e->refusal), "%.100s:%zu: ", e->name, e->line);
	va_start(list, format);
	vsnprintf(e->refusal + length, sizeof(e->refusal) - (size_t)length, format, list);
	va_end(list);
}

bool ptx_has(const struct ptx_emitter *e, const struct ptx_step *s, const char *suffixes)
{
	for (uint32_t i = 0; i < s->statement->suffix_count; i++)
		if (ptx_word_is_in(ptx_suffix_at(e->code, s->statement, i), suffixes))
			return true;
	return false;
}

LLVMValueRef ptx_slot(struct ptx_emitter *e, LLVMTypeRef type, uint64_t alignment_bytes)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(e->context);
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(e->body);
	LLVMValueRef slot;

	LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(entry));
	slot = LLVMBuildAlloca(b, type, "");
	if (alignment_bytes)
		LLVMSetAlignment(slot, (unsigned)alignment_bytes);
	LLVMDisposeBuilder(b);
	return slot;
}

LLVMBasicBlockRef ptx_node(struct ptx_emitter *e)
{
	LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b), next = LLVMGetNextBasicBlock(here);

	if (next)
		return LLVMInsertBasicBlockInContext(e->context, next, "");
	return LLVMAppendBasicBlockInContext(e->context, e->body, "");
}

void ptx_continue_at(struct ptx_emitter *e, LLVMBasicBlockRef node)
{
	LLVMPositionBuilderAtEnd(e->b, node);
	e->is_reached = true;
}

static const struct ptx_opcode *find_opcode(struct ptx_word name)
{
	for (size_t i = 0; i < sizeof(opcodes) / sizeof(opcodes[0]); i++)
		if (ptx_word_is(name, opcodes[i].name))
			return &opcodes[i];
	return NULL;
}

/* Take the types from the suffixes; a suffix that the opcode does not have is refused. */
static bool take_suffixes(struct ptx_emitter *e, struct ptx_step *s,
                          const struct ptx_opcode *opcode)
{
	const struct ptx_statement *t = s->statement;

	for (uint32_t i = 0; i < t->suffix_count; i++) {
		struct ptx_word suffix = ptx_suffix_at(e->code, t, i);
		enum ptx_type type = ptx_type_of(suffix);

		if (type != PTX_NO_TYPE && s->type_count < PTX_STEP_TYPES_MOST) {
			s->types[s->type_count++] = type;
		} else if (!ptx_word_is_in(suffix, opcode->suffixes)) {
			ptx_refuse(e, "'%.*s%.*s' is not supported", PTX_WORD_ARGS(t->name),
			           PTX_WORD_ARGS(suffix));
			return false;
		}
	}
	return true;
}

/* Fill in what the handler needs. Returns false when refused. */
static bool prepare(struct ptx_emitter *e, struct ptx_step *s, const struct ptx_opcode *opcode)
{
	const struct ptx_statement *t = s->statement;
	struct ptx_word first = { "", 0 };

	if (!opcode) {
		if (t->suffix_count)
			first = ptx_suffix_at(e->code, t, 0);
		ptx_refuse(e, "'%.*s%.*s' is not supported", PTX_WORD_ARGS(t->name),
		           PTX_WORD_ARGS(first));
		return false;
	}
	if (!take_suffixes(e, s, opcode))
		return false;
	if (t->is_odd || t->operand_count < opcode->fewest || t->operand_count > opcode->most) {
		ptx_refuse(e, "the operands of '%.*s' are not supported", PTX_WORD_ARGS(t->name));
		return false;
	}
	for (uint32_t o = t->first_operand; o != PTX_NONE; s->count++) {
		s->operands[s->count] = ptx_operand_at(e->code, o);
		o = s->operands[s->count]->next;
	}
	return true;
}

static void emit_guarded(struct ptx_emitter *e, const struct ptx_step *s,
                         const struct ptx_opcode *opcode)
{
	struct ptx_operand guard = { .kind = PTX_NAME,
		                     .name = s->statement->guard,
		                     .is_negated = s->statement->is_guard_negated };
	LLVMBasicBlockRef next = ptx_node(e), then = ptx_node(e);

	LLVMBuildCondBr(e->b, ptx_read_predicate(e, &guard), then, next);
	ptx_continue_at(e, then);
	opcode->emit(e, s);
	if (e->is_reached)
		LLVMBuildBr(e->b, next);
	ptx_continue_at(e, next);
}

static void emit_instruction(struct ptx_emitter *e, const struct ptx_statement *t)
{
	struct ptx_step s = { .statement = t };
	const struct ptx_opcode *opcode = find_opcode(t->name);

	if (!prepare(e, &s, opcode))
		return;
	if (t->guard.length && opcode->emit != ptx_emit_bra)
		emit_guarded(e, &s, opcode);
	else
		opcode->emit(e, &s);
}

static void declare_registers(struct ptx_emitter *e, const struct ptx_registers *r)
{
	struct ptx_symbol symbol = {
		.name = r->name, .kind = PTX_SYMBOL_REGISTER, .type = r->type, .count = r->count
	};

	if (r->count > PTX_REGISTERS_MOST) {
		ptx_fail(e, err_set(e->err, ERR_LIMIT, "%s:%zu: %llu registers, more than %llu",
		                    e->name, e->line, (unsigned long long)r->count,
		                    (unsigned long long)PTX_REGISTERS_MOST));
		return;
	}
	if (r->type == PTX_NO_TYPE)
		ptx_refuse(e, "registers of a type that is not supported");
	if (r->count)
		symbol.slots = array_alloc(r->count, sizeof(LLVMValueRef), "registers", e->err);
	if ((r->count && !symbol.slots) || !ptx_symbols_add(&e->symbols, &symbol, e->err))
		ptx_fail(e, ERR_NOMEM);
}

static bool is_around(const struct ptx_emitter *e, uint32_t outer, uint32_t scope)
{
	while (scope != outer && scope != PTX_NONE)
		scope = ((const uint32_t *)e->code->parents.data)[scope];
	return scope == outer;
}

static struct ptx_symbol *find_label(const struct ptx_emitter *e, const struct ptx_statement *t,
                                     struct ptx_word name)
{
	struct ptx_symbol *found = ptx_symbols_find(&e->labels, name);

	while (found && !is_around(e, found->scope, t->scope))
		found = ptx_symbols_older(&e->labels, found);
	return found;
}

LLVMBasicBlockRef ptx_label(struct ptx_emitter *e, const struct ptx_step *s, struct ptx_word name)
{
	struct ptx_symbol *found = find_label(e, s->statement, name);

	if (found && found->kind == PTX_SYMBOL_LABEL && found->node)
		return found->node;
	ptx_refuse(e, "there is no label '%.*s'", PTX_WORD_ARGS(name));
	return NULL;
}

const struct ptx_statement *ptx_targets(struct ptx_emitter *e, const struct ptx_step *s,
                                        struct ptx_word name)
{
	struct ptx_symbol *found = find_label(e, s->statement, name);

	return found && found->kind == PTX_SYMBOL_TARGETS ? found->statement : NULL;
}

static void note_labels(struct ptx_emitter *e)
{
	const struct ptx_statement *all = e->code->list.data;

	for (size_t i = 0; i < e->code->list.count && !e->failed; i++) {
		struct ptx_symbol symbol = { .name = all[i].name,
			                     .kind = PTX_SYMBOL_LABEL,
			                     .scope = all[i].scope,
			                     .statement = &all[i] };

		if (all[i].kind == PTX_TARGETS)
			symbol.kind = PTX_SYMBOL_TARGETS;
		else if (all[i].kind != PTX_LABEL)
			continue;
		if (!ptx_symbols_add(&e->labels, &symbol, e->err))
			ptx_fail(e, ERR_NOMEM);
	}
}

/* Create nodes for the labels that are jumped to, in order. */
static void make_nodes(struct ptx_emitter *e)
{
	const struct ptx_statement *all = e->code->list.data;
	struct ptx_symbol *labels = e->labels.list.data;

	for (size_t i = 0; i < e->code->list.count; i++) {
		uint32_t o = all[i].first_operand;

		if (all[i].kind != PTX_TARGETS && !ptx_word_is(all[i].name, "bra"))
			continue;
		for (; o != PTX_NONE; o = ptx_operand_at(e->code, o)->next) {
			struct ptx_symbol *label =
				find_label(e, &all[i], ptx_operand_at(e->code, o)->name);

			if (label && label->kind == PTX_SYMBOL_LABEL)
				label->count = 1;
		}
	}
	for (size_t i = 0; i < e->labels.list.count; i++)
		if (labels[i].count)
			labels[i].node = LLVMAppendBasicBlockInContext(e->context, e->body, "");
}

static void emit_label(struct ptx_emitter *e, const struct ptx_statement *t)
{
	struct ptx_symbol *label = find_label(e, t, t->name);

	if (!label || !label->node)
		return;
	if (label->statement != t) {
		ptx_refuse(e, "the label '%.*s' is defined twice", PTX_WORD_ARGS(t->name));
		return;
	}
	if (e->is_reached)
		LLVMBuildBr(e->b, label->node);
	ptx_continue_at(e, label->node);
}

static void ptx_function_declare(struct ptx_emitter *e, const struct ptx_variable *v);

static void emit_statement(struct ptx_emitter *e, const struct ptx_statement *t)
{
	const struct ptx_statements *code = e->code;

	switch (t->kind) {
	case PTX_INSTRUCTION:
		if (e->is_reached)
			emit_instruction(e, t);
		break;
	case PTX_LABEL:
		emit_label(e, t);
		break;
	case PTX_REGISTERS:
		declare_registers(e, (const struct ptx_registers *)code->registers.data + t->item);
		break;
	case PTX_VARIABLE:
		ptx_function_declare(e,
		                     (const struct ptx_variable *)code->variables.data + t->item);
		break;
	case PTX_LOC:
		if (ptx_debug_at(&e->debug, e->b, (const struct ptx_loc *)code->locs.data + t->item,
		                 e->err))
			ptx_fail(e, ERR_NOMEM);
		break;
	case PTX_OPEN:
	case PTX_CLOSE:
	case PTX_TARGETS:
		break;
	}
}

/* Emit one function's statements into e->body. */
static void ptx_emit_body(struct ptx_emitter *e)
{
	const struct ptx_statement *all = e->code->list.data;
	size_t marks[DEPTH_MOST] = { 0 }, depth = 0;

	note_labels(e);
	if (!e->failed)
		make_nodes(e);
	for (size_t i = 0; i < e->code->list.count && !e->failed && !e->refusal[0]; i++) {
		e->line = all[i].line;
		ptx_debug_at_line(&e->debug, e->b, all[i].line);
		if (all[i].kind == PTX_OPEN)
			marks[depth++] = e->symbols.list.count;
		else if (all[i].kind == PTX_CLOSE)
			ptx_symbols_cut(&e->symbols, marks[--depth]);
		emit_statement(e, &all[i]);
	}
	ptx_symbols_cut(&e->labels, 0);
	if (e->is_reached && !e->refusal[0] && !e->failed)
		ptx_emit_ret(e, NULL);
}

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

/* Enter a parameter in memory, or in a register, as a symbol. */
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

/* Store results from registers where the caller wants them. */
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

/* Declare a variable in the body of the function. */
static void ptx_function_declare(struct ptx_emitter *e, const struct ptx_variable *v)
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
		/* A scalar keeps its type, so that it becomes a value. */
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

/* The nodes before the body: first slots, then parameters. */
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

/* The previously declared function of that name, or a new one. NULL when out of memory. */
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

/* The parameter names of the body count, not those of an earlier declaration. */
static int check_again(struct ptx_emitter *e, struct ptx_function *known,
                       const struct ptx_function *f)
{
	if (!has_same_parameters(e, known, f) || (known->head.has_body && f->head.has_body))
		return err_set(e->err, ERR_FORMAT,
		               "%s:%zu: '%.*s' is declared differently on line %zu", e->name,
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
