/*
 * gpu_spec - a value that is one word of a list, with an optional argument after a colon:
 * `random:7`, `ways:1,3,1,1`.
 *
 * The words of a key are a string such as "lru|random:SEED|ways:P1,P2,...|bits:LIST". The part
 * after a colon is the form of the argument, which is then required:
 *   SEED        a number
 *   P1,P2,...   1..GPU_SPEC_MAX comma-separated numbers up to 2^32 - 1, stored in `list`
 *   LIST        1..GPU_SPEC_MAX comma-separated entries, each one or more bits 0..63 joined by `+`;
 *               `list` has the mask of each entry
 * It knows neither the meaning of the words nor other keys.
 */
#ifndef GPU_SPEC_H
#define GPU_SPEC_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct str;

enum { GPU_SPEC_MAX = 64 };

struct gpu_spec {
	uint32_t kind;  /* number of the word, from 0 */
	uint32_t count; /* entries of `list`; 0 if the word has none */
	uint64_t number;
	uint64_t list[GPU_SPEC_MAX];
};

/* Read `text`; `what` is the key, for messages. Unused members become 0. Returns 0, or ERR_USAGE
 * with *spec unchanged. */
int gpu_spec_parse(struct gpu_spec *spec, const char *words, const char *what, const char *text,
                   struct err *err);

/* Append the value as gpu_spec_parse() reads it, numbers decimal and bits ascending. Returns 0,
 * ERR_LIMIT or ERR_NOMEM. */
int gpu_spec_print(const struct gpu_spec *spec, const char *words, struct str *out,
                   struct err *err);

/* Returns word number `index`, and its length without colon and argument; NULL past the last. */
const char *gpu_spec_word(const char *words, uint32_t index, size_t *length);

#endif
