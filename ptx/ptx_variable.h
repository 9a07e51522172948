/*
 * ptx_variable - reads the declaration of a variable or a parameter,
 * `.global .align 4 .b8 name[16]`, and the types it can have.
 */
#ifndef PTX_VARIABLE_H
#define PTX_VARIABLE_H

#include "array.h"
#include "ptx_scan.h"

#include <stdbool.h>

/*
 * The types of PTX's instructions and registers. Halves and pairs of halves are kept as bits.
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

/* PTX_NO_TYPE is 0, so a zeroed struct has no type. */
enum ptx_type {
	PTX_NO_TYPE,
#define PTX_TYPE(name, class, bits) PTX_##name,
#include "ptx_types.def"
#undef PTX_TYPE
	PTX_TYPE_COUNT
};

/* Returns the type of a suffix (".u32"), or PTX_NO_TYPE. */
enum ptx_type ptx_type_of(struct ptx_word suffix);

enum ptx_class ptx_type_class(enum ptx_type type);

unsigned ptx_type_bits(enum ptx_type type);

const char *ptx_type_name(enum ptx_type type);

/* Return whether it is f32 or f64; whether it is f16, bf16 or a pair of these. */
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
	uint64_t bits;          /* the value, or the offset from the symbol's address */
	struct ptx_word symbol; /* length 0: none */
	unsigned bytes;
};

struct ptx_variable {
	struct ptx_word name;
	size_t line;
	enum ptx_space space;
	enum ptx_type type;
	uint64_t bytes; /* 0: unknown */
	uint64_t alignment_bytes;
	uint64_t lanes;  /* elements of a vector; 0: not a vector */
	bool is_pointer; /* .ptr of a parameter; its space and alignment are not read */
	bool is_array, is_extern, is_visible, is_managed, has_initial;
	bool is_texture; /* a texture, surface or sampler: not read */
	size_t first_initial, initial_count;
};

/* Larger variables, and initialisers with more values, are refused. */
#define PTX_VARIABLE_BYTES_MOST ((uint64_t)1 << 40)
#define PTX_INITIALS_MOST       ((size_t)1 << 26)

/* Returns the space of a suffix of a declaration or an instruction; PTX_GENERIC if it is none. */
enum ptx_space ptx_space_of(struct ptx_word suffix);

/*
 * Read a declaration, from after its linkage (.extern, .visible..., given in *v) to after the name,
 * its dimensions and its initialiser. The initial values are appended to `initials` (struct
 * ptx_initial; NULL: they are not kept). Returns 0, ERR_FORMAT, ERR_LIMIT or ERR_NOMEM.
 */
int ptx_variable_read(struct ptx_scan *s, struct ptx_variable *v, struct array *initials);

/* The two parts of ptx_variable_read(), for lists of variables: what precedes the name, and the
 * rest. */
int ptx_variable_read_type(struct ptx_scan *s, struct ptx_variable *v);
int ptx_variable_read_name(struct ptx_scan *s, struct ptx_variable *v, struct array *initials);

#endif
