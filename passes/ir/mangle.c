/* SPDX-License-Identifier: Apache-2.0 */
#include "mangle.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define MAX_SUBSTITUTIONS 32
#define MAX_DEPTH         8

/* A type while it is read: until kind is POINTER, `text` is the pointed-to type. */
struct reading {
	const char *at;
	struct mangle_parameter seen[MAX_SUBSTITUTIONS]; /* in order: S_, S0_, S1_... */
	unsigned seen_count;
};

/* When one code is a prefix of another, the longer comes first. */
static const struct {
	const char *code, *text;
	unsigned bytes;
} scalars[] = {
	{ "Dh", "half", 2 }, { "b", "bool", 1 },  { "c", "char", 1 },   { "a", "char", 1 },
	{ "h", "uchar", 1 }, { "s", "short", 2 }, { "t", "ushort", 2 }, { "i", "int", 4 },
	{ "j", "uint", 4 },  { "l", "long", 8 },  { "m", "ulong", 8 },  { "x", "long", 8 },
	{ "y", "ulong", 8 }, { "f", "float", 4 }, { "d", "double", 8 },
};

/* Types that clang mangles by name. */
#define OBJECT(name, text) { "ocl_" name, text, MANGLE_OBJECT }
#define IMAGE(name)                                                                                \
	OBJECT(name "_ro", "__read_only " name "_t"),                                              \
		OBJECT(name "_wo", "__write_only " name "_t"),                                     \
		OBJECT(name "_rw", "__read_write " name "_t")
#define ENUM(name) { name, name, MANGLE_SCALAR }

static const struct {
	const char *name, *text;
	enum mangle_kind kind;
} named[] = {
	OBJECT("event", "event_t"),
	OBJECT("sampler", "sampler_t"),
	OBJECT("queue", "queue_t"),
	OBJECT("clkevent", "clk_event_t"),
	OBJECT("reserveid", "reserve_id_t"),
	IMAGE("image1d"),
	IMAGE("image1d_array"),
	IMAGE("image1d_buffer"),
	IMAGE("image2d"),
	IMAGE("image2d_array"),
	IMAGE("image2d_depth"),
	IMAGE("image2d_array_depth"),
	IMAGE("image2d_msaa"),
	IMAGE("image2d_array_msaa"),
	IMAGE("image2d_msaa_depth"),
	IMAGE("image2d_array_msaa_depth"),
	IMAGE("image3d"),
	ENUM("memory_order"),
	ENUM("memory_scope"),
	ENUM("cl_mem_fence_flags"),
	ENUM("kernel_enqueue_flags_t"),
	ENUM("clk_profiling_info"),
};

#undef OBJECT
#undef IMAGE
#undef ENUM

static bool read_type(struct reading *r, struct mangle_parameter *p, int depth);

const char *mangle_object(unsigned i)
{
	return i < sizeof(named) / sizeof(named[0]) ? named[i].text : NULL;
}

int mangle_object_number(const char *text)
{
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		if (!strcmp(named[i].text, text))
			return (int)i;
	return -1;
}

static bool skip(struct reading *r, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(r->at, word, length) != 0)
		return false;
	r->at += length;
	return true;
}

/* Read a decimal number; 0 if there is none or it exceeds 4096. */
static size_t read_number(const char **at)
{
	size_t n = 0;

	while (**at >= '0' && **at <= '9') {
		n = n * 10 + (size_t)(*(*at)++ - '0');
		if (n > 4096)
			return 0;
	}
	return n;
}

static bool set(struct mangle_parameter *p, enum mangle_kind kind, const char *text)
{
	int length = snprintf(p->text, sizeof(p->text), "%s", text);

	p->kind = kind;
	return length >= 0 && (size_t)length < sizeof(p->text);
}

static bool remember(struct reading *r, const struct mangle_parameter *p)
{
	if (r->seen_count == MAX_SUBSTITUTIONS)
		return false;
	r->seen[r->seen_count++] = *p;
	return true;
}

/* S_, S0_ .. SZ_, S10_ ..: base 36. */
static bool read_substitution(struct reading *r, struct mangle_parameter *p)
{
	size_t index = 0;

	for (; *r->at && *r->at != '_'; r->at++) {
		size_t digit;

		if (*r->at >= '0' && *r->at <= '9')
			digit = (size_t)(*r->at - '0');
		else if (*r->at >= 'A' && *r->at <= 'Z')
			digit = (size_t)(*r->at - 'A') + 10;
		else
			return false;
		index = index * 36 + digit + 1;
		if (index > MAX_SUBSTITUTIONS)
			return false;
	}
	if (!skip(r, "_") || index >= r->seen_count)
		return false;
	*p = r->seen[index];
	return true;
}

/* 9ocl_event: a candidate for substitution, as in clang. */
static bool read_named(struct reading *r, struct mangle_parameter *p)
{
	size_t length = read_number(&r->at);

	if (!length || strlen(r->at) < length)
		return false;
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		if (strlen(named[i].name) == length && !strncmp(r->at, named[i].name, length)) {
			r->at += length;
			return set(p, named[i].kind, named[i].text) && remember(r, p);
		}
	return false;
}

static bool read_scalar(struct reading *r, struct mangle_parameter *p)
{
	for (size_t i = 0; i < sizeof(scalars) / sizeof(scalars[0]); i++)
		if (skip(r, scalars[i].code)) {
			p->element_bytes = scalars[i].bytes;
			p->lanes = 1;
			return set(p, MANGLE_SCALAR, scalars[i].text);
		}
	return skip(r, "v") && set(p, MANGLE_VOID, "void");
}

/* Dv4_f, after "Dv" */
static bool read_vector(struct reading *r, struct mangle_parameter *p)
{
	size_t lanes = read_number(&r->at);
	char text[MANGLE_MAX_TYPE];

	if (lanes < 2 || lanes > 16 || !skip(r, "_") || !read_scalar(r, p) ||
	    p->kind != MANGLE_SCALAR)
		return false;
	snprintf(text, sizeof(text), "%.60s%zu", p->text, lanes);
	p->lanes = (unsigned)lanes;
	return set(p, MANGLE_VECTOR, text) && remember(r, p);
}

/* U7_Atomici, after "U7_Atomic" */
static bool read_atomic(struct reading *r, struct mangle_parameter *p)
{
	char text[MANGLE_MAX_TYPE];

	if (!read_scalar(r, p))
		return false;
	snprintf(text, sizeof(text), "atomic_%.60s", p->text);
	return set(p, MANGLE_SCALAR, text) && remember(r, p);
}

static const char *space_word(unsigned space)
{
	static const char *const words[] = { "__private", "__global", "__constant", "__local",
		                             "__generic" };

	return space < sizeof(words) / sizeof(words[0]) ? words[space] : NULL;
}

/* Read what follows "P": qualifiers, then the type. */
static bool read_pointer(struct reading *r, struct mangle_parameter *p, int depth)
{
	char text[MANGLE_MAX_TYPE];
	bool is_volatile, is_const, is_new;
	const char *space = space_word(0);
	int length;

	if (!strncmp(r->at, "U3AS", 4)) {
		r->at += 4;
		space = *r->at >= '0' && *r->at <= '9' ? space_word((unsigned)(*r->at++ - '0'))
		                                       : NULL;
	}
	is_volatile = skip(r, "V");
	is_const = skip(r, "K");
	if (!space || !read_type(r, p, depth))
		return false;
	if (p->kind == MANGLE_POINTER)
		p->element_bytes = 0;
	/* A substitution may bring its own qualifiers: S0_, where that is a qualified type. */
	is_new = !p->has_space;
	if (!is_new)
		space = "";
	length = snprintf(text, sizeof(text), "%s%s%s%s%s", is_volatile ? "volatile " : "",
	                  is_const ? "const " : "", space, *space ? " " : "", p->text);
	if (length < 0 || (size_t)length + 3 > sizeof(text) || !set(p, p->kind, text))
		return false;
	p->has_space = true;
	/* Private memory counts as a qualifier too, though it has no code. */
	if (is_new && !remember(r, p))
		return false;
	snprintf(text + length, sizeof(text) - (size_t)length, " *");
	p->has_space = false;
	return set(p, MANGLE_POINTER, text) && remember(r, p);
}

static bool read_type(struct reading *r, struct mangle_parameter *p, int depth)
{
	if (depth > MAX_DEPTH)
		return false;
	if (skip(r, "P"))
		return read_pointer(r, p, depth + 1);
	if (skip(r, "S"))
		return read_substitution(r, p);
	if (skip(r, "Dv"))
		return read_vector(r, p);
	if (skip(r, "U7_Atomic"))
		return read_atomic(r, p);
	if (*r->at >= '1' && *r->at <= '9')
		return read_named(r, p);
	return read_scalar(r, p);
}

bool mangle_read(struct mangle *m, const char *symbol)
{
	struct reading r = { .at = symbol };

	*m = (struct mangle){ 0 };
	if (!skip(&r, "_Z"))
		return false;
	m->length = read_number(&r.at);
	m->name = r.at;
	if (!m->length || strlen(r.at) <= m->length)
		return false;
	r.at += m->length;
	while (*r.at) {
		struct mangle_parameter p = { 0 };

		if (m->parameter_count == MANGLE_MAX_PARAMETERS || !read_type(&r, &p, 0))
			return false;
		if (p.kind == MANGLE_VOID)
			return !*r.at && m->parameter_count == 0;
		m->parameters[m->parameter_count++] = p;
	}
	return true;
}

bool mangle_pointee(const char *symbol, unsigned index, struct mangle_parameter *pointee)
{
	struct mangle m;

	if (!mangle_read(&m, symbol) || index >= m.parameter_count)
		return false;
	*pointee = m.parameters[index];
	return pointee->kind == MANGLE_POINTER && pointee->element_bytes;
}
