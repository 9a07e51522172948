/*
 * ptx_variable - a declaration of a variable or a parameter, `.global .align 4 .b8 name[16]`, and
 * the types it can have.
 */
#ifndef PTX_VARIABLE_H
#define PTX_VARIABLE_H

#include "array.h"
#include "ptx_scan.h"

#include <stdbool.h>

/*
 * The types of PTX's instructions and registers.
 *
 * Halves, and pairs of halves, are kept as the bits that they are.
 */

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

enum ptx_space {
	PTX_GENERIC,
	PTX_GLOBAL,
	PTX_SHARED,
	PTX_CONST,
	PTX_LOCAL,
	PTX_PARAM,
	PTX_REG, /* parameters of functions only */
};

/* One value of an initialiser. */
struct ptx_initial {
	uint64_t offset_bytes;
	uint64_t bits;          /* the value; or what is added to the symbol's address */
	struct ptx_word symbol; /* length 0: none */
	unsigned bytes;
};

struct ptx_variable {
	struct ptx_word name;
	size_t line;
	enum ptx_space space;
	enum ptx_type type;
	uint64_t bytes; /* 0: of unknown size */
	uint64_t alignment_bytes;
	uint64_t lanes;  /* of a vector; 0: not a vector */
	bool is_pointer; /* .ptr: a parameter's, whose space and alignment are not read */
	bool is_array, is_extern, is_visible, is_managed, has_initial;
	bool is_texture; /* a texture, surface or sampler: not read */
	size_t first_initial, initial_count;
};

/* Larger ones, and more values than that, are refused. */
#define PTX_VARIABLE_BYTES_MOST ((uint64_t)1 << 40)
#define PTX_INITIALS_MOST       ((size_t)1 << 26)

/* The space that a suffix names, of a declaration or an instruction; PTX_GENERIC for none. */
enum ptx_space ptx_space_of(struct ptx_word suffix);

/*
 * Read the declaration from after its linkage (.extern, .visible..., given in *v) to after the
 * name, its dimensions and its initialiser, whose values are appended to `initials` (struct
 * ptx_initial; NULL: they are not kept). 0, ERR_FORMAT, ERR_LIMIT or ERR_NOMEM.
 */
int ptx_variable_read(struct ptx_scan *s, struct ptx_variable *v, struct array *initials);

/* Its two halves, for lists: what comes before the name, and the rest. */
int ptx_variable_read_type(struct ptx_scan *s, struct ptx_variable *v);
int ptx_variable_read_name(struct ptx_scan *s, struct ptx_variable *v, struct array *initials);

#endif
