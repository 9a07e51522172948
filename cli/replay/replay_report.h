/*
 * replay_report - what a replay found: as text for people, as JSON for programs (docs/json.md).
 */
#ifndef REPLAY_REPORT_H
#define REPLAY_REPORT_H

#include "counters.h"
#include "hierarchy_counts.h"
#include "json_out.h"

#include <stdio.h>

struct err;
struct gpu;
struct recording;
struct replay_options;
struct replay_result;
struct side_counts;

/* Sums over the launches played. */
struct replay_total {
	uint64_t launches;
	uint64_t lanes, requests;
	struct counters l1, read_only;
	bool has_read_only, has_bypass;
	struct hierarchy_counts below; /* no lists */
};

/* Add a launch. */
void replay_total_add(struct replay_total *total, const struct replay_result *result,
                      const struct replay_options *options);

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

/* A row of a launch or the sums: a count and what more there is to say, "" for nothing. */
void replay_text_row(FILE *out, const char *name, uint64_t count, const char *more);

/* Rows of the sectors that reads asked for, of so many bytes, and how many of them were missed. */
void replay_text_sectors(FILE *out, uint32_t bytes, uint64_t hit, uint64_t missed);

/* The same as JSON; the caller owns the values. */
json_t *replay_json_launch(struct json_out *out, const struct replayed_launch *l);
json_t *replay_json_skipped(struct json_out *out, const struct recording *r, size_t launch,
                            const char *reason);
json_t *replay_json_total(struct json_out *out, const struct replay_total *total);

/* L2 and DRAM: nothing with l2 = off. In the head; of a launch or the sums; of a site. */
void replay_text_below_head(FILE *out, const struct gpu *gpu);
void replay_text_below(FILE *out, const struct gpu *gpu, const struct hierarchy_counts *c);
void replay_json_below(struct json_out *out, json_t *object, const struct hierarchy_counts *c);
void replay_json_below_site(struct json_out *out, json_t *site, const struct hierarchy_counts *c,
                            size_t i);

/* Reads that go past L1 (--bypass): in the head; of a launch or the sums, where there are any; its
 * sites, if there are any. */
void replay_text_bypass_head(FILE *out);
void replay_text_bypass(FILE *out, const struct counters *c);
void replay_text_bypass_sites(FILE *out, const struct replayed_launch *l);

/* Reads through the read-only cache (--read-only): in the head; of a launch or the sums; its sites.
 * Only to be called where there is one. */
void replay_text_read_only_head(FILE *out, const struct gpu *gpu);
void replay_text_read_only(FILE *out, const struct counters *c);
void replay_text_read_only_sites(FILE *out, const struct replayed_launch *l);

/* What went beside L1, in local and constant memory: nothing where the recording has none. */
void replay_text_sides(FILE *out, const struct replayed_launch *l);
void replay_json_sides(struct json_out *out, json_t *launch, const struct replayed_launch *l);

/* The counters of one site, if its memory (enum address_space) lies beside L1, as a member. */
void replay_json_side(struct json_out *out, json_t *site, uint32_t space,
                      const struct side_counts *c);

#endif
