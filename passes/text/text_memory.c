/* SPDX-License-Identifier: Apache-2.0 */
#include "text_parts.h"

#include "err.h"
#include "kernel_table.h"
#include "mark.h"
#include "site.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include <string.h>

/* A load of global memory; `alignment` in bytes, 0: natural. */
struct text_bypass {
	LLVMValueRef load, pointer;
	LLVMTypeRef type;
	unsigned alignment;
};

/* Pointers are byte pointers here, and their arithmetic is in bytes. */

/* A step through a type: what index `i` of a getelementptr adds to the offset. */
struct step {
	LLVMTypeRef type;   /* the type stepped through; then the type reached */
	uint64_t unit;      /* its size in bytes, for a variable index */
	int64_t offset;     /* in bytes, for a constant index */
	LLVMValueRef index; /* NULL: constant */
};

static void take_step(struct text_function *f, struct step *s, LLVMValueRef index, bool is_first)
{
	bool is_struct = !is_first && LLVMGetTypeKind(s->type) == LLVMStructTypeKind;

	s->index = NULL;
	s->offset = 0;
	if (is_struct) {
		unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);

		s->offset = (int64_t)LLVMOffsetOfElement(f->module->layout, s->type, field);
		s->type = LLVMStructGetTypeAtIndex(s->type, field);
		return;
	}
	if (!is_first)
		s->type = LLVMGetElementType(s->type);
	s->unit = text_size(f, s->type);
	if (LLVMIsAConstantInt(index))
		s->offset = (int64_t)((uint64_t)LLVMConstIntGetSExtValue(index) * s->unit);
	else if (!LLVMIsNull(index) && !LLVMIsUndef(index))
		s->index = index;
}

/* " + (long)(int)v3 * 4" */
static void write_term(struct text_function *f, const struct step *s, bool may_wrap)
{
	const char *word = f->module->pointer_bytes == 8 ? "long" : "int";

	text_put(f, may_wrap ? " + (size_t)(%s)" : " + (%s)", word);
	text_value_signed(f, s->index);
	if (s->unit != 1)
		text_put(f, " * %llu", (unsigned long long)s->unit);
}

static void write_element_pointer(struct text_function *f, LLVMValueRef v)
{
	struct step s = { .type = LLVMGetGEPSourceElementType(v) };
	unsigned count = (unsigned)LLVMGetNumOperands(v);
	bool may_wrap = !LLVMIsInBounds(v) || f->is_frozen;
	int64_t offset = 0;

	if (!text_is_pointer(LLVMTypeOf(v))) {
		text_refuse(f, "a vector of pointers");
		return;
	}
	if (may_wrap)
		text_put(f, "(%s)((size_t)", text_type(f, LLVMTypeOf(v)));
	text_value(f, LLVMGetOperand(v, 0));
	for (unsigned i = 1; i < count; i++) {
		take_step(f, &s, LLVMGetOperand(v, i), i == 1);
		if (s.index)
			write_term(f, &s, may_wrap);
		offset = (int64_t)((uint64_t)offset + (uint64_t)s.offset);
	}
	if (offset && may_wrap)
		text_put(f, " + (size_t)%lldl", (long long)offset);
	else if (offset)
		text_put(
			f, offset < 0 ? " - %llu" : " + %llu",
			(unsigned long long)(offset < 0 ? 0 - (uint64_t)offset : (uint64_t)offset));
	if (may_wrap)
		text_put(f, ")");
}

static void write_space_cast(struct text_function *f, LLVMValueRef v)
{
	unsigned from = LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(v, 0)));
	unsigned to = LLVMGetPointerAddressSpace(LLVMTypeOf(v));

	if (from != 4 && to != 4)
		text_refuse(f, "a cast from address space %u to %u", from, to);
	text_template(f, "($R)$0", v);
}

bool text_pointer_operation(struct text_function *f, LLVMValueRef v)
{
	switch ((int)text_opcode(v)) {
	case LLVMGetElementPtr:
		write_element_pointer(f, v);
		return true;
	case LLVMPtrToInt:
	case LLVMIntToPtr:
		text_template(f, "($R)(size_t)$0", v);
		return true;
	case LLVMAddrSpaceCast:
		write_space_cast(f, v);
		return true;
	case LLVMBitCast:
		/* In a constant, write what it stands for. */
		if (!text_is_pointer(LLVMTypeOf(v)))
			return false;
		text_value(f, v);
		return true;
	default:
		return false;
	}
}

static const char *const head = "#ifdef __NV_CL_C_VERSION\n"
#define TEXT_PIECE(type, bits, result, constraint, cast)                                           \
	"static __attribute__((always_inline)) " #type " warpline_past_" #type                     \
	"(warpline_global p)\n"                                                                    \
	"{\n"                                                                                      \
	"\t" result " v;\n"                                                                        \
	"\t__asm__ volatile(\"ld.global.cg.u" #bits " %0, [%1];\" : \"=" constraint                \
	"\"(v) : \"l\"((ulong)p) : \"memory\");\n"                                                 \
	"\treturn " cast "v;\n"                                                                    \
	"}\n"
	TEXT_PIECE(uchar, 8, "uint", "r", "(uchar)") TEXT_PIECE(
		ushort, 16, "ushort", "h",
		"") TEXT_PIECE(uint, 32, "uint", "r", "") TEXT_PIECE(ulong, 64, "ulong", "l", "")
#undef TEXT_PIECE
		"static __attribute__((always_inline)) uint2 warpline_past_uint2(warpline_global "
		"p)\n"
		"{\n"
		"\tuint x, y;\n"
		"\t__asm__ volatile(\"ld.global.cg.v2.u32 {%0, %1}, [%2];\" : \"=r\"(x), \"=r\"(y) "
		": "
		"\"l\"((ulong)p) : \"memory\");\n"
		"\treturn (uint2)(x, y);\n"
		"}\n"
		"static __attribute__((always_inline)) uint4 warpline_past_uint4(warpline_global "
		"p)\n"
		"{\n"
		"\tuint x, y, z, w;\n"
		"\t__asm__ volatile(\"ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];\" : \"=r\"(x), "
		"\"=r\"(y), "
		"\"=r\"(z), \"=r\"(w) : \"l\"((ulong)p) : \"memory\");\n"
		"\treturn (uint4)(x, y, z, w);\n"
		"}\n"
		"static __attribute__((always_inline)) uint warpline_warp(void)\n"
		"{\n"
		"\treturn (uint)((get_local_id(0) + get_local_size(0) * (get_local_id(1) +\n"
		"\t        get_local_size(1) * get_local_id(2))) >> 5);\n"
		"}\n"
		"#define WARPLINE_LOAD(past, plain) (past)\n"
		"#define WARPLINE_LOAD_FROM(warps, past, plain) (warpline_warp() >= (warps) ? "
		"(past) : "
		"(plain))\n"
		"#else\n"
		"#define WARPLINE_LOAD(past, plain) (plain)\n"
		"#define WARPLINE_LOAD_FROM(warps, past, plain) (plain)\n"
		"#endif\n";

int text_bypass_head(struct str *out, struct err *err)
{
	return str_printf(out, err, "%s", head);
}

/* How a value is assembled from pieces. */
struct pieces {
	const char *function; /* warpline_past_... */
	const char *element;  /* of the vector to fill */
	unsigned bytes;       /* of one piece */
	unsigned count;
	unsigned lanes; /* of that vector; 0: a single piece, no vector */
};

static const struct {
	unsigned bytes, element_bytes;
	const char *function, *element;
} kinds[] = {
	{ 16, 4, "uint4", "uint" }, { 8, 4, "uint2", "uint" },    { 8, 8, "ulong", "ulong" },
	{ 4, 4, "uint", "uint" },   { 2, 2, "ushort", "ushort" }, { 1, 1, "uchar", "uchar" },
};

enum { KIND_COUNT = sizeof(kinds) / sizeof(kinds[0]), LANES_MAX = 16 };

/* The vector lengths of OpenCL C. */
static bool is_lanes(uint64_t lanes)
{
	return lanes == 2 || lanes == 3 || lanes == 4 || lanes == 8 || lanes == 16;
}

/* Try pieces of one kind for `bytes` bytes. */
static bool fit(struct pieces *p, size_t kind, uint64_t bytes)
{
	unsigned size = kinds[kind].bytes;
	uint64_t lanes = bytes / kinds[kind].element_bytes;

	if (bytes % size || lanes > LANES_MAX)
		return false;
	*p = (struct pieces){ kinds[kind].function, kinds[kind].element, size,
		              (unsigned)(bytes / size), (unsigned)lanes };
	if (p->count == 1)
		p->lanes = 0;
	return p->count == 1 || is_lanes(lanes);
}

/* The largest pieces that fill the type; its vectors of three have three elements here. */
static bool find_pieces(struct text_function *f, const struct text_bypass *b, struct pieces *p)
{
	LLVMTypeRef element = text_element(b->type);
	unsigned lanes = text_lanes(b->type), alignment = b->alignment;
	uint64_t bytes = lanes == 3 ? 3 * text_size(f, element) : text_size(f, b->type);
	uint64_t largest = lanes == 3 ? text_size(f, element) : 16;

	if (text_is_bool(b->type) || text_is_aggregate(b->type) ||
	    (text_is_pointer(b->type) && bytes != 8))
		return false;
	alignment = alignment ? alignment : text_alignment(f, b->type);
	for (size_t kind = 0; kind < KIND_COUNT; kind++)
		if (kinds[kind].bytes <= largest && kinds[kind].bytes <= alignment &&
		    fit(p, kind, bytes))
			return true;
	return false;
}

/* (uint8)(warpline_past_uint4(v1), warpline_past_uint4(v1 + 16)) */
static void put_pieces(struct text_function *f, const struct text_bypass *b, const struct pieces *p)
{
	if (p->lanes)
		text_put(f, "(%s%u)(", p->element, p->lanes);
	for (unsigned i = 0; i < p->count; i++) {
		text_put(f, "%swarpline_past_%s(", i ? ", " : "", p->function);
		text_value(f, b->pointer);
		if (i)
			text_put(f, " + %u", i * p->bytes);
		text_put(f, ")");
	}
	if (p->lanes)
		text_put(f, ")");
}

/*
 * Begin a marked load (mark.h) whose type can be assembled from pieces; the plain load and ")"
 * follow. Returns false, with nothing written, for any other.
 */
static bool text_bypass_begin(struct text_function *f, const struct text_bypass *b)
{
	bool is_pointer = text_is_pointer(b->type);
	struct bypass_mark mark;
	struct pieces pieces;

	if (!f->module->table || f->module->pointer_bytes != 8 ||
	    !bypass_mark_read(b->load, &mark) || mark.site >= f->module->table->site_count ||
	    !find_pieces(f, b, &pieces))
		return false;
	if (!f->is_dry) {
		f->module->has_bypasses = true;
		f->module->table->is_applied[mark.site] = true;
	}
	if (mark.warps)
		text_put(f, "WARPLINE_LOAD_FROM(%u, ", mark.warps);
	else
		text_put(f, "WARPLINE_LOAD(");
	text_put(f, is_pointer ? "(%s)(" : "as_%s(", text_type(f, b->type));
	put_pieces(f, b, &pieces);
	text_put(f, "), ");
	return true;
}

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

/* The type's name in clang's type-based alias analysis of the output. */
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
 * Whether the device's compiler must assume that the access may be to any type: the type in the
 * output is not the type that the source accessed.
 */
static bool may_alias(const struct access *a)
{
	LLVMContextRef c = LLVMGetTypeContext(a->type);
	const char *name = alias_name(a->type), *said;
	LLVMValueRef node = LLVMGetMetadata(a->instruction, LLVMGetMDKindIDInContext(c, "tbaa", 4));
	unsigned length = 0;

	/* Characters and vectors may alias anything already. */
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

/* OpenCL C's function for vectors at addresses aligned only to an element. */
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

/* llvm.memcpy, memmove, memset: structs of bytes if the size is known, else loops. */

/* One call; operands: destination, source or byte, size, is volatile. */
struct copy {
	LLVMValueRef to, from, size;
	unsigned to_alignment, from_alignment;
	bool is_volatile;
};

static unsigned alignment_of(LLVMValueRef call, unsigned index)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("align", strlen("align"));
	LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, index + 1, kind);
	uint64_t alignment = a ? LLVMGetEnumAttributeValue(a) : 1;

	return alignment < 1 ? 1 : (unsigned)(alignment > 16 ? 16 : alignment);
}

static const char *space_of(struct text_function *f, LLVMValueRef pointer)
{
	return text_space(f, LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)));
}

static void write_struct(struct text_function *f, const struct copy *c, LLVMValueRef pointer,
                         unsigned alignment)
{
	const char *type = text_bytes_type(f, LLVMConstIntGetZExtValue(c->size), alignment);

	text_put(f, "*(%s%s%s %s *)", c->is_volatile ? "volatile " : "",
	         pointer == c->from ? "const " : "", space_of(f, pointer), type);
	text_value(f, pointer);
}

/* A copy of known size; memmove goes through a variable, since the two may overlap. */
static void write_known(struct text_function *f, const struct copy *c, bool is_move)
{
	unsigned alignment =
		c->to_alignment < c->from_alignment ? c->to_alignment : c->from_alignment;

	text_line(f);
	if (is_move) {
		text_put(f, "{ const %s warpline_moved = ",
		         text_bytes_type(f, LLVMConstIntGetZExtValue(c->size), alignment));
		write_struct(f, c, c->from, alignment);
		text_put(f, "; ");
	}
	write_struct(f, c, c->to, alignment);
	text_put(f, " = ");
	if (is_move)
		text_put(f, "warpline_moved; }\n");
	else {
		write_struct(f, c, c->from, alignment);
		text_put(f, ";\n");
	}
}

static void write_byte(struct text_function *f, const struct copy *c, LLVMValueRef pointer)
{
	text_put(f, "((%s%s uchar *)", c->is_volatile ? "volatile " : "", space_of(f, pointer));
	text_value(f, pointer);
	text_put(f, ")[warpline_i]");
}

static void write_up(struct text_function *f, const struct copy *c, bool is_set)
{
	text_line(f);
	text_put(f, "for (size_t warpline_i = 0; warpline_i < ");
	text_value(f, c->size);
	text_put(f, "; warpline_i++)\n\t");
	text_line(f);
	write_byte(f, c, c->to);
	text_put(f, " = ");
	if (is_set)
		text_value(f, c->from);
	else
		write_byte(f, c, c->from);
	text_put(f, ";\n");
}

/* Downwards if the destination is above the source. */
static void write_move(struct text_function *f, const struct copy *c)
{
	text_line(f);
	text_put(f, "if ((size_t)");
	text_value(f, c->to);
	text_put(f, " > (size_t)");
	text_value(f, c->from);
	text_put(f, ")\n\t");
	text_line(f);
	text_put(f, "for (size_t warpline_i = ");
	text_value(f, c->size);
	text_put(f, "; warpline_i-- > 0;)\n\t\t");
	text_line(f);
	write_byte(f, c, c->to);
	text_put(f, " = ");
	write_byte(f, c, c->from);
	text_put(f, ";\n");
	text_line(f);
	text_put(f, "else\n");
	f->indent++;
	write_up(f, c, false);
	f->indent--;
}

bool text_copy(struct text_function *f, LLVMValueRef call, const char *name)
{
	bool is_set = !strncmp(name, "llvm.memset.", 12);
	bool is_move = !strncmp(name, "llvm.memmove.", 13);
	bool is_known;
	struct copy c;

	if (!is_set && !is_move && strncmp(name, "llvm.memcpy.", 12) != 0)
		return false;
	c = (struct copy){
		.to = LLVMGetOperand(call, 0),
		.from = LLVMGetOperand(call, 1),
		.size = LLVMGetOperand(call, 2),
		.to_alignment = alignment_of(call, 0),
		.from_alignment = is_set ? 1 : alignment_of(call, 1),
		.is_volatile = !LLVMIsNull(LLVMGetOperand(call, 3)),
	};
	is_known = LLVMIsAConstantInt(c.size);
	if (is_known && LLVMIsNull(c.size))
		return true;
	if (is_set || (!is_known && !is_move))
		write_up(f, &c, is_set);
	else if (is_known)
		write_known(f, &c, is_move);
	else
		write_move(f, &c);
	return true;
}
