/*
 * launch_input - a launch of a recording, opened for the scheduler (private to this room).
 */
#ifndef LAUNCH_INPUT_H
#define LAUNCH_INPUT_H

#include "schedule.h"

#include <stdbool.h>
#include <stddef.h>

struct launch_reader;
struct recording;
struct replay_options;
struct trace_source;

struct launch_input {
	struct schedule_input schedule; /* borrows this struct, the recording and the options */
	const struct replay_options *options;
	struct trace_source *source;
	struct launch_reader *reader;
	struct address_map *map;
	uint64_t groups; /* in the launch's file */
	bool is_whole;   /* the launch's file holds every group, nothing dropped */
};

/* Do not move *in until it is closed. Returns 0, ERR_USAGE for a launch that was not traced, or
 * an error of the rooms upstream. Close it in every case. */
int launch_input_open(struct launch_input *in, const struct recording *r, size_t launch,
                      const struct replay_options *options, struct err *err);
void launch_input_close(struct launch_input *in);

#endif
