/* SPDX-License-Identifier: Apache-2.0 */
#include "warp_opcode.h"

#include <stddef.h>
#include <string.h>

/* The opcodes by the first part of the name. */
static const struct opcode_row {
	const char *name;
	enum warp_opcode_class class;
	bool is_generic; /* only the address shows which memory it is */
} rows[] = {
	{ "LDG", WARP_READ, false },       { "LDGSTS", WARP_READ, false },
	{ "LD", WARP_READ, true },         { "STG", WARP_WRITE, false },
	{ "ST", WARP_WRITE, true },        { "ATOMG", WARP_ATOMIC, false },
	{ "REDG", WARP_ATOMIC, false },    { "RED", WARP_ATOMIC, false },
	{ "ATOM", WARP_ATOMIC, true },     { "BAR", WARP_BARRIER, false },
	{ "LDS", WARP_SHARED, false },     { "LDSM", WARP_SHARED, false },
	{ "STS", WARP_SHARED, false },     { "STSM", WARP_SHARED, false },
	{ "ATOMS", WARP_SHARED, false },   { "REDS", WARP_SHARED, false },
	{ "SYNCS", WARP_SHARED, false },   { "LDL", WARP_LOCAL, false },
	{ "STL", WARP_LOCAL, false },      { "LDC", WARP_CONSTANT, false },
	{ "LDCU", WARP_CONSTANT, false },  { "ULDC", WARP_CONSTANT, false },
	{ "CCTL", WARP_CONTROL, false },   { "CCTLL", WARP_CONTROL, false },
	{ "CCTLT", WARP_CONTROL, false },  { "TEX", WARP_TEXTURE, false },
	{ "TEXS", WARP_TEXTURE, false },   { "TLD", WARP_TEXTURE, false },
	{ "TLDS", WARP_TEXTURE, false },   { "TLD4", WARP_TEXTURE, false },
	{ "TLD4S", WARP_TEXTURE, false },  { "TXD", WARP_TEXTURE, false },
	{ "SULD", WARP_TEXTURE, false },   { "SUST", WARP_TEXTURE, false },
	{ "SUATOM", WARP_TEXTURE, false }, { "SURED", WARP_TEXTURE, false },
	{ "UBLKCP", WARP_BULK, false },    { "UBLKPF", WARP_BULK, false },
	{ "UBLKRED", WARP_BULK, false },   { "UTMALDG", WARP_BULK, false },
	{ "UTMASTG", WARP_BULK, false },   { "UTMAPF", WARP_BULK, false },
	{ "UTMAREDG", WARP_BULK, false },
};

static const struct class_row {
	const char *text; /* the memory it accesses */
	bool is_lost;     /* it may access global memory, but is not recorded */
} classes[WARP_CLASS_COUNT] = {
	[WARP_READ] = { "global memory", false },
	[WARP_WRITE] = { "global memory", false },
	[WARP_ATOMIC] = { "global memory", false },
	[WARP_BARRIER] = { "no memory", false },
	[WARP_NONE] = { "no memory", false },
	[WARP_SHARED] = { "shared memory", false },
	[WARP_LOCAL] = { "local memory", false },
	[WARP_CONSTANT] = { "constant memory", false },
	[WARP_CONTROL] = { "caches", false },
	[WARP_TEXTURE] = { "textures and surfaces", true },
	[WARP_BULK] = { "global memory, in bulk", true },
	[WARP_UNKNOWN] = { "memory, not known which", true },
};

/* Whether the part of `length` letters is equal to `text`. */
static bool is_part(const char *part, size_t length, const char *text)
{
	return strlen(text) == length && !memcmp(part, text, length);
}

/* Returns the width of a part in bytes, or 0. */
static uint32_t part_bytes(const char *part, size_t length)
{
	static const struct {
		const char *text;
		uint32_t bytes;
	} widths[] = {
		{ "8", 1 },    { "U8", 1 },    { "S8", 1 },    { "16", 2 },     { "U16", 2 },
		{ "S16", 2 },  { "32", 4 },    { "U32", 4 },   { "S32", 4 },    { "F32", 4 },
		{ "64", 8 },   { "U64", 8 },   { "S64", 8 },   { "F64", 8 },    { "128", 16 },
		{ "256", 32 }, { "F16x2", 4 }, { "F16x4", 8 }, { "BF16x2", 4 }, { "F16x8", 16 },
	};

	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		if (is_part(part, length, widths[i].text))
			return widths[i].bytes;
	}
	return 0;
}

static uint32_t width_of(const char *name)
{
	while (*name) {
		size_t length = strcspn(name, ".");
		uint32_t bytes = part_bytes(name, length);

		if (bytes)
			return bytes;
		name += length;
		name += *name == '.';
	}
	return 4;
}

/* Whether a barrier instruction waits. */
static bool is_waiting(const char *name)
{
	return !strncmp(name, "BAR.SYNC", 8) || !strncmp(name, "BAR.RED", 7);
}

struct warp_opcode warp_opcode_read(const char *name, bool has_address)
{
	size_t first = strcspn(name, ".");
	struct warp_opcode o = { has_address ? WARP_UNKNOWN : WARP_NONE, false, width_of(name) };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!is_part(name, first, rows[i].name))
			continue;
		o.class = rows[i].class;
		o.is_generic = rows[i].is_generic;
	}
	if (o.class == WARP_BARRIER && !is_waiting(name))
		o.class = WARP_NONE;
	return o;
}

const char *warp_opcode_class_text(enum warp_opcode_class class)
{
	return classes[class].text;
}

bool warp_opcode_is_lost(enum warp_opcode_class class)
{
	return classes[class].is_lost;
}
