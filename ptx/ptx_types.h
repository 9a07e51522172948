/*
 * ptx_types - the types of PTX's instructions and registers.
 *
 * Halves, and pairs of halves, are kept as the bits that they are.
 */
#ifndef PTX_TYPES_H
#define PTX_TYPES_H

#include "ptx_word.h"

#include <stdbool.h>

enum ptx_class {
	PTX_CLASS_U,
	PTX_CLASS_S,
	PTX_CLASS_B,
	PTX_CLASS_F,
	PTX_CLASS_H,
	PTX_CLASS_W,
	PTX_CLASS_P,
};

/* No type: the first, so that what is zeroed has none. */
enum ptx_type {
	PTX_NO_TYPE,
#define PTX_TYPE(name, class, bits) PTX_##name,
#include "ptx_types.def"
#undef PTX_TYPE
	PTX_TYPE_COUNT
};

/* The type that a suffix (".u32") names, or PTX_NO_TYPE. */
enum ptx_type ptx_type_of(struct ptx_word suffix);

enum ptx_class ptx_type_class(enum ptx_type type);
unsigned ptx_type_bits(enum ptx_type type);
const char *ptx_type_name(enum ptx_type type);

/* Whether it is f32 or f64; f16, bf16 or a pair of these. */
bool ptx_type_is_float(enum ptx_type type);
bool ptx_type_is_half(enum ptx_type type);
bool ptx_type_is_signed(enum ptx_type type);

#endif
