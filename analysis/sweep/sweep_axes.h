/*
 * sweep_axes - the L1s that `warpline sweep` compares: sets, ways, lines, index functions and
 * replacement policies, in every combination that there is.
 */
#ifndef SWEEP_AXES_H
#define SWEEP_AXES_H

#include "array.h"
#include "gpu.h"
#include "number_list.h"

struct err;
struct str;

/* What was given on the command line; NULL: the GPU's own. */
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
	bool names_policies; /* policies or latency were given: CSV has their columns */
};

/* Returns 0, or ERR_USAGE with the option in front. */
int sweep_axes_parse(struct sweep_axes *a, const struct sweep_axes_choice *c, const struct gpu *gpu,
                     struct err *err);

/*
 * The geometries (struct sweep_geometry, appended to *out) that a GPU with the lines of `gpu` can
 * have, whatever its ways and policy, by index function, then by sets. Those that it cannot have
 * are counted in *left_out, and `why`, cleared before, holds the reason for the first. Returns 0
 * or ERR_NOMEM.
 */
int sweep_axes_geometries(const struct sweep_axes *a, const struct gpu *gpu, struct array *out,
                          size_t *left_out, struct err *why, struct err *err);

/* The word of an index function, as gpu_fields.def has it, without a list. Returns `text`. */
enum { SWEEP_INDEX_BYTES = 16 };
const char *sweep_axes_index(char text[SWEEP_INDEX_BYTES], uint32_t index);

/* Append the word of a policy, as --l1-policy takes it. Returns 0, ERR_LIMIT or ERR_NOMEM. */
int sweep_axes_policy(struct str *out, const struct gpu_spec *policy, struct err *err);

#endif
