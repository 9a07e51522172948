/* SPDX-License-Identifier: Apache-2.0 */
#include "text_function.h"

#include "array.h"
#include "err.h"
#include "ir_walk.h"
#include "memory_space.h"
#include "source_place.h"
#include "text_parts.h"

#include <llvm-c/Core.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The metadata node of that kind on the function, or NULL. */
static LLVMValueRef node_of(LLVMValueRef function, const char *kind)
{
	LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(function));
	unsigned number = LLVMGetMDKindIDInContext(c, kind, (unsigned)strlen(kind));
	size_t count = 0;
	LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(function, &count);
	LLVMMetadataRef found = NULL;

	for (unsigned i = 0; i < count; i++)
		if (LLVMValueMetadataEntriesGetKind(entries, i) == number)
			found = LLVMValueMetadataEntriesGetMetadata(entries, i);
	LLVMDisposeValueMetadataEntries(entries);
	return found ? LLVMMetadataAsValue(c, found) : NULL;
}

/*
 * Operand `index` of the metadata `kind` ("reqd_work_group_size"): a constant, or NULL. Borrowed.
 */
static LLVMValueRef text_kernel_metadata_value(LLVMValueRef function, const char *kind,
                                               unsigned index)
{
	LLVMValueRef node = node_of(function, kind), *operands, found = NULL;
	unsigned count = node ? LLVMGetMDNodeNumOperands(node) : 0;

	if (index >= count)
		return NULL;
	operands = array_alloc(count, sizeof(LLVMValueRef), "metadata", NULL);
	if (!operands)
		return NULL;
	LLVMGetMDNodeOperands(node, operands);
	found = operands[index];
	free(operands);
	return found;
}

bool text_kernel_metadata(LLVMValueRef function, const char *kind, unsigned index, char *text,
                          size_t size)
{
	LLVMValueRef value = text_kernel_metadata_value(function, kind, index);
	unsigned length = 0;
	const char *string =
		value && LLVMIsAMDString(value) ? LLVMGetMDString(value, &length) : NULL;

	if (!string)
		return false;
	snprintf(text, size, "%.*s", (int)length, string);
	return true;
}

static bool has_attribute(LLVMValueRef function, LLVMAttributeIndex index, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	return LLVMGetEnumAttributeAtIndex(function, index, kind) != NULL;
}

/* reqd_work_group_size(8, 8, 1) */
static void write_sizes(struct text_function *f, const char *kind, const char *attribute,
                        unsigned count)
{
	LLVMValueRef sizes[3];

	for (unsigned i = 0; i < count; i++) {
		sizes[i] = text_kernel_metadata_value(f->function, kind, i);
		if (!sizes[i] || !LLVMIsAConstantInt(sizes[i]))
			return;
	}
	text_put(f, "__attribute__((%s(", attribute);
	for (unsigned i = 0; i < count; i++)
		text_put(f, "%s%llu", i ? ", " : "", LLVMConstIntGetZExtValue(sizes[i]));
	text_put(f, ")))\n");
}

static void write_vector_hint(struct text_function *f)
{
	LLVMValueRef type = text_kernel_metadata_value(f->function, "vec_type_hint", 0);
	LLVMValueRef is_signed = text_kernel_metadata_value(f->function, "vec_type_hint", 1);

	if (!type || !is_signed || !LLVMIsAConstantInt(is_signed))
		return;
	text_put(f, "__attribute__((vec_type_hint(%s)))\n",
	         LLVMIsNull(is_signed) ? text_type(f, LLVMTypeOf(type))
	                               : text_type_signed(f, LLVMTypeOf(type)));
}

static void write_parameter(struct text_function *f, LLVMValueRef parameter, unsigned index)
{
	LLVMTypeRef type = LLVMTypeOf(parameter), by_value = memory_space_by_value(parameter);
	const char *object = text_object_type(f, parameter);

	if (object)
		text_put(f, "%s ", object);
	else
		text_put(f, "%s ", text_type(f, by_value ? by_value : type));
	if (!by_value && has_attribute(f->function, index + 1, "noalias"))
		text_put(f, "restrict ");
	text_put(f, "a%u", index);
}

static void text_signature(struct text_function *f, const char *name)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(f->function);
	unsigned count = LLVMCountParams(f->function);

	if (f->is_kernel) {
		write_sizes(f, "reqd_work_group_size", "reqd_work_group_size", 3);
		write_sizes(f, "work_group_size_hint", "work_group_size_hint", 3);
		write_sizes(f, "intel_reqd_sub_group_size", "intel_reqd_sub_group_size", 1);
		write_vector_hint(f);
		text_put(f, "__kernel void %s(", name);
	} else {
		if (has_attribute(f->function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
		                  "noinline"))
			text_put(f, "__attribute__((noinline)) ");
		text_put(f, "%s %s(", text_type(f, LLVMGetReturnType(type)), name);
	}
	if (LLVMIsFunctionVarArg(type))
		text_refuse(f, "a function with a variable number of arguments");
	for (unsigned i = 0; i < count; i++) {
		text_put(f, i ? ", " : "");
		write_parameter(f, LLVMGetParam(f->function, i), i);
	}
	text_put(f, count ? ")" : "void)");
}

void text_check(struct text_function *f, int ret)
{
	if (!f->ret)
		f->ret = ret;
}

static void put(struct text_function *f, struct str *to, const char *fmt, va_list arguments)
	__attribute__((format(printf, 3, 0)));
static void put(struct text_function *f, struct str *to, const char *fmt, va_list arguments)
{
	char buffer[512];
	int length;

	if (f->ret || f->is_dry)
		return;
	length = vsnprintf(buffer, sizeof(buffer), fmt, arguments);
	if (length >= 0 && (size_t)length < sizeof(buffer))
		text_check(f, str_append(to, buffer, (size_t)length, f->err));
	else
		text_check(f, err_set(f->err, ERR_LIMIT, "a string in the output is too long"));
}

void text_put(struct text_function *f, const char *fmt, ...)
{
	va_list arguments;

	va_start(arguments, fmt);
	put(f, f->out, fmt, arguments);
	va_end(arguments);
}

void text_put_to(struct text_function *f, struct str *to, const char *fmt, ...)
{
	va_list arguments;

	va_start(arguments, fmt);
	put(f, to, fmt, arguments);
	va_end(arguments);
}

void text_append(struct text_function *f, struct str *to, const struct str *text)
{
	if (!f->ret && text->length)
		text_check(f, str_append(to, text->text, text->length, f->err));
}

void text_line(struct text_function *f)
{
	for (unsigned i = 0; i < f->indent; i++)
		text_put(f, "\t");
}

void text_refuse(struct text_function *f, const char *fmt, ...)
{
	struct place place = { 0 };
	va_list arguments;
	char what[256];

	if (f->ret)
		return;
	va_start(arguments, fmt);
	vsnprintf(what, sizeof(what), fmt, arguments);
	va_end(arguments);
	if (f->at && source_place(f->at, &place, NULL, NULL, f->err)) {
		f->ret = ERR_NOMEM;
		return;
	}
	if (place.file)
		f->ret = err_set(f->err, ERR_UNSUPPORTED, "%s at %s:%u", what, place.file,
		                 place.line);
	else
		f->ret = err_set(f->err, ERR_UNSUPPORTED, "%s", what);
	free(place.file);
}

static bool has_effect(LLVMValueRef i)
{
	switch ((int)LLVMGetInstructionOpcode(i)) {
	case LLVMStore:
	case LLVMCall:
	case LLVMFence:
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		return true;
	case LLVMLoad:
		return LLVMGetVolatile(i);
	default:
		return false;
	}
}

/* Whether an instruction gets a variable in the output. */
static bool has_variable(LLVMValueRef i)
{
	return LLVMGetFirstUse(i) && LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind &&
	       text_alias(i) == i && !text_is_sampler(i);
}

void text_statement(struct text_function *f, LLVMValueRef i)
{
	f->at = i;
	if (LLVMIsAPHINode(i) || LLVMIsAAllocaInst(i) || text_alias(i) != i ||
	    (!LLVMGetFirstUse(i) && !has_effect(i)))
		return;
	if (text_access(f, i) || text_vector(f, i) || text_call(f, i))
		return;
	text_assign(f, i);
	if (!text_operation(f, i) && !text_pointer_operation(f, i))
		text_refuse(f, "instruction %.200s",
		            LLVMGetInstructionOpcode(i) == LLVMFence
		                    ? "fence"
		                    : "without an equivalent in OpenCL C");
	text_put(f, ";\n");
}

static void declare_memory(struct text_function *f, LLVMValueRef alloca, uint32_t number)
{
	LLVMValueRef count = LLVMGetOperand(alloca, 0);
	LLVMTypeRef type = LLVMGetAllocatedType(alloca);
	unsigned alignment = LLVMGetAlignment(alloca);

	if (!LLVMIsAConstantInt(count) ||
	    LLVMGetInstructionParent(alloca) != LLVMGetEntryBasicBlock(f->function)) {
		text_refuse(f, "private memory whose size is not constant");
		return;
	}
	text_put_to(f, &f->declarations, "\t%s p%u", text_type(f, type), number);
	if (LLVMConstIntGetZExtValue(count) != 1)
		text_put_to(f, &f->declarations, "[%llu]", LLVMConstIntGetZExtValue(count));
	if (alignment > text_alignment(f, type))
		text_put_to(f, &f->declarations, " __attribute__((aligned(%u)))", alignment);
	text_put_to(f, &f->declarations, ";\n");
}

static void declare(struct text_function *f, LLVMValueRef i)
{
	uint32_t number = f->number_count;

	f->at = i;
	if (!has_variable(i))
		return;
	f->number_count++;
	text_check(f, pointer_map_set(&f->numbers, i, number, f->err));
	if (LLVMIsAAllocaInst(i))
		declare_memory(f, i, number);
	else if (!text_is_node_local(i))
		text_put_to(f, &f->declarations, "\t%s v%u;\n", text_value_type(f, i), number);
}

static void declare_all(struct text_function *f)
{
	unsigned count = LLVMCountParams(f->function);

	for (unsigned i = 0; i < count; i++)
		text_check(f, pointer_map_set(&f->numbers, LLVMGetParam(f->function, i),
		                              f->number_count++, f->err));
	for (size_t n = 0; n < f->flow.order_count; n++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(f->flow.node[f->flow.order[n]]); i;
		     i = LLVMGetNextInstruction(i))
			declare(f, i);
}

static void release(struct text_function *f)
{
	str_release(&f->declarations);
	str_release(&f->body);
	kernel_flow_release(&f->flow);
	pointer_map_release(&f->numbers);
	pointer_map_release(&f->objects);
	pointer_map_release(&f->inlined);
}

static void write_whole(struct text_function *f, struct str *out, const char *name)
{
	struct str head;

	str_init(&head, 1u << 20);
	f->out = &head;
	text_signature(f, name);
	if (!f->is_kernel && !f->ret)
		text_put_to(f, &f->module->prototypes, "%s;\n", head.text);
	f->out = &f->body;
	f->indent = 1;
	declare_all(f);
	text_flow(f);
	text_append(f, out, &head);
	text_put_to(f, out, "\n{\n");
	text_append(f, out, &f->declarations);
	text_append(f, out, &f->body);
	text_put_to(f, out, "}\n\n");
	str_release(&head);
}

static bool has_freeze(LLVMValueRef function)
{
	for (LLVMValueRef i = ir_first(function); i; i = ir_next(i))
		if (LLVMGetInstructionOpcode(i) == LLVMFreeze)
			return true;
	return false;
}

int text_function_write(struct text_module *m, LLVMValueRef function, const char *name,
                        struct str *out, struct err *err)
{
	struct text_function f = { .module = m, .function = function, .err = err };

	f.is_kernel = LLVMGetFunctionCallConv(function) == LLVMSPIRKERNELCallConv;
	str_init(&f.declarations, m->functions.limit_bytes);
	str_init(&f.body, m->functions.limit_bytes);
	text_check(&f, kernel_flow_init(&f.flow, function, err));
	if (!f.ret)
		f.is_frozen = has_freeze(f.function);
	if (!f.ret)
		text_objects_find(&f);
	if (!f.ret)
		write_whole(&f, out, name);
	release(&f);
	return f.ret;
}
