/*
 * replay_output - the JSON of `warpline replay --json FILE` (docs/json.md), written launch by
 * launch, so that memory does not grow with what has been played.
 */
#ifndef REPLAY_OUTPUT_H
#define REPLAY_OUTPUT_H

#include "array.h"
#include "document.h"

struct err;
struct gpu;
struct recording;
struct replay_options;
struct replay_total;

struct replay_output {
	struct document text;
	struct array skipped; /* launches that were not played, and why; the last reason: */
	const char *reason;
};

/* Open `name` and write the head. Release it in every case. Returns 0 or as out_file_open(). */
int replay_output_begin(struct replay_output *o, const char *name, const struct gpu *gpu,
                        const struct replay_options *options, struct err *err);

/* Close; nothing is at the file's place unless replay_output_end() put it there. Accepts a zeroed
 * struct. */
void replay_output_release(struct replay_output *o);

/* Whether there is one. */
bool replay_output_is_open(const struct replay_output *o);

/* Write a launch (taken over). */
void replay_output_launch(struct replay_output *o, json_t *row);

/* A launch that was not played; `reason` is copied. Returns 0 or ERR_NOMEM. */
int replay_output_skip(struct replay_output *o, size_t launch, const char *reason, struct err *err);

/* Write what follows the launches; `total` is taken over. Returns 0, ERR_IO or ERR_NOMEM. */
int replay_output_end(struct replay_output *o, const struct recording *r, bool is_complete,
                      json_t *total, struct err *err);

#endif
