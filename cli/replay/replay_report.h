/*
 * replay_report - the results of a replay: as text for people, as JSON for programs (docs/json.md).
 */
#ifndef REPLAY_REPORT_H
#define REPLAY_REPORT_H

#include "array.h"
#include "counters.h"
#include "document.h"
#include "hierarchy.h"

#include <stdio.h>

struct err;
struct gpu;
struct recording;
struct replay_options;
struct replay_result;
struct side_counts;

/* Sums over the launches that were replayed. */
struct replay_total {
	uint64_t launches;
	uint64_t lanes, requests;
	struct counters l1, read_only;
	bool has_read_only, has_bypass;
	struct hierarchy_counts below; /* no lists */
};

/* A launch that was replayed; all borrowed. */
struct replayed_launch {
	const struct gpu *gpu;
	const struct recording *recording;
	size_t index;
	const struct replay_result *result;
};

/* Print the head, a launch, a launch that was not replayed, the sums of several. */
void replay_text_head(FILE *out, const struct gpu *gpu, const struct replay_options *options);
void replay_text_launch(FILE *out, const struct replayed_launch *l);
void replay_text_skipped(FILE *out, const struct recording *r, size_t launch, const char *reason);
void replay_text_total(FILE *out, const struct gpu *gpu, const struct replay_total *total);

/* Parts of the head, for other reports: "L1 has l1_policy = fifo, ..." if L1 is other than LRU with
 * whole lines, writes through without allocation, and no limits; L2 and DRAM unless l2 is off;
 * orders other than the default, and a sample of SMs. Geometry is printed elsewhere. */
void replay_text_l1(FILE *out, const struct gpu *gpu);
void replay_text_below(FILE *out, const struct gpu *gpu);
void replay_text_choices(FILE *out, const struct gpu *gpu, const struct replay_options *options);

/*
 * The document of `warpline replay --json FILE`, written launch by launch, so that memory does not
 * grow with their number. Zeroed: there is none.
 */
struct replay_json {
	struct document document;
	struct array skipped; /* launches that were not replayed, and why */
	const char *reason;   /* of the last of them */
};

/* Open the file `name` and write the head. Release in every case. Returns as out_file_open(). */
int replay_json_begin(struct replay_json *j, const char *name, const struct gpu *gpu,
                      const struct replay_options *options, struct err *err);
bool replay_json_is_open(const struct replay_json *j);

/* A launch, as an object that the caller owns; and write it, which takes it over. */
json_t *replay_json_object(struct replay_json *j, const struct replayed_launch *l);
void replay_json_launch(struct replay_json *j, json_t *launch);

/* Keep a launch that was not replayed; `reason` is copied. Returns 0 or ERR_NOMEM. */
int replay_json_skip(struct replay_json *j, size_t launch, const char *reason, struct err *err);

/* The sums, as an object that the caller owns; and write all that follows the launches, which takes
 * `total` over and puts the file in its place. Returns 0, ERR_IO or ERR_NOMEM. */
json_t *replay_json_total(struct replay_json *j, const struct replay_total *total);
int replay_json_end(struct replay_json *j, const struct recording *r, bool is_complete,
                    json_t *total, struct err *err);

/* Close; without replay_json_end() as if nothing had been written. Accepts a zeroed struct. */
void replay_json_release(struct replay_json *j);

/* Put the counters of a site beside L1, in local or constant memory (enum address_space). */
void replay_json_side(struct json_out *out, json_t *site, uint32_t space,
                      const struct side_counts *c);

/* Whether a launch has sites beside L1 in that memory. */
bool replay_has_side(const struct replayed_launch *l, uint32_t space);

#endif
