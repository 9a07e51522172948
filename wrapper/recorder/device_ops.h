/*
 * device_ops - the functions of an interface of devices that launch_run calls: buffers for records,
 * runs of slices, copies to undo them.
 *
 * `device` is the interface's own struct for one launch. Codes are the driver's; 0 is success.
 * `which` is the buffer of a slice, 0 or 1; both may be in use.
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
	SLICE_DONE,        /* ran; what it reports is read back */
	SLICE_UNREAD,      /* ran, but what it left cannot be read */
	SLICE_NOT_STARTED, /* the driver refused it: no effects */
	SLICE_BROKEN,      /* failed on the device: effects unknown */
};

/* A slice to run, placed in buffer `which`, of which no records are being read. */
struct slice_call {
	const struct slice *slice;
	unsigned which;
	/* Before the run: the first slice->places_offset bytes go to the buffer's beginning, the
	 * slice->tables_bytes after them to slice->tables_offset. After it: report_bytes read from
	 * the buffer's beginning. */
	unsigned char *bytes;
	size_t report_bytes;
	uint64_t *busy_ns; /* grows by the time that it ran, as far as the device knows it */
};

/* How much of the user's budget for records a launch gets. */
struct room_policy {
	unsigned buffers;     /* 1 or 2, which share the budget */
	uint64_t usual_bytes; /* slices of this size keep the device busy */
	uint64_t spare_bytes; /* more than is guessed for a launch's records */
	bool is_doubled_only; /* a buffer that a slice does not fit is never made as large as usual
	                       */
};

struct device_ops {
	struct room_policy room;
	/* Reading records copies them: the next slice may always run while they are decoded.
	 * Otherwise that depends on the other buffer and on the cost of undoing. */
	bool copies_records;
	bool goes_in_rounds; /* the one group of a launch may run again for more of its records */
	bool advises_room;   /* the recording says which --device-buffer would have been enough */
	bool has_work_parts; /* and how long it waited for records to be decoded and written */
	int broken_code;     /* for the application, of a failure that the driver has no code for */
	int memory_code;     /* when the host's memory ran out */
	const char *not_started; /* what failed when a slice was not started */

	/* Get what else a launch needs. Returns 0, or ERR_*: nothing has run then. release() is
	 * called in every case, even without acquire(). */
	int (*acquire)(void *device, struct err *err);
	void (*release)(void *device);
	/* Most work-items of a group of the instrumented kernel, after acquire(); UINT64_MAX: not
	 * known. */
	uint64_t (*most_items)(void *device);
	/* Whether device addresses have more than 48 bits. */
	bool (*is_wide)(void *device);

	/* Make the buffer at least `bytes` large if possible. It may come out smaller, but never
	 * smaller than it was, and loses its contents. Returns 0, or ERR_DEVICE without a buffer.
	 */
	int (*reserve)(void *device, unsigned which, uint64_t bytes, struct err *err);
	uint64_t (*room_bytes)(const void *device, unsigned which);
	void (*release_buffer)(void *device, unsigned which);
	/* The maximum for one group, whatever the budget. */
	uint64_t (*group_limit)(void);

	/* Run a slice and wait. *code gets the driver's code when the outcome is not SLICE_DONE. */
	enum slice_outcome (*run_slice)(void *device, const struct slice_call *call, int *code);
	/* The first `bytes` >= 1 of the places of the slice that has run, until release_records();
	 * NULL with *err set. */
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

	/* Unless copies_records, copy() copies only what may have changed. copy_bytes(): the size
	 * of all copies; note_writes(): a slice wrote what these events say, called in the thread
	 * that decoded them; invalidate_copies(): anything may have changed. */
	uint64_t (*copy_bytes)(const void *device);
	void (*note_writes)(void *device, const struct group_events *events, const uint64_t *slots);
	void (*invalidate_copies)(void *device);

	/* Give a new plan what earlier launches of the kernel needed; keep what this one needed. */
	void (*recall)(void *device, struct slice_plan *plan);
	void (*learn)(void *device, const struct slice_plan *plan);

	/* Called before a slice, where the launch may pause, and after it; both or neither. */
	void (*pause)(void *device);
	void (*note_progress)(void *device);
};

#endif
