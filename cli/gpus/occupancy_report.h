/*
 * occupancy_report - the occupancy of an SM as text and JSON: the resident groups, what limits
 * them, and how it depends on registers.
 */
#ifndef OCCUPANCY_REPORT_H
#define OCCUPANCY_REPORT_H

#include "array.h"
#include "residency.h"

#include <jansson.h>
#include <stdio.h>

struct gpu;
struct json_out;

/* One kind of launch: a kernel with groups of one size and local memory. */
struct occupancy {
	const char *kernel; /* borrowed; NULL: without a recording */
	uint64_t launches;
	struct residency_need need; /* groups: of the largest launch, 0 without a recording */
	struct residency full;      /* with enough groups to run; 0 groups: none fits */
	struct residency used;      /* of the largest launch */
	struct array points;        /* struct residency_point, from 1 register on */
	char refusal[160];          /* why no group fits, or "" */
};

/* Compute full, used, points and refusal from `need`. Release in every case. 0 or ERR_NOMEM. */
int occupancy_fill(struct occupancy *o, const struct gpu *gpu, struct err *err);
void occupancy_release(struct occupancy *o);

void occupancy_text_head(FILE *out, const struct gpu *gpu);
void occupancy_text(FILE *out, const struct occupancy *o, const struct gpu *gpu);

/* An object, for docs/json.md's "occupancy". */
json_t *occupancy_json(struct json_out *out, const struct occupancy *o, const struct gpu *gpu);

/* "groups to run", "registers", ... Static storage. */
const char *occupancy_limit_text(enum residency_limit limit);

#endif
