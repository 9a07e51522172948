/*
 * finding_scenes - kernels made to show what a rule of findings.def looks for, and kernels made not
 * to.
 *
 * Not part of the program. Each scene is a kernel in groups of one warp of 32 work-items, which
 * come to three sites in a loop: 0 reads A, 1 reads B or local memory, 2 writes or updates C. Where
 * each goes is said by a function.
 */
#ifndef FINDING_SCENES_H
#define FINDING_SCENES_H

#include "finding.h"

#include <stdint.h>

struct err;

/* Where a site goes; SCENE_NOWHERE: the lane does not come to it. */
#define SCENE_NOWHERE UINT64_MAX

struct scene_access {
	uint32_t site;
	uint64_t group;
	uint32_t lane, k; /* k: of the loop */
	uint32_t launch;  /* 0: the first */
};

struct finding_scene_row {
	const char *name;
	enum finding_rule rule;
	bool shows; /* the rule is to find something, or it is not to */
	uint32_t groups, times;
	const char *sets, *ways; /* of L1, NULL: those of the GPU */
	bool has_atomics;        /* site 2 is an atomic */
	bool is_packed;          /* each site is a run over the loop, as the recorder makes them */
	bool has_local;          /* site 1 reads local memory */
	bool is_followed;        /* by a launch of the kernel `after`, with the same sites */
	bool is_repeated;        /* by another one of the same kernel */
	uint32_t bytes;          /* of an access; 0: 4 */
	const char *text;        /* of site 0; NULL: "A[i]" */
	uint64_t (*address)(const struct scene_access *a);
	const char *says; /* part of the sentence; NULL: not looked at */
};

extern const struct finding_scene_row finding_scenes[];
extern const size_t finding_scene_count;

/* Make the recording of a scene. Returns 0 or a negative ERR_*. */
int finding_scene_make(const struct finding_scene_row *row, const char *dir, struct err *err);

#endif
