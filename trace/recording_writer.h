/*
 * recording_writer - makes a recording directory and appends to its manifest.
 *
 * Every call appends one line with one write(2): what was written stays
 * readable whatever happens to the process. Ids are given in order from 0. Not
 * thread-safe: the caller serialises. All strings and structs are borrowed for
 * the call only. After a failed write further calls fail with the same error.
 */
#ifndef RECORDING_WRITER_H
#define RECORDING_WRITER_H

#include "recording.h"

struct bypass_list;
struct recording_writer;

/*
 * Create the directory `dir` (it must not exist, or be empty) and begin the manifest.
 * `command` is the program and its arguments, NULL-terminated; `tool_version` as --version says.
 * Returns 0, ERR_IO (exists, not writable), ERR_NOMEM; what it made is then gone again.
 */
int recording_writer_create(struct recording_writer **out, const char *dir,
                            const char *tool_version, char *const command[], struct err *err);

/* The recording's directory; borrowed. */
const char *recording_writer_dir(const struct recording_writer *w);

/*
 * Keep a bypass list: `type` is "bypass" or "applied", at most once each. Returns 0, ERR_IO,
 * ERR_NOMEM, or ERR_LIMIT when it is larger than recording_read_list() takes.
 */
int recording_writer_list(struct recording_writer *w, const char *type,
                          const struct bypass_list *list, struct err *err);

/* Add one; *id gets its number. `source` (program text, `length` bytes; may be NULL) is stored
 * under sources/, and program->source_file and source_sum are ignored; one of more than
 * RECORDING_TEXT_BYTES_MAX bytes counts as not seen. */
int recording_writer_device(struct recording_writer *w, const struct recorded_device *device,
                            uint32_t *id, struct err *err);
int recording_writer_program(struct recording_writer *w, const struct recorded_program *program,
                             const char *source, size_t length, uint32_t *id, struct err *err);

/*
 * Keep the text of the file in which the sites of program `program` lie, which was added without
 * one: they call it `name`. At most once for a program; one of more than RECORDING_TEXT_BYTES_MAX
 * bytes is not kept.
 */
int recording_writer_source(struct recording_writer *w, uint32_t program, const char *name,
                            const char *source, size_t length, struct err *err);

int recording_writer_buffer(struct recording_writer *w, const struct recorded_buffer *buffer,
                            uint32_t *id, struct err *err);
int recording_writer_kernel(struct recording_writer *w, const struct recorded_kernel *kernel,
                            uint32_t *id, struct err *err);

/*
 * Launches are numbered in the order in which they ask for a number. recording_writer_take() gives
 * the next to one that will have no line, and _take_if() does so when `takes` is true of the number
 * (else false; *number is then the one that comes next). Of all calls these need no lock.
 * _take_back() undoes the last one if nobody has taken another since; else false.
 */
uint64_t recording_writer_take(struct recording_writer *w);
bool recording_writer_take_if(struct recording_writer *w,
                              bool (*takes)(const void *context, uint64_t number),
                              const void *context, uint64_t *number);
bool recording_writer_take_back(struct recording_writer *w, uint64_t number);

/* A launch was seen: kernel, shape, local_bytes and groups_selected are used; *id is the number it
 * gets. Its fate follows, or it stays PENDING. ERR_LIMIT beyond number 2^32 - 1. */
int recording_writer_launch(struct recording_writer *w, const struct recorded_launch *launch,
                            uint32_t *id, struct err *err);

/* The name in the recording of the text of program `id`, on the heap; NULL with ERR_NOMEM. */
char *recording_program_name(uint32_t id, struct err *err);

/* The name of the file of launch `id`, on the heap; NULL with ERR_NOMEM. */
char *recording_launch_name(uint32_t id, struct err *err);

/* Open the launch's file, under the name that recording_writer_fate() will give it. */
int recording_writer_open_launch(struct recording_writer *w, uint32_t id,
                                 const struct launch_shape *shape, const struct kernel_table *table,
                                 struct launch_writer **out, struct err *err);

/* Remove the file of launch `id`, which is closed: its fate is not TRACED. Returns 0, ERR_IO,
 * ERR_NOMEM. */
int recording_writer_remove_launch(const struct recording_writer *w, uint32_t id, struct err *err);

/*
 * What became of launch `id`: fate, reason (SKIPPED, LIMITED), arguments, dropped_events and totals
 * (TRACED), counts and totals (COUNTED) are used.
 */
int recording_writer_fate(struct recording_writer *w, uint32_t id,
                          const struct recorded_launch *launch, struct err *err);

/* The same with the number that recording_writer_take() gave and that is above those of all lines.
 */
int recording_writer_launch_at(struct recording_writer *w, const struct recorded_launch *launch,
                               uint64_t number, struct err *err);

/* The line and, unless it is PENDING, the fate of a launch that has taken its number and had no
 * line: it may be below those of lines that are there. */
int recording_writer_late(struct recording_writer *w, const struct recorded_launch *launch,
                          uint64_t number, struct err *err);

/*
 * Whether a launch is one of those that share a file: it is COUNTED, or TRACED, whole, and all that
 * `events` has is still in memory.
 */
bool recording_writer_is_small(const struct recorded_launch *launch,
                               const struct launch_writer *events);

/* Such a launch. */
struct small_launch {
	struct recorded_launch *facts; /* its arguments and counts may be taken over: NULL then */
	const struct kernel_table *table;
	struct launch_writer **events; /* may be taken over: NULL then; of COUNTED NULL before */
	uint64_t room_bytes;           /* that it may take in the file; UINT64_MAX: any number */
};

/*
 * Keep such a launch, which has taken its number and has no line: kernel, shape, local_bytes,
 * groups_selected, arguments, fate, device_ns, device_bytes, counts and totals are used. *has_room
 * is false when there was no room, and nothing was written. It is in a file, and not lost should
 * the process be killed, when recording_writer_flush() has returned 0.
 */
int recording_writer_small(struct recording_writer *w, const struct small_launch *launch,
                           bool *has_room, struct err *err);
int recording_writer_flush(struct recording_writer *w, struct err *err);

/* Bytes of the files of small launches by now. */
uint64_t recording_writer_small_bytes(const struct recording_writer *w);

/*
 * How many launches without a line there are by now, for one reason. `*id` is RECORDING_TALLY_NEW
 * the first time; later the number that this gave it, and the count, not less, takes the place of
 * the earlier one.
 */
#define RECORDING_TALLY_NEW UINT32_MAX
int recording_writer_tally(struct recording_writer *w, const struct recorded_tally *tally,
                           uint32_t *id, struct err *err);

/* Something passed through unrecorded. The same `what` may be noted again: readers add counts. */
int recording_writer_note(struct recording_writer *w, const char *what, const char *reason,
                          uint64_t count, struct err *err);

/* How long the recorder worked. At most once. */
int recording_writer_time(struct recording_writer *w, const struct recorded_work *work,
                          struct err *err);

/* The recorder is done: nothing follows from this process. */
int recording_writer_end(struct recording_writer *w, struct err *err);

/* Close and free; without recording_writer_end() the recording stays open-ended. NULL allowed. */
void recording_writer_close(struct recording_writer *w);

/*
 * Append the program's exit status (0..255, or 128 + signal) and how long it ran (0: not known) to
 * the manifest of `dir`; for the process that started the program. Returns 0, ERR_IO or ERR_NOMEM.
 */
int recording_append_exit(const char *dir, int status, uint64_t program_ns, struct err *err);

#endif
