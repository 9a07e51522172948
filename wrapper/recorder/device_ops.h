/*
 * device_ops - the functions that launch_run calls of an interface to devices (OpenCL or CUDA):
 * buffers for records, runs of slices, copies for undoing them.
 *
 * `device` is the interface's struct of one launch. Codes are the driver's; 0 is success. `which`
 * is the buffer of a slice, 0 or 1; both may be in use.
 */
#ifndef DEVICE_OPS_H
#define DEVICE_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct group_events;
struct slice;
struct slice_plan;

enum slice_outcome {
	SLICE_DONE,        /* ran; its report is read back */
	SLICE_UNREAD,      /* ran, but its report cannot be read */
	SLICE_NOT_STARTED, /* the driver refused it: no effects */
	SLICE_BROKEN,      /* failed on the device: effects unknown */
};

/* A slice to run, placed in buffer `which`, whose previous records must have been read. */
struct slice_call {
	const struct slice *slice;
	unsigned which;
	/* Before the run, the first slice->places_offset bytes go to the buffer's beginning and the
	 * slice->tables_bytes after them to slice->tables_offset. After it, report_bytes are read
	 * here from the buffer's beginning. */
	unsigned char *bytes;
	size_t report_bytes;
	uint64_t *busy_ns; /* grows by the running time, as far as the device reports it */
};

/* How a launch uses the user's budget for records. */
struct room_policy {
	unsigned buffers;     /* 1 or 2; they share the budget */
	uint64_t usual_bytes; /* slices of this size keep the device busy */
	uint64_t spare_bytes; /* added to the guess of a launch's records */
	bool is_doubled_only; /* a buffer that is too small for a slice never grows to the usual
	                       * size
	                       */
};

struct device_ops {
	struct room_policy room;
	/* Reading records copies them, so the next slice may always run while they are decoded.
	 * Otherwise that depends on the other buffer and on the cost of undoing. */
	bool copies_records;
	bool goes_in_rounds; /* a launch's only group may be recorded in rounds */
	bool advises_room;   /* the recording names a sufficient --device-buffer */
	bool has_work_parts; /* the recording says how long it waited for decoding and writing */
	int broken_code;     /* for the application, for a failure without a code of the driver */
	int memory_code;     /* for the application, when the host's memory ran out */
	const char *not_started; /* message for a slice that was not started */

	/* Get what else a launch needs. Returns 0 or ERR_*; nothing has run then. release() is
	 * called in every case, even without acquire(). */
	int (*acquire)(void *device, struct err *err);
	void (*release)(void *device);
	/* Returns the maximum number of work-items in a group of the instrumented kernel, after
	 * acquire(); UINT64_MAX: not known. */
	uint64_t (*most_items)(void *device);
	/* Whether device addresses have more than 48 bits. */
	bool (*is_wide)(void *device);

	/* Make the buffer at least `bytes` large if possible. It may remain smaller, but never
	 * shrinks; its contents are lost. Returns 0, or ERR_DEVICE without a buffer.
	 */
	int (*reserve)(void *device, unsigned which, uint64_t bytes, struct err *err);
	uint64_t (*room_bytes)(const void *device, unsigned which);
	void (*release_buffer)(void *device, unsigned which);
	/* Returns the maximum for one group, whatever the budget. */
	uint64_t (*group_limit)(void);

	/* Run a slice and wait. *code gets the driver's code unless the outcome is SLICE_DONE. */
	enum slice_outcome (*run_slice)(void *device, const struct slice_call *call, int *code);
	/* Returns the first `bytes` >= 1 of the last slice's records, valid until
	 * release_records(); NULL with *err set on failure. */
	const void *(*read_records)(void *device, unsigned which, const struct slice *slice,
	                            uint64_t bytes, struct err *err);
	void (*release_records)(void *device, unsigned which);

	/* Copies of the memory that the launch may write. open_copies() returns false when they are
	 * impossible. copy() makes them, undo() copies them back; both return false on failure.
	 * *done counts what undo() has begun to copy back: a failed call is repeated with it.
	 * close_copies() is called in every case. */
	bool (*open_copies)(void *device);
	void (*close_copies)(void *device);
	bool (*copy)(void *device);
	bool (*undo)(void *device, size_t *done);

	/* Unless copies_records, copy() copies only what may have changed. copy_bytes():
	 * the size of all copies. note_writes(): a slice wrote what these events say; called in the
	 * thread that decoded them. invalidate_copies(): anything may have changed. */
	uint64_t (*copy_bytes)(const void *device);
	void (*note_writes)(void *device, const struct group_events *events, const uint64_t *slots);
	void (*invalidate_copies)(void *device);

	/* Begin a plan with the needs of earlier launches of the kernel; keep the needs of this
	 * one. */
	void (*recall)(void *device, struct slice_plan *plan);
	void (*learn)(void *device, const struct slice_plan *plan);

	/* Called before a slice, where the launch may pause, and after it. Both or neither are set.
	 */
	void (*pause)(void *device);
	void (*note_progress)(void *device);
};

#endif
