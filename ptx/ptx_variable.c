/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_variable.h"

#include "err.h"

static const struct {
	const char *name;
	enum ptx_class class;
	unsigned bits;
} types[] = {
	{ "none", PTX_CLASS_B, 32 },
#define PTX_TYPE(name, class, bits) { #name, PTX_CLASS_##class, bits },
#include "ptx_types.def"
#undef PTX_TYPE
};

enum ptx_type ptx_type_of(struct ptx_word suffix)
{
	struct ptx_word name = { suffix.at + 1, suffix.length ? suffix.length - 1 : 0 };

	for (unsigned i = 1; suffix.length && i < PTX_TYPE_COUNT; i++)
		if (ptx_word_is(name, types[i].name))
			return (enum ptx_type)i;
	return PTX_NO_TYPE;
}

enum ptx_class ptx_type_class(enum ptx_type type)
{
	return types[type].class;
}

unsigned ptx_type_bits(enum ptx_type type)
{
	return types[type].bits;
}

const char *ptx_type_name(enum ptx_type type)
{
	return types[type].name;
}

bool ptx_type_is_float(enum ptx_type type)
{
	return types[type].class == PTX_CLASS_F;
}

bool ptx_type_is_half(enum ptx_type type)
{
	return types[type].class == PTX_CLASS_H || types[type].class == PTX_CLASS_W;
}

bool ptx_type_is_signed(enum ptx_type type)
{
	return types[type].class == PTX_CLASS_S;
}

#define DIMENSIONS_MOST 8
#define ALIGNMENT_MOST  4096
#define NESTING_MOST    8

static const struct {
	const char *suffix;
	enum ptx_space space;
} spaces[] = {
	{ ".global", PTX_GLOBAL },
	{ ".shared", PTX_SHARED },
	{ ".shared::cta", PTX_SHARED },
	{ ".const", PTX_CONST },
	{ ".local", PTX_LOCAL },
	{ ".param", PTX_PARAM },
	{ ".param::entry", PTX_PARAM },
	{ ".param::func", PTX_PARAM },
	{ ".reg", PTX_REG },
};

enum ptx_space ptx_space_of(struct ptx_word suffix)
{
	for (size_t i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++)
		if (ptx_word_is(suffix, spaces[i].suffix))
			return spaces[i].space;
	return PTX_GENERIC;
}

/* .attribute(.managed) */
static int take_attribute(struct ptx_scan *s, struct ptx_variable *v)
{
	struct ptx_scan inner = *s;

	v->is_managed = ptx_scan_take(&inner, "(") && ptx_scan_take(&inner, ".managed");
	return ptx_scan_skip_nested(s);
}

/* After .ptr, suffixes describe what it points to: of .ptr .global .align 4 only .ptr counts. */
static int take_suffix(struct ptx_scan *s, struct ptx_variable *v, struct ptx_word suffix)
{
	enum ptx_type type = ptx_type_of(suffix);
	enum ptx_space space = ptx_space_of(suffix);
	uint64_t ignored;

	if (type != PTX_NO_TYPE)
		v->type = type;
	else if (space != PTX_GENERIC && v->space == PTX_GENERIC)
		v->space = space;
	else if (ptx_word_is(suffix, ".align"))
		return ptx_scan_integer(s, ALIGNMENT_MOST,
		                        v->is_pointer ? &ignored : &v->alignment_bytes);
	else if (ptx_word_is(suffix, ".ptr"))
		v->is_pointer = true;
	else if (ptx_word_is_in(suffix, ".texref .surfref .samplerref"))
		v->is_texture = true;
	else if (ptx_word_is(suffix, ".v2") || ptx_word_is(suffix, ".v4"))
		v->lanes = (uint64_t)(suffix.at[2] - '0');
	else if (ptx_word_is(suffix, ".attribute"))
		return take_attribute(s, v);
	return 0;
}

/* Take the sizes in brackets; *count becomes the total number of elements. */
static int take_dimensions(struct ptx_scan *s, struct ptx_variable *v, uint64_t *count)
{
	for (unsigned i = 0; ptx_scan_take(s, "["); i++) {
		uint64_t size = 0;
		int ret = 0;

		v->is_array = true;
		if (!ptx_scan_sees(s, "]"))
			ret = ptx_scan_integer(s, PTX_VARIABLE_BYTES_MOST, &size);
		if (!ret)
			ret = ptx_scan_expect(s, "]");
		if (ret)
			return ret;
		if (i == DIMENSIONS_MOST || (size && *count > PTX_VARIABLE_BYTES_MOST / size))
			return err_set(s->err, ERR_LIMIT, "%s:%zu: '%.*s' is too large", s->path,
			               v->line, PTX_WORD_ARGS(v->name));
		*count *= size;
	}
	return 0;
}

/* name, name+4, generic(name), generic(name)+4 */
static int take_symbol(struct ptx_scan *s, struct ptx_initial *value)
{
	bool is_generic = ptx_scan_take(s, "generic");
	struct ptx_number added = { 0 };
	int ret = is_generic ? ptx_scan_expect(s, "(") : 0;

	if (!ret)
		ret = ptx_scan_name(s, &value->symbol);
	if (!ret && is_generic)
		ret = ptx_scan_expect(s, ")");
	if (!ret && (ptx_scan_take(s, "+") || ptx_scan_sees(s, "-")))
		ret = ptx_scan_number(s, &added);
	value->bits = added.bits;
	return ret;
}

/* 0xFF00(symbol): one byte of its address; the lowest byte stands for all of them. */
static int take_masked(struct ptx_scan *s, struct ptx_initial *value)
{
	uint64_t mask = value->bits;
	int ret = ptx_scan_expect(s, "(");

	if (!ret)
		ret = take_symbol(s, value);
	value->bytes = mask == 0xff ? 8 : 0;
	return ret ? ret : ptx_scan_expect(s, ")");
}

static int take_value(struct ptx_scan *s, const struct ptx_variable *v, struct ptx_initial *value)
{
	struct ptx_number number;
	int ret;

	value->bytes = (ptx_type_bits(v->type) + 7) / 8;
	if (ptx_scan_peek(s).kind == PTX_WORD)
		return take_symbol(s, value);
	ret = ptx_scan_number(s, &number);
	if (ret)
		return ret;
	value->bits = number.bits;
	if (number.kind == PTX_DOUBLE && v->type == PTX_f32) {
		union {
			uint64_t bits;
			double value;
		} wide = { .bits = number.bits };
		union {
			float value;
			uint32_t bits;
		} narrow = { .value = (float)wide.value };

		value->bits = narrow.bits;
	}
	return ptx_scan_sees(s, "(") ? take_masked(s, value) : 0;
}

/* Take one value at *offset_bytes. Only the first byte of an address adds a value. */
static int take_one(struct ptx_scan *s, struct ptx_variable *v, struct array *initials,
                    uint64_t *offset_bytes)
{
	struct ptx_initial value = { .offset_bytes = *offset_bytes }, *kept;
	int ret = take_value(s, v, &value);

	*offset_bytes += (ptx_type_bits(v->type) + 7) / 8;
	if (ret || !value.bytes || !initials)
		return ret;
	kept = array_push(initials, 1, s->err);
	if (!kept)
		return s->err ? s->err->code : ERR_NOMEM;
	*kept = value;
	v->initial_count++;
	return 0;
}

/* Take the values in braces, from *offset_bytes on. */
static int take_values(struct ptx_scan *s, struct ptx_variable *v, struct array *initials,
                       uint64_t *offset_bytes, unsigned depth)
{
	do {
		int ret;

		if (ptx_scan_sees(s, "}"))
			break;
		if (!ptx_scan_take(s, "{"))
			ret = take_one(s, v, initials, offset_bytes);
		else if (depth == NESTING_MOST)
			ret = ptx_scan_fail(s, ptx_scan_peek(s), "less nesting");
		else
			ret = take_values(s, v, initials, offset_bytes, depth + 1);
		if (ret)
			return ret;
	} while (ptx_scan_take(s, ","));
	return depth ? ptx_scan_expect(s, "}") : 0;
}

/* Check that all values are inside the variable. */
static int check_initials(struct ptx_scan *s, const struct ptx_variable *v,
                          const struct array *initials)
{
	for (size_t i = 0; i < v->initial_count; i++) {
		const struct ptx_initial *one =
			(const struct ptx_initial *)initials->data + v->first_initial + i;

		if (one->offset_bytes > v->bytes || one->bytes > v->bytes - one->offset_bytes)
			return err_set(s->err, ERR_FORMAT,
			               "%s:%zu: '%.*s' has %llu bytes, but more initial values",
			               s->path, v->line, PTX_WORD_ARGS(v->name),
			               (unsigned long long)v->bytes);
	}
	return 0;
}

static int take_initial(struct ptx_scan *s, struct ptx_variable *v, struct array *initials)
{
	uint64_t end_bytes = 0;
	int ret;

	v->first_initial = initials ? initials->count : 0;
	if (!ptx_scan_take(s, "="))
		return 0;
	v->has_initial = true;
	if (ptx_scan_take(s, "{"))
		ret = take_values(s, v, initials, &end_bytes, 1);
	else
		ret = take_values(s, v, initials, &end_bytes, 0);
	if (!ret && !v->bytes)
		v->bytes = end_bytes;
	return ret ? ret : check_initials(s, v, initials);
}

int ptx_variable_read_type(struct ptx_scan *s, struct ptx_variable *v)
{
	int ret = 0;

	while (!ret && ptx_scan_peek(s).kind == PTX_SUFFIX)
		ret = take_suffix(s, v, ptx_scan_word(s, ptx_scan_next(s)));
	if (!ret && v->type == PTX_NO_TYPE && !v->is_texture)
		ret = ptx_scan_fail(s, ptx_scan_peek(s), "a type");
	return ret;
}

int ptx_variable_read_name(struct ptx_scan *s, struct ptx_variable *v, struct array *initials)
{
	uint64_t count = v->lanes ? v->lanes : 1;
	int ret;

	v->line = ptx_scan_line(s, ptx_scan_peek(s));
	ret = ptx_scan_name(s, &v->name);
	if (!ret)
		ret = take_dimensions(s, v, &count);
	if (ret)
		return ret;
	v->bytes = count * ((ptx_type_bits(v->type) + 7) / 8);
	if (!v->alignment_bytes)
		v->alignment_bytes = (ptx_type_bits(v->type) + 7) / 8;
	if (v->alignment_bytes & (v->alignment_bytes - 1))
		return ptx_scan_fail(s, ptx_scan_peek(s), "an alignment that is a power of two");
	if (v->bytes > PTX_VARIABLE_BYTES_MOST)
		return err_set(s->err, ERR_LIMIT, "%s:%zu: '%.*s' is too large", s->path, v->line,
		               PTX_WORD_ARGS(v->name));
	return take_initial(s, v, initials);
}

int ptx_variable_read(struct ptx_scan *s, struct ptx_variable *v, struct array *initials)
{
	int ret = ptx_variable_read_type(s, v);

	return ret ? ret : ptx_variable_read_name(s, v, initials);
}
