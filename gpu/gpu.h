/*
 * gpu - the modelled GPU, read from a description file.
 *
 * A description has lines `key = value`; `#` starts a comment, which gives the source of the value.
 * Keys are the rows of gpu_fields.def, each exactly once (those with a fallback at most once), and
 * `title = words`. A GPU whose L1 can be configured has sections `[l1 NAME]` at the end. The keys
 * of a section replace those above when that L1 is chosen; the first section is the default. A key
 * of the first section may be missing above.
 */
#ifndef GPU_H
#define GPU_H

#include "gpu_spec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct err;
struct str;

enum gpu_register_rounding { GPU_REGISTER_ROUNDING_WARP, GPU_REGISTER_ROUNDING_GROUP };
enum gpu_coalescing { GPU_COALESCING_FERMI, GPU_COALESCING_MAXWELL, GPU_COALESCING_VOLTA };
enum gpu_scoreboard { GPU_SCOREBOARD_EACH_LOAD, GPU_SCOREBOARD_IN_ORDER };
enum gpu_latency { GPU_LATENCY_ON, GPU_LATENCY_OFF };
enum gpu_l1_write {
	GPU_L1_WRITE_THROUGH_EVICT,
	GPU_L1_WRITE_THROUGH_UPDATE,
	GPU_L1_WRITE_THROUGH_ALLOCATE,
	GPU_L1_WRITE_BACK_ALLOCATE
};
enum gpu_l1_allocation { GPU_L1_ALLOCATION_AT_MISS, GPU_L1_ALLOCATION_AT_FILL };
enum gpu_bandwidth { GPU_BANDWIDTH_OFF, GPU_BANDWIDTH_ON };
enum gpu_l2 { GPU_L2_OFF, GPU_L2_ON };
enum gpu_slice_index { GPU_SLICE_INDEX_MODULO, GPU_SLICE_INDEX_XOR };
enum gpu_l2_write { GPU_L2_WRITE_BACK_ALLOCATE, GPU_L2_WRITE_THROUGH_UPDATE };
enum gpu_l2_partial_write { GPU_L2_PARTIAL_WRITE_FETCH, GPU_L2_PARTIAL_WRITE_MASK };
enum gpu_l2_inclusion {
	GPU_L2_INCLUSION_NON_INCLUSIVE,
	GPU_L2_INCLUSION_INCLUSIVE,
	GPU_L2_INCLUSION_EXCLUSIVE
};

/* Kinds of l1_index and l2_index. */
enum gpu_l1_index { GPU_L1_INDEX_MODULO, GPU_L1_INDEX_FERMI, GPU_L1_INDEX_XOR, GPU_L1_INDEX_BITS };

/* Kinds of l1_policy and l2_policy. */
enum gpu_policy {
	GPU_POLICY_LRU,
	GPU_POLICY_FIFO,
	GPU_POLICY_PLRU,
	GPU_POLICY_RANDOM,
	GPU_POLICY_LFU,
	GPU_POLICY_MRU,
	GPU_POLICY_SRRIP,
	GPU_POLICY_WAYS
};

/* The longest `key = value`, in bytes. */
enum { GPU_PAIR_BYTES = 512 };

/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): members come as the table has them */
struct gpu {
	char name[64]; /* the file's name without .conf */
	char title[96];
	char l1[32];                                /* the chosen section; "" if there are none */
	bool is_default;                            /* gpu_search_load() was given no name */
#define NUMBER(name, min, max, text) uint32_t name; /* text */
#define CHOICE(name, words, text)    uint32_t name;
#define SPEC(name, words, text)      struct gpu_spec name;
#include "gpu_fields.def"
};

/*
 * Read a description. `text` is the file's contents, `file` its name for messages; `l1` names a
 * section, or is NULL for the default. Returns 0, or ERR_CONFIG with "FILE:LINE: ..." for an
 * unknown, missing, repeated or out-of-range key, and for an unknown section, whose message lists
 * the sections.
 */
int gpu_parse(struct gpu *gpu, const char *file, const char *text, const char *l1, struct err *err);

/* Read a description file. Returns as gpu_parse() does, or ERR_IO or ERR_LIMIT for a file that
 * cannot be read. */
int gpu_load(struct gpu *gpu, const char *file, const char *l1, struct err *err);

/*
 * Change one key, as `--set KEY=VALUE` does. Returns 0 or ERR_USAGE.
 */
int gpu_set(struct gpu *gpu, const char *key_value, struct err *err);

/* Change one key without checking it against the others, for a caller that changes several keys and
 * then calls gpu_check(). Returns 0 or ERR_USAGE, with *gpu unchanged. */
int gpu_put(struct gpu *gpu, const char *key_value, struct err *err);

/* Check that keys agree with each other (powers of two, hash and sets, sizes). gpu_parse() and
 * gpu_set() do this. Returns 0 or ERR_CONFIG. */
int gpu_check(const struct gpu *gpu, struct err *err);

/* Returns the meaning of key number i, in the order of gpu_print() without the title; NULL past the
 * last. Static storage. */
const char *gpu_key_text(size_t i);

/* Append the description as gpu_parse() reads it. Returns 0, ERR_LIMIT or ERR_NOMEM. */
int gpu_print(const struct gpu *gpu, struct str *out, struct err *err);

#endif
