/* SPDX-License-Identifier: Apache-2.0 */
#include "text_bypass.h"

#include "err.h"
#include "kernel_table.h"
#include "mark.h"
#include "text_type.h"
#include "text_value.h"

#include <llvm-c/Core.h>

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

/* How a value is put together. */
struct pieces {
	const char *function; /* warpline_past_... */
	const char *element;  /* of the vector that they fill */
	unsigned bytes;       /* of a piece */
	unsigned count;
	unsigned lanes; /* of that vector; 0: there is one piece, and none */
};

static const struct {
	unsigned bytes, element_bytes;
	const char *function, *element;
} kinds[] = {
	{ 16, 4, "uint4", "uint" }, { 8, 4, "uint2", "uint" },    { 8, 8, "ulong", "ulong" },
	{ 4, 4, "uint", "uint" },   { 2, 2, "ushort", "ushort" }, { 1, 1, "uchar", "uchar" },
};

enum { KIND_COUNT = sizeof(kinds) / sizeof(kinds[0]), LANES_MAX = 16 };

/* Vectors of OpenCL C. */
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

bool text_bypass_begin(struct text_function *f, const struct text_bypass *b)
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
