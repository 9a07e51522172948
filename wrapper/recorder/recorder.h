/*
 * recorder - the process's recording, open for writing by any thread.
 *
 * A recording_writer with a lock. A failure does not concern the caller: the first one is reported
 * on stderr, recording ends, and the application runs on. No function here calls OpenCL or waits
 * for anything except the disk.
 */
#ifndef RECORDER_H
#define RECORDER_H

#include "recording_writer.h"

#include <stdbool.h>

struct recorder;

/*
 * problem - the only way in which the recorder talks to the user: a line on stderr.
 */

/* Write "warpline: " and the message as one line to stderr, with one write(2). */
void problem(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * Create the recording with the first name of `pattern` (recording_name.h) that no other process
 * has taken. `command` as in recording_writer_create(). Returns 0, ERR_IO, ERR_LIMIT, ERR_NOMEM.
 */
int recorder_create(struct recorder **out, const char *pattern, char *const command[],
                    struct err *err);

/* The recording's directory; borrowed. */
const char *recorder_dir(const struct recorder *r);

/* False once writing failed or recorder_end() was called. */
bool recorder_is_open(struct recorder *r);

/*
 * As recording_writer_<verb>(). Return true when the line was written; false when the recording is
 * closed or writing failed, with *id unchanged.
 */
/* Write a bypass list, of type "bypass" or "applied". */
bool recorder_list(struct recorder *r, const char *type, const struct bypass_list *list);

bool recorder_device(struct recorder *r, const struct recorded_device *device, uint32_t *id);

bool recorder_program(struct recorder *r, const struct recorded_program *program,
                      const char *source, size_t length, uint32_t *id);

bool recorder_source(struct recorder *r, uint32_t program, const char *name, const char *source,
                     size_t length);

bool recorder_buffer(struct recorder *r, const struct recorded_buffer *buffer, uint32_t *id);

bool recorder_kernel(struct recorder *r, const struct recorded_kernel *kernel, uint32_t *id);

bool recorder_launch(struct recorder *r, const struct recorded_launch *launch, uint32_t *id);

/* Give a launch its number and, if wants() returns true, its line; `launch` NULL: no line yet.
 * wants() runs under the recorder's lock and gets the numbers in order. False: the number is taken,
 * and the launch is not wanted. */
bool recorder_launch_if(struct recorder *r, const struct recorded_launch *launch,
                        bool (*wants)(void *context, uint64_t number), void *context,
                        uint64_t *number);

/* Write the line of a launch that has its number. */
bool recorder_late_launch(struct recorder *r, const struct recorded_launch *launch);

bool recorder_small_launch(struct recorder *r, const struct small_launch *launch, bool *has_room);

bool recorder_flush(struct recorder *r);

uint64_t recorder_small_bytes(struct recorder *r);

bool recorder_tally(struct recorder *r, const struct recorded_tally *tally, uint32_t *id);

bool recorder_fate(struct recorder *r, uint32_t id, const struct recorded_launch *launch);

void recorder_note(struct recorder *r, const char *what, const char *reason);

/* As recording_writer_<verb>(). They take no lock. */
uint64_t recorder_take_number(struct recorder *r);

bool recorder_take_number_if(struct recorder *r,
                             bool (*takes)(const void *context, uint64_t number),
                             const void *context, uint64_t *number);

bool recorder_return_number(struct recorder *r, uint64_t number);

/* Open the file of launch `id`; the caller owns the writer. NULL with *err set on failure. */
struct launch_writer *recorder_open_launch(struct recorder *r, uint32_t id,
                                           const struct launch_shape *shape,
                                           const struct kernel_table *table, struct err *err);

/* Remove the closed file of launch `id`. A failure ends the recording. */
void recorder_remove_launch(struct recorder *r, uint32_t id);

/* Kinds of the recorder's work: all of it, and the parts of struct recorded_work. */
enum recorder_work {
	RECORDER_WORK,
#define WORK_PART(NAME, name, what, advice) RECORDER_##NAME,
#include "work_parts.def"
#undef WORK_PART
	RECORDER_WORK_COUNT
};

/* Add `ns` of work of any thread. Time of a part must also be added to RECORDER_WORK. */
void recorder_add_work(struct recorder *r, enum recorder_work work, uint64_t ns);

/* Write how long the recorder worked, and the last line; nothing is written afterwards. */
void recorder_end(struct recorder *r);

/* Close the recording, without an end line if none was written, and free. NULL is allowed. */
void recorder_free(struct recorder *r);

#endif
