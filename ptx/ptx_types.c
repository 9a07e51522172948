/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_types.h"

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
