/* SPDX-License-Identifier: Apache-2.0 */
#include "site.h"
#include "text_bypass.h"
#include "text_parts.h"

#include <llvm-c/Core.h>

#include <string.h>

/* One load or store. */
struct access {
	LLVMValueRef instruction;
	LLVMValueRef pointer;
	LLVMTypeRef type;
	const char *object; /* "event_t", or NULL */
	unsigned space;
	unsigned alignment;
	bool is_volatile;
};

/* What clang's type-based alias analysis calls a type of the text. */
static const char *alias_name(LLVMTypeRef type)
{
	switch ((int)LLVMGetTypeKind(type)) {
	case LLVMHalfTypeKind:
		return "half";
	case LLVMFloatTypeKind:
		return "float";
	case LLVMDoubleTypeKind:
		return "double";
	case LLVMPointerTypeKind:
		return "any pointer";
	case LLVMIntegerTypeKind:
		break;
	default:
		return NULL;
	}
	switch (LLVMGetIntTypeWidth(type)) {
	case 16:
		return "short";
	case 32:
		return "int";
	case 64:
		return "long";
	default:
		return NULL;
	}
}

static LLVMValueRef operand_of_node(LLVMValueRef node, unsigned index)
{
	LLVMValueRef operands[8];
	unsigned count = LLVMGetMDNodeNumOperands(node);

	if (index >= count || count > sizeof(operands) / sizeof(operands[0]))
		return NULL;
	LLVMGetMDNodeOperands(node, operands);
	return operands[index];
}

/*
 * Whether the device's compiler must take the access for one of anything: where the type in the
 * text is not the type that the source accessed.
 */
static bool may_alias(const struct access *a)
{
	LLVMContextRef c = LLVMGetTypeContext(a->type);
	const char *name = alias_name(a->type), *said;
	LLVMValueRef node = LLVMGetMetadata(a->instruction, LLVMGetMDKindIDInContext(c, "tbaa", 4));
	unsigned length = 0;

	/* To characters and vectors everything is alike already. */
	if (!name || a->object)
		return false;
	node = node ? operand_of_node(node, 1) : NULL;
	node = node && LLVMIsAMDNode(node) ? operand_of_node(node, 0) : NULL;
	said = node && LLVMIsAMDString(node) ? LLVMGetMDString(node, &length) : NULL;
	return !said || length != strlen(name) || strncmp(said, name, length) != 0;
}

static void access_init(struct text_function *f, struct access *a, LLVMValueRef i)
{
	bool is_store = LLVMGetInstructionOpcode(i) == LLVMStore;
	LLVMValueRef value = is_store ? LLVMGetOperand(i, 0) : i;

	*a = (struct access){
		.instruction = i,
		.pointer = LLVMGetOperand(i, is_store ? 1 : 0),
		.type = LLVMTypeOf(value),
		.object = text_object_type(f, value),
		.alignment = LLVMGetAlignment(i),
		.is_volatile = LLVMGetVolatile(i),
	};
	a->space = LLVMGetPointerAddressSpace(LLVMTypeOf(a->pointer));
	if (LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
		text_refuse(f, "an atomic %s", is_store ? "store" : "load");
	if (text_lanes(a->type) > 1 && text_is_bool(a->type))
		text_refuse(f, "a vector of i1 in memory");
}

/* *(volatile __global uint *)v3 */
static void write_place(struct text_function *f, const struct access *a)
{
	const char *member = "", *type = a->object;

	if (!type)
		type = text_access_type(f, a->type, a->alignment, may_alias(a), &member);
	text_put(f, *member ? "((%s%s %s *)" : "*(%s%s %s *)", a->is_volatile ? "volatile " : "",
	         text_space(f, a->space), type);
	text_value(f, a->pointer);
	if (*member)
		text_put(f, ")->v");
}

/* The function of OpenCL C for vectors at addresses that are multiples of an element's size. */
static bool is_by_function(struct text_function *f, const struct access *a)
{
	unsigned lanes = text_lanes(a->type);
	unsigned of_element = text_alignment(f, text_element(a->type));

	if (lanes == 1 || a->is_volatile)
		return false;
	return lanes == 3 || (a->alignment && a->alignment < text_alignment(f, a->type) &&
	                      a->alignment >= of_element);
}

static bool is_possible(struct text_function *f, const struct access *a)
{
	/* As a whole it would have a fourth element. */
	if (text_lanes(a->type) == 3 &&
	    (a->is_volatile ||
	     (a->alignment && a->alignment < text_alignment(f, text_element(a->type)))))
		text_refuse(f, "a vector of 3 that is %s in memory",
		            a->is_volatile ? "volatile" : "unaligned");
	return !f->ret;
}

static void write_function_pointer(struct text_function *f, const struct access *a, bool is_const)
{
	text_put(f, "(%s%s %s *)", is_const ? "const " : "", text_space(f, a->space),
	         text_type(f, text_element(a->type)));
	text_value(f, a->pointer);
	text_put(f, ")");
}

static void write_load(struct text_function *f, const struct access *a)
{
	const struct text_bypass bypass = { a->instruction, a->pointer, a->type, a->alignment };
	bool is_past = a->space == SPACE_GLOBAL && !a->is_volatile && !a->object &&
	               text_bypass_begin(f, &bypass);

	if (is_by_function(f, a)) {
		text_put(f, "vload%u(0, ", text_lanes(a->type));
		write_function_pointer(f, a, true);
	} else if (text_is_bool(a->type)) {
		text_put(f, "(*(%s%s uchar *)", a->is_volatile ? "volatile " : "",
		         text_space(f, a->space));
		text_value(f, a->pointer);
		text_put(f, " & 1) != 0");
	} else {
		write_place(f, a);
	}
	text_put(f, is_past ? ");\n" : ";\n");
}

static void write_store(struct text_function *f, const struct access *a, LLVMValueRef value)
{
	text_line(f);
	if (is_by_function(f, a)) {
		text_put(f, "vstore%u(", text_lanes(a->type));
		text_value(f, value);
		text_put(f, ", 0, ");
		write_function_pointer(f, a, false);
	} else if (text_is_bool(a->type)) {
		text_put(f, "*(%s%s uchar *)", a->is_volatile ? "volatile " : "",
		         text_space(f, a->space));
		text_value(f, a->pointer);
		text_put(f, " = ");
		text_value(f, value);
	} else {
		write_place(f, a);
		text_put(f, " = ");
		text_value(f, value);
	}
	text_put(f, ";\n");
}

bool text_access(struct text_function *f, LLVMValueRef i)
{
	struct access a;
	bool is_load = LLVMGetInstructionOpcode(i) == LLVMLoad;

	if (!is_load && LLVMGetInstructionOpcode(i) != LLVMStore)
		return false;
	access_init(f, &a, i);
	if (!is_possible(f, &a))
		return true;
	if (is_load && !LLVMGetFirstUse(i) && !a.is_volatile)
		return true;
	if (!is_load) {
		write_store(f, &a, LLVMGetOperand(i, 0));
		return true;
	}
	text_assign(f, i);
	write_load(f, &a);
	return true;
}
