/*
 * work_clock - how long the recorder is at work, for the report at the end.
 *
 * What is counted is time in which the program could have gone on or its kernel have run without
 * us: capturing, instrumenting, running and draining launches. Each thread counts for itself.
 */
#ifndef WORK_CLOCK_H
#define WORK_CLOCK_H

#include "recorder.h"

#include <stdint.h>

struct session;

/* The work that was begun at `since` is done. */
void work_clock_end(const struct session *s, uint64_t since);

/* A part of such work, begun at `since`, is done; of that, `without_ns` were of another sort. */
void work_clock_part(const struct session *s, enum recorder_work part, uint64_t since,
                     uint64_t without_ns);

#endif
