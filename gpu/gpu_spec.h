/*
 * gpu_spec - one word of a list, with what stands behind its colon: `random:7`, `ways:1,3,1,1`.
 *
 * The words of a key are a text "lru|random:SEED|ways:P1,P2,...|bits:LIST". What stands behind a
 * colon there says what a value must have:
 *   SEED        a number
 *   P1,P2,...   1..GPU_SPEC_MAX numbers up to 2^32 - 1, with commas: `list`
 *   LIST        1..GPU_SPEC_MAX entries with commas, each one or more bits 0..63 with `+` between
 *               them; `list` has the mask of each entry
 * It knows nothing of what the words mean, nor of other keys.
 */
#ifndef GPU_SPEC_H
#define GPU_SPEC_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct str;

enum { GPU_SPEC_MAX = 64 };

struct gpu_spec {
	uint32_t kind;  /* which word, from 0 */
	uint32_t count; /* of `list`; 0 when the word takes none */
	uint64_t number;
	uint64_t list[GPU_SPEC_MAX];
};

/* Read `text`; `what` is the key, for messages. Unused members become 0. Returns 0, or ERR_USAGE
 * with *spec as it was. */
int gpu_spec_parse(struct gpu_spec *spec, const char *words, const char *what, const char *text,
                   struct err *err);

/* Append it as text that gpu_spec_parse() reads back as the same, numbers decimal and bits
 * ascending. Returns 0, ERR_LIMIT, ERR_NOMEM. */
int gpu_spec_print(const struct gpu_spec *spec, const char *words, struct str *out,
                   struct err *err);

/* Word number `index`, without what stands behind its colon, and its length; NULL past the last. */
const char *gpu_spec_word(const char *words, uint32_t index, size_t *length);

#endif
