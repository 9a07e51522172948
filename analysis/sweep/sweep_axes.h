/*
 * sweep_axes - the L1s that `warpline sweep` compares: all combinations of sets, ways, lines, index
 * functions and replacement policies.
 */
#ifndef SWEEP_AXES_H
#define SWEEP_AXES_H

#include "array.h"
#include "gpu.h"
#include "number_list.h"

struct err;
struct str;

/* Values of the command line; NULL: the GPU's own. */
struct sweep_axes_choice {
	const char *sets, *ways, *lines, *indices, *policies;
	const char *latency; /* NULL: off */
};

enum { SWEEP_POLICIES_MAX = 32 };

struct sweep_axes {
	struct number_list sets, ways, lines, indices; /* the last: enum gpu_l1_index */
	struct gpu_spec policies[SWEEP_POLICIES_MAX];
	size_t policy_count;
	bool has_latency;
	bool names_policies; /* policies or latency were given: CSV has columns for them */
};

/* Parse the options. Returns 0, or ERR_USAGE with a message that begins with the option. */
int sweep_axes_parse(struct sweep_axes *a, const struct sweep_axes_choice *c, const struct gpu *gpu,
                     struct err *err);

/*
 * Append the geometries (struct sweep_geometry) that a GPU with the lines of `gpu` can have,
 * whatever its ways and policy, to *out, by index function, then by sets. Impossible ones are
 * counted in *left_out, and `why`, cleared before, gets the reason for the first. Returns 0 or
 * ERR_NOMEM.
 */
int sweep_axes_geometries(const struct sweep_axes *a, const struct gpu *gpu, struct array *out,
                          size_t *left_out, struct err *why, struct err *err);

/* Get the word of an index function in gpu_fields.def, without a list. Returns `text`. */
enum { SWEEP_INDEX_BYTES = 16 };
const char *sweep_axes_index(char text[SWEEP_INDEX_BYTES], uint32_t index);

/* Append the word of a policy, as --l1-policy takes it. Returns 0, ERR_LIMIT or ERR_NOMEM. */
int sweep_axes_policy(struct str *out, const struct gpu_spec *policy, struct err *err);

#endif
