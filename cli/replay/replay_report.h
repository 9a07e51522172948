/*
 * replay_report - what a replay found: as text for people, as JSON for programs (docs/json.md).
 */
#ifndef REPLAY_REPORT_H
#define REPLAY_REPORT_H

#include "counters.h"
#include "hierarchy.h"
#include "json_out.h"

#include <stdio.h>

struct err;
struct gpu;
struct recording;
struct replay_options;
struct replay_result;
struct schedule_result;
struct side_counts;

/* Sums over the launches played. */
struct replay_total {
	uint64_t launches;
	uint64_t lanes, requests;
	struct counters l1, read_only;
	bool has_read_only, has_bypass;
	struct hierarchy_counts below; /* no lists */
};

/* Of one launch. */
struct replayed_launch {
	const struct gpu *gpu;
	const struct recording *recording;
	size_t index;
	const struct replay_result *result;
};

/* As text: the head, a launch, a launch that was not played, the sums of several. */
void replay_text_head(FILE *out, const struct gpu *gpu, const struct replay_options *options);
void replay_text_launch(FILE *out, const struct replayed_launch *l);
void replay_text_skipped(FILE *out, const struct recording *r, size_t launch, const char *reason);
void replay_text_total(FILE *out, const struct gpu *gpu, const struct replay_total *total);

/* In the head: orders that are not the default, and that not all SMs are played. */
void replay_text_choices(FILE *out, const struct gpu *gpu, const struct replay_options *options);

/* The same as JSON; the caller owns the values. */
json_t *replay_json_launch(struct json_out *out, const struct replayed_launch *l);
json_t *replay_json_skipped(struct json_out *out, const struct recording *r, size_t launch,
                            const char *reason);
json_t *replay_json_total(struct json_out *out, const struct replay_total *total);

/* In the head: L2 and DRAM; nothing with l2 = off. */
void replay_text_below_head(FILE *out, const struct gpu *gpu);

/* Whether anything can have gone beside L1, in local or constant memory (enum address_space). */
bool replay_has_side(const struct replayed_launch *l, uint32_t space);

/* The counters of one site, if its memory (enum address_space) lies beside L1, as a member. */
void replay_json_side(struct json_out *out, json_t *site, uint32_t space,
                      const struct side_counts *c);

#endif
