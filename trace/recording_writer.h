/*
 * recording_writer - creates a recording's directory and appends to its manifest.
 *
 * Every call appends one line with one write(2), so that written lines stay readable whatever
 * happens to the process. Ids are assigned in order from 0. Not thread-safe: the caller serialises
 * calls. Strings and structs are borrowed only for the call. After a failed write all calls fail
 * with its error.
 */
#ifndef RECORDING_WRITER_H
#define RECORDING_WRITER_H

#include "recording.h"

struct bypass_list;
struct recording_writer;

/*
 * Create the directory `dir` (it must not exist, or be empty) and begin the manifest.
 * `command` is the program and its arguments, NULL-terminated; `tool_version` is that of --version.
 * Returns 0, ERR_IO (exists, not writable), ERR_NOMEM; after a failure it leaves nothing behind.
 */
int recording_writer_create(struct recording_writer **out, const char *dir,
                            const char *tool_version, char *const command[], struct err *err);

/* The recording's directory; borrowed. */
const char *recording_writer_dir(const struct recording_writer *w);

/*
 * Write a bypass list: `type` is "bypass" or "applied", at most once each. Returns 0, ERR_IO,
 * ERR_NOMEM, or ERR_LIMIT when it is larger than recording_read_list() takes.
 */
int recording_writer_list(struct recording_writer *w, const char *type,
                          const struct bypass_list *list, struct err *err);

/* Add a device or a program; *id gets its number. The program's `source` (`length` bytes; may be
 * NULL) is stored under sources/; program->source_file and source_sum are ignored. A source of more
 * than RECORDING_TEXT_BYTES_MAX bytes is not stored. */
int recording_writer_device(struct recording_writer *w, const struct recorded_device *device,
                            uint32_t *id, struct err *err);
int recording_writer_program(struct recording_writer *w, const struct recorded_program *program,
                             const char *source, size_t length, uint32_t *id, struct err *err);

/*
 * Store the source file of a program that was added without source; its sites name the file `name`.
 * At most once for a program; a source of more than RECORDING_TEXT_BYTES_MAX bytes is not stored.
 */
int recording_writer_source(struct recording_writer *w, uint32_t program, const char *name,
                            const char *source, size_t length, struct err *err);

int recording_writer_buffer(struct recording_writer *w, const struct recorded_buffer *buffer,
                            uint32_t *id, struct err *err);
int recording_writer_kernel(struct recording_writer *w, const struct recorded_kernel *kernel,
                            uint32_t *id, struct err *err);

/*
 * Launches are numbered in the order in which they take a number. recording_writer_take_number()
 * returns the next number, for a launch that will have no line. _take_number_if() takes it only if
 * takes() returns true for it, and else returns false; *number is the next number in both cases.
 * _return_number() undoes the last take, or returns false if another number has been taken since.
 * These calls need no lock.
 */
uint64_t recording_writer_take_number(struct recording_writer *w);
bool recording_writer_take_number_if(struct recording_writer *w,
                                     bool (*takes)(const void *context, uint64_t number),
                                     const void *context, uint64_t *number);
bool recording_writer_return_number(struct recording_writer *w, uint64_t number);

/* Add a launch with its kernel, shape, local_bytes and groups_selected; *id gets its
 * number. Until recording_writer_fate() it is PENDING. ERR_LIMIT after number 2^32 - 1. */
int recording_writer_launch(struct recording_writer *w, const struct recorded_launch *launch,
                            uint32_t *id, struct err *err);

/* Returns the name of the source of program `id` in the recording, on the heap; NULL with
 * ERR_NOMEM. */
char *recording_program_name(uint32_t id, struct err *err);

/* Returns the name of the file of launch `id`, on the heap; NULL with ERR_NOMEM. */
char *recording_launch_name(uint32_t id, struct err *err);

/* Open the launch's file, under the name that recording_writer_fate() will give it. */
int recording_writer_open_launch(struct recording_writer *w, uint32_t id,
                                 const struct launch_shape *shape, const struct kernel_table *table,
                                 struct launch_writer **out, struct err *err);

/* Remove the closed file of launch `id`, whose fate is not TRACED. Returns 0, ERR_IO, ERR_NOMEM. */
int recording_writer_remove_launch(const struct recording_writer *w, uint32_t id, struct err *err);

/*
 * Record what became of launch `id`: its fate; of SKIPPED and LIMITED the reason; of TRACED the
 * arguments, dropped_events and totals; of COUNTED the counts and totals.
 */
int recording_writer_fate(struct recording_writer *w, uint32_t id,
                          const struct recorded_launch *launch, struct err *err);

/* As recording_writer_launch(), with a number from recording_writer_take_number() that is above
 * those of all lines. */
int recording_writer_launch_at(struct recording_writer *w, const struct recorded_launch *launch,
                               uint64_t number, struct err *err);

/* Add the line and, unless it is PENDING, the fate of a launch that has a number but no line yet;
 * the number may be below those of existing lines. */
int recording_writer_late_launch(struct recording_writer *w, const struct recorded_launch *launch,
                                 uint64_t number, struct err *err);

/*
 * Whether a launch is small, so that it shares a file with others: it is COUNTED, or it is TRACED
 * and whole, and all of `events` is still in memory.
 */
bool recording_writer_is_small(const struct recorded_launch *launch,
                               const struct launch_writer *events);

/* A small launch. */
struct small_launch {
	struct recorded_launch *facts; /* arguments and counts become NULL if they are taken */
	const struct kernel_table *table;
	struct launch_writer **events; /* becomes NULL if taken; NULL for COUNTED */
	uint64_t room_bytes;           /* maximum size in the file; UINT64_MAX: no limit */
};

/*
 * Keep a small launch, which has a number and no line, with its kernel, shape, local_bytes,
 * groups_selected, arguments, fate, device_ns, device_bytes, counts and totals. If there is no
 * room, *has_room is false and nothing is written. Once recording_writer_flush() has returned 0 the
 * launch is in a file and survives the death of the process.
 */
int recording_writer_small_launch(struct recording_writer *w, const struct small_launch *launch,
                                  bool *has_room, struct err *err);
int recording_writer_flush(struct recording_writer *w, struct err *err);

/* Returns the bytes of the files of small launches so far. */
uint64_t recording_writer_small_bytes(const struct recording_writer *w);

/*
 * Record the number of launches without a line so far, for one reason. Set *id to
 * RECORDING_TALLY_NEW before the first call, which sets it; later calls replace the count, which
 * must not decrease.
 */
#define RECORDING_TALLY_NEW UINT32_MAX
int recording_writer_tally(struct recording_writer *w, const struct recorded_tally *tally,
                           uint32_t *id, struct err *err);

/* Note something that went unrecorded. The same `what` may be noted repeatedly: readers add the
 * counts. */
int recording_writer_note(struct recording_writer *w, const char *what, const char *reason,
                          uint64_t count, struct err *err);

/* Record how long the recorder worked. At most once. */
int recording_writer_time(struct recording_writer *w, const struct recorded_work *work,
                          struct err *err);

/* Mark the end: nothing follows from this process. */
int recording_writer_end(struct recording_writer *w, struct err *err);

/* Close and free; without recording_writer_end() the recording stays open-ended. NULL allowed. */
void recording_writer_close(struct recording_writer *w);

/*
 * Append the program's exit status (0..255, or 128 + signal) and how long it ran (0: not known) to
 * the manifest of `dir`; for the process that started the program. Returns 0, ERR_IO or ERR_NOMEM.
 */
int recording_append_exit(const char *dir, int status, uint64_t program_ns, struct err *err);

#endif
