/* SPDX-License-Identifier: Apache-2.0 */
#include "inline_ptx.h"

#include "array.h"
#include "err.h"
#include "ir_walk.h"
#include "llvm_api.h"
#include "program.h"
#include "ptx_reader.h"
#include "str.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Linker.h>

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A copy with one blank for each run of white space, on the heap; NULL: no memory. */
static char *squeeze(const char *from, size_t length, struct err *err)
{
	char *text = array_alloc(length + 1, 1, "inline assembly", err);
	size_t end = 0;

	for (size_t i = 0; text && i < length; i++)
		if (!isspace((unsigned char)from[i]))
			text[end++] = from[i];
		else if (end && text[end - 1] != ' ')
			text[end++] = ' ';
	while (text && end && text[end - 1] == ' ')
		text[--end] = '\0';
	return text;
}

int cuda_asm_init(struct cuda_asm *a, LLVMValueRef called, struct err *err)
{
	size_t length;
	const char *text = LLVMGetInlineAsmAsmString(called, &length);

	a->text = squeeze(text, length, err);
	text = LLVMGetInlineAsmConstraintString(called, &length);
	a->constraints = a->text ? squeeze(text, length, err) : NULL;
	return a->constraints ? 0 : ERR_NOMEM;
}

void cuda_asm_release(struct cuda_asm *a)
{
	free(a->text);
	free(a->constraints);
	memset(a, 0, sizeof(*a));
}

#define REGISTER      "%%warpline%u"
#define REFUSAL       "warpline.asm" /* metadata of a call */
#define FILE_NAME     "inline PTX"
#define CALLS_MOST    ((size_t)1 << 20)
#define OPERANDS_MOST 32
#define NAME_BYTES    40

/* An operand of an asm statement: outputs first, as $0, $1... count them. */
struct operand {
	bool is_output;
	char letter;        /* of cuda_asm's registers, or 'n' for a number in the text */
	unsigned tied;      /* of an input that is an output too: that one */
	LLVMValueRef value; /* of an input */
	LLVMTypeRef type;   /* in LLVM */
};

struct statement {
	LLVMValueRef call;
	struct operand operands[OPERANDS_MOST];
	unsigned count, outputs;
};

static const char *register_type(char letter)
{
	static const char *const types[] = {
		['h'] = ".b16", ['r'] = ".b32", ['l'] = ".b64", ['f'] = ".f32", ['d'] = ".f64",
	};

	return (size_t)letter < sizeof(types) / sizeof(types[0]) ? types[(size_t)letter] : NULL;
}

static LLVMTypeRef output_type(const struct statement *s, unsigned i)
{
	LLVMTypeRef type = LLVMTypeOf(s->call);

	return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, i)
	                                                   : type;
}

/* One constraint: "=r", "l", "0", "n". False: it is not known. */
static bool read_operand(struct statement *s, const char *constraint, size_t length)
{
	unsigned inputs = s->count - s->outputs;
	struct operand *o = &s->operands[s->count];

	if (s->count == OPERANDS_MOST)
		return false;
	*o = (struct operand){ .is_output = constraint[0] == '=',
		               .letter = constraint[length - 1],
		               .tied = OPERANDS_MOST };
	if (o->is_output) {
		o->type = output_type(s, s->outputs++);
	} else {
		if (inputs >= (unsigned)LLVMGetNumArgOperands(s->call))
			return false;
		o->value = LLVMGetOperand(s->call, inputs);
		o->type = LLVMTypeOf(o->value);
		if (isdigit((unsigned char)constraint[0])) {
			o->tied = (unsigned)strtoul(constraint, NULL, 10);
			o->letter = o->tied < s->outputs ? s->operands[o->tied].letter : '?';
		}
	}
	s->count++;
	if (o->letter == 'n' || o->letter == 'i')
		return !o->is_output && LLVMIsAConstantInt(o->value);
	return register_type(o->letter) != NULL;
}

static bool read_operands(struct statement *s, const char *constraints)
{
	while (*constraints) {
		size_t length = strcspn(constraints, ",");

		if (length && constraints[0] != '~' && !read_operand(s, constraints, length))
			return false;
		constraints += length;
		constraints += *constraints == ',';
	}
	return true;
}

static bool is_register(const struct operand *o)
{
	return o->letter != 'n' && o->letter != 'i';
}

/* Registers for the outputs, or for the inputs. */
static int put_registers(struct str *text, const struct statement *s, bool are_outputs,
                         struct err *err)
{
	const char *before = "(";
	int ret = 0;

	for (unsigned i = 0; !ret && i < s->count; i++) {
		const struct operand *o = &s->operands[i];

		if (o->is_output != are_outputs || !is_register(o))
			continue;
		ret = str_printf(text, err, "%s.reg %s " REGISTER, before, register_type(o->letter),
		                 i);
		before = ", ";
	}
	return ret || *before == '(' ? ret : str_printf(text, err, ")");
}

/* $1 in the text: a register, or the number itself. *at is behind the $. */
static int put_operand(struct str *text, const struct statement *s, const char **at,
                       struct err *err)
{
	unsigned long number = strtoul(*at, (char **)(void *)at, 10);
	const struct operand *o = &s->operands[number < s->count ? number : 0];

	if (number >= s->count)
		return str_printf(text, err, "$%lu", number);
	if (is_register(o))
		return str_printf(text, err, REGISTER, (unsigned)number);
	return str_printf(text, err, "%lld", LLVMConstIntGetSExtValue(o->value));
}

static int put_body(struct str *text, const struct statement *s, const char *from, struct err *err)
{
	int ret = 0;

	for (unsigned i = 0; !ret && i < s->count; i++)
		if (s->operands[i].tied < OPERANDS_MOST)
			ret = str_printf(text, err, "mov%s " REGISTER ", " REGISTER ";\n",
			                 register_type(s->operands[i].letter), s->operands[i].tied,
			                 i);
	while (!ret && *from) {
		if (*from != '$') {
			ret = str_append(text, from++, 1, err);
		} else if (isdigit((unsigned char)*++from)) {
			ret = put_operand(text, s, &from, err);
		} else {
			ret = str_append(text, "$", 1, err);
			from += *from == '$';
		}
	}
	return ret;
}

/* The statement as a PTX text of one function. */
static int put_function(struct str *text, const struct statement *s, const char *name,
                        const char *body, struct err *err)
{
	int ret = str_printf(text, err, ".version 8.0\n.target sm_90\n.address_size 64\n.func ");

	if (!ret)
		ret = put_registers(text, s, true, err);
	if (!ret)
		ret = str_printf(text, err, " %s ", name);
	if (!ret)
		ret = put_registers(text, s, false, err);
	if (!ret)
		ret = str_printf(text, err, "\n{\n");
	if (!ret)
		ret = put_body(text, s, body, err);
	return ret ? ret : str_printf(text, err, "\nret;\n}\n");
}

/* A variable of the function. */
static LLVMValueRef add_variable(LLVMBuilderRef b, LLVMValueRef call, LLVMTypeRef type)
{
	LLVMBasicBlockRef here = LLVMGetInstructionParent(call);
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(here));
	LLVMValueRef variable;

	LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
	variable = LLVMBuildAlloca(b, type, "");
	LLVMPositionBuilderBefore(b, call);
	return variable;
}

static LLVMValueRef load_results(LLVMBuilderRef b, const struct statement *s,
                                 const LLVMValueRef *variables)
{
	LLVMValueRef all = LLVMGetUndef(LLVMTypeOf(s->call)), one = NULL;

	for (unsigned i = 0; i < s->outputs; i++) {
		one = LLVMBuildLoad2(b, s->operands[i].type, variables[i], "");
		if (LLVMGetTypeKind(LLVMTypeOf(s->call)) == LLVMStructTypeKind)
			all = LLVMBuildInsertValue(b, all, one, i, "");
		else
			all = one;
	}
	return all;
}

/* Call the function, which takes the addresses of its results and arguments. */
static void call_function(LLVMBuilderRef b, const struct statement *s, LLVMValueRef function)
{
	LLVMTypeRef pointer =
		LLVMPointerType(LLVMInt8TypeInContext(LLVMGetTypeContext(LLVMTypeOf(function))), 0);
	LLVMValueRef variables[OPERANDS_MOST] = { NULL }, arguments[OPERANDS_MOST];
	unsigned count = 0;

	LLVMPositionBuilderBefore(b, s->call);
	for (unsigned i = 0; i < s->count; i++) {
		const struct operand *o = &s->operands[i];

		if (!is_register(o))
			continue;
		variables[i] = add_variable(b, s->call, o->type);
		if (!o->is_output)
			LLVMBuildStore(b, o->value, variables[i]);
		arguments[count++] = LLVMBuildBitCast(b, variables[i], pointer, "");
	}
	LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, arguments, count, "");
	if (s->outputs)
		LLVMReplaceAllUsesWith(s->call, load_results(b, s, variables));
	LLVMInstructionEraseFromParent(s->call);
}

/* Note why a statement is not read, without the place in our text. */
static void note_refusal(LLVMValueRef call, const char *reason)
{
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
	bool is_placed = !strncmp(reason, FILE_NAME, strlen(FILE_NAME));
	const char *end = is_placed ? strstr(reason, ": ") : NULL;
	LLVMValueRef text;

	reason = end ? end + 2 : reason;
	text = LLVMMDStringInContext(context, reason, (unsigned)strlen(reason));
	LLVMSetMetadata(call, LLVMGetMDKindIDInContext(context, REFUSAL, sizeof(REFUSAL) - 1),
	                LLVMMDNodeInContext(context, &text, 1));
}

static const char *refusal_of(LLVMValueRef function)
{
	unsigned length;
	LLVMAttributeRef refusal = LLVMGetStringAttributeAtIndex(
		function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, PTX_REFUSAL_ATTRIBUTE,
		sizeof(PTX_REFUSAL_ATTRIBUTE) - 1);

	return refusal ? LLVMGetStringAttributeValue(refusal, &length) : NULL;
}

/* Link what was read, and call it. The module is taken over. */
static int link_function(struct program *p, const struct statement *s, const char *name,
                         LLVMModuleRef functions, struct err *err)
{
	const char *refusal = refusal_of(LLVMGetNamedFunction(functions, name));
	LLVMBuilderRef b;

	if (refusal) {
		note_refusal(s->call, refusal);
		LLVMDisposeModule(functions);
		return 0;
	}
	if (llvm_link(p->module, functions))
		return err_set(err, ERR_UNSUPPORTED, "inline PTX: %s cannot be linked", name);
	b = LLVMCreateBuilderInContext(p->context);
	call_function(b, s, LLVMGetNamedFunction(p->module, name));
	LLVMDisposeBuilder(b);
	return 0;
}

static int read_statement(struct program *p, const struct statement *s, const char *name,
                          const char *body, struct err *err)
{
	LLVMModuleRef functions = NULL;
	struct err why = { 0 };
	struct str text;
	int ret;

	str_init(&text, PTX_TEXT_LIMIT_BYTES);
	ret = put_function(&text, s, name, body, err);
	if (!ret)
		ret = ptx_reader_functions(p->context, &text, FILE_NAME, &functions, &why);
	str_release(&text);
	if (functions)
		return link_function(p, s, name, functions, err);
	if (ret == ERR_NOMEM)
		return err_set(err, ERR_NOMEM, "out of memory for inline PTX");
	note_refusal(s->call, why.msg);
	return 0;
}

/* What becomes of the address of memory is for cuda_calls.def. */
static bool names_memory(const char *text)
{
	return strchr(text, '[') || strstr(text, "cvta");
}

static int read_call(struct program *p, LLVMValueRef call, size_t number, struct err *err)
{
	struct statement s = { .call = call };
	struct cuda_asm a = { 0 };
	char name[NAME_BYTES];
	int ret = cuda_asm_init(&a, LLVMGetCalledValue(call), err);

	snprintf(name, sizeof(name), "warpline_asm_%zu", number);
	if (!ret && !names_memory(a.text) && read_operands(&s, a.constraints))
		ret = read_statement(p, &s, name, a.text, err);
	cuda_asm_release(&a);
	return ret;
}

static int find_calls(LLVMModuleRef module, struct array *calls, struct err *err)
{
	LLVMValueRef f = LLVMGetFirstFunction(module), *call;

	for (; f; f = LLVMGetNextFunction(f))
		for (LLVMValueRef i = ir_first(f); i; i = ir_next(i)) {
			if (!LLVMIsACallInst(i) || !LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
				continue;
			call = array_push(calls, 1, err);
			if (!call)
				return ERR_NOMEM;
			*call = i;
		}
	return 0;
}

int inline_ptx_read(struct program *p, struct err *err)
{
	const LLVMValueRef *call;
	struct array calls;
	int ret;

	array_init(&calls, sizeof(LLVMValueRef), CALLS_MOST, "statements of inline PTX");
	ret = find_calls(p->module, &calls, err);
	call = calls.data;
	for (size_t i = 0; !ret && i < calls.count; i++)
		ret = read_call(p, call[i], i, err);
	array_release(&calls);
	return ret;
}

char *inline_ptx_refusal(LLVMValueRef call, struct err *err)
{
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
	LLVMValueRef text,
		node = LLVMGetMetadata(
			call, LLVMGetMDKindIDInContext(context, REFUSAL, sizeof(REFUSAL) - 1));
	unsigned length;
	const char *reason;

	if (!node)
		return NULL;
	LLVMGetMDNodeOperands(node, &text);
	reason = LLVMGetMDString(text, &length);
	return str_format(err, "%.*s", (int)length, reason);
}
