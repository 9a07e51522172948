/* SPDX-License-Identifier: Apache-2.0 */
#include "warp_opcode.h"

#include <stddef.h>
#include <string.h>

struct opcode_row {
	const char *name;
	enum warp_opcode_class class;
	bool is_generic;
};

static const struct opcode_row rows[] = {
#define WARP_OPCODE(name, CLASS, is_generic) { name, WARP_##CLASS, is_generic },
#include "warp_opcodes.def"
#undef WARP_OPCODE
};

static const struct class_row {
	const char *text;
	bool is_lost;
} classes[] = {
#define WARP_CLASS(NAME, what, is_lost) { what, is_lost },
#include "warp_opcodes.def"
#undef WARP_CLASS
};

/* Whether the part of `length` letters is `text`. */
static bool is_part(const char *part, size_t length, const char *text)
{
	return strlen(text) == length && !memcmp(part, text, length);
}

/* The width that a part says, in bytes, or 0. */
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

/* Of the barriers, those that wait. */
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
