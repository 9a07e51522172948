/*
 * naive_array - a cache by the definitions of replacement.def, word for word: an oracle.
 *
 * Every line knows when it came and when it was last used; nothing is kept in order, all ways are
 * looked at every time. It draws from its own splitmix64.
 */
#ifndef NAIVE_ARRAY_H
#define NAIVE_ARRAY_H

#include "gpu.h"

#include <stdbool.h>

struct naive_line {
	uint64_t key, came, last, uses;
	uint32_t prediction; /* of srrip */
	bool is_used, is_locked;
};

struct naive_array {
	uint32_t sets, ways, leaves;
	struct gpu_spec policy;
	struct naive_line *lines; /* sets * ways */
	bool *points_up;          /* sets * leaves: by node, which half plru replaces in */
	uint64_t now, random;
};

void naive_array_init(struct naive_array *n, uint32_t sets, uint32_t ways,
                      const struct gpu_spec *policy);
void naive_array_release(struct naive_array *n);

/* As those of cache_array, -1 for CACHE_ARRAY_NONE; put also takes what was there. */
int64_t naive_array_find(const struct naive_array *n, uint32_t set, uint64_t key);
void naive_array_use(struct naive_array *n, int64_t slot);
int64_t naive_array_victim(struct naive_array *n, uint32_t set);
void naive_array_put(struct naive_array *n, int64_t slot, uint64_t key);
void naive_array_take(struct naive_array *n, int64_t slot);

#endif
