/*
 * recording_script - the steps in which a test writes a small recording.
 *
 * Not part of the program. What returns int returns 0 or a negative ERR_*.
 */
#ifndef RECORDING_SCRIPT_H
#define RECORDING_SCRIPT_H

#include "recording_writer.h"

struct err;

enum { EVENTS_LIMIT = 32768 };

/* A string literal for the structs of a recording, which do not say const. */
#define TEXT(s) ((char[]){ s })

/* A group being filled. */
struct script {
	struct event events[EVENTS_LIMIT];
	uint64_t first[64];
	uint32_t items, count;
};

/* One more event of the work-item numbered s->items. */
void recording_script_add(struct script *s, uint32_t point, uint64_t value, uint32_t iteration);

/* Begin the recording with one device; recording_script_finish() ends it, and frees *w. */
int recording_script_begin(struct recording_writer **w, const char *dir, struct err *err);
int recording_script_finish(struct recording_writer *w, struct err *err);

int recording_script_program(struct recording_writer *w, const char *source, struct err *err);
int recording_script_kernel(struct recording_writer *w, const struct kernel_table *table,
                            uint32_t *id, struct err *err);

/* Write a traced launch; `fill` makes each group. */
int recording_script_launch(struct recording_writer *w, struct recorded_launch *launch,
                            const struct kernel_table *table,
                            void (*fill)(struct script *s, uint64_t group, uint32_t items),
                            struct err *err);

struct place recording_script_place(char *file, uint32_t line, uint32_t column);

#endif
