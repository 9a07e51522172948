/*
 * launch_filter - which kernels, launches and groups the user wants recorded.
 *
 * Everything else runs as without the recorder. Immutable: any thread may use it.
 */
#ifndef LAUNCH_FILTER_H
#define LAUNCH_FILTER_H

#include "array.h"

#include <pthread.h>
#include <regex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct err;
struct group_selection;
struct recorder_settings;

struct launch_filter {
	regex_t kernel;
	bool has_kernel;                  /* else all kernels */
	struct group_selection *launches; /* NULL: all */
	struct group_selection *groups;   /* NULL: all */
};

/*
 * Make the filter from the settings `kernel`, `launches` and `groups`. Release it in every case.
 * Returns 0, ERR_USAGE, ERR_LIMIT, ERR_NOMEM.
 */
int launch_filter_init(struct launch_filter *f, const struct recorder_settings *settings,
                       struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void launch_filter_release(struct launch_filter *f);

/* Whether kernels of this name are wanted: the expression matches anywhere in it. */
bool launch_filter_has_kernel(const struct launch_filter *f, const char *name);

/* Whether launch `number` of the recording is wanted, and one of its `group_count` groups. */
bool launch_filter_has_launch(const struct launch_filter *f, uint64_t number, uint64_t group_count);

/*
 * launch_quota - how many launches the user wants recorded, how many bytes, and for how long.
 *
 * A launch is recorded when it passes all that the user asked for, in this order:
 *   1. --kernel, --launches, --groups (launch_filter); what they leave out does not count below;
 *   2. --skip: the first N that get this far are left out;
 *   3. --per-kernel: of those that get this far, the first N of each kernel are taken (a kernel
 *      is what has a line in the recording: a name in one build of one program for one device);
 *   4. --max-launches: of those that get this far, the first N are taken;
 *   5. --duration and --max-bytes: a selected launch that has not begun when the time is over or
 * the bytes are used up is LIMITED. 1 to 4 are selection: launches that they leave out are
 * UNSELECTED, which is no loss. Selection depends only on the program's sequence of launches, not
 * on whether a launch could be recorded or exceeded a limit. 5 ends the recording: nothing is
 * recorded afterwards. A launch is recorded whole or not at all: the one that would exceed
 * --max-bytes is LIMITED too.
 *
 * The caller gives the time, from a monotonic clock. Thread-safe.
 */

enum quota_answer {
	QUOTA_NOT_ASKED,
	QUOTA_PASSED_OVER, /* by --skip */
	QUOTA_LEFT_OUT,    /* by --per-kernel */
	QUOTA_FULL,        /* left out by --max-launches */
	QUOTA_GRANTED,
	QUOTA_ENDED, /* selected, but --duration or --max-bytes has ended the recording */
};

/* Room for the sentence about the end. */
#define LAUNCH_QUOTA_TEXT_BYTES 96

struct launch_quota {
	atomic_uint_fast64_t passed_over; /* launches left out by --skip */
	atomic_uint_fast64_t
		returns;      /* granted launches that launch_quota_take_back() has returned */
	pthread_mutex_t lock; /* of everything below */
	uint64_t skip;
	uint64_t per_kernel, max_launches, max_bytes, duration_ns; /* 0: no limit */
	uint64_t begun_ns;
	uint64_t taken;        /* launches granted by --max-launches */
	struct array kernels;  /* of uint64_t, by kernel: launches granted by --per-kernel */
	uint64_t bytes;        /* of the launches recorded */
	uint64_t shared_bytes; /* of launches that share files, as far as known */
	bool has_ended;
	char end[LAUNCH_QUOTA_TEXT_BYTES]; /* the reason, once it has ended */
};

/* Make the quota from the settings; the recording begins at `now_ns`. Release it. */
void launch_quota_init(struct launch_quota *q, const struct recorder_settings *settings,
                       uint64_t now_ns);

/* Free what it owns. Accepts a zeroed struct. */
void launch_quota_release(struct launch_quota *q);

/* Ask for the next launch, which is of the kernel with this number. If memory for counting a
 * kernel's launches ran out, --per-kernel does not apply to it. */
enum quota_answer launch_quota_ask(struct launch_quota *q, uint32_t kernel, uint64_t now_ns);

/* Whether --skip, --per-kernel, --max-launches or a limit is set. */
bool launch_quota_is_set(const struct launch_quota *q);

/*
 * Returns the answer that is certain for the next launch of a kernel, without taking a lock:
 * QUOTA_PASSED_OVER (which counts it), QUOTA_LEFT_OUT or QUOTA_FULL; else QUOTA_NOT_ASKED.
 * launch_quota_keep_answer() keeps the answer to a launch of the kernel in *kept, initially 0;
 * `returns` is q->returns before the launch asked.
 */
enum quota_answer launch_quota_foresee(struct launch_quota *q, const atomic_uint_fast64_t *kept);

void launch_quota_keep_answer(atomic_uint_fast64_t *kept, enum quota_answer answer,
                              uint64_t returns);

/* Undo the answer of a launch that the driver refused. */
void launch_quota_take_back(struct launch_quota *q, uint32_t kernel, enum quota_answer answer);

/* Whether a launch whose file has `bytes` so far may continue. Once false, the recording has ended.
 */
bool launch_quota_allows(struct launch_quota *q, uint64_t bytes);

/* Count the `bytes` of a finished launch's file. False: too many; the file does not count and the
 * caller removes it. */
bool launch_quota_keep(struct launch_quota *q, uint64_t bytes);

/* Returns the bytes that a launch may still add when launches that share files have `shared_bytes`;
 * UINT64_MAX: no limit. */
uint64_t launch_quota_room(struct launch_quota *q, uint64_t shared_bytes);

/* End the recording: a launch found no room. */
void launch_quota_end_by_bytes(struct launch_quota *q);

/* Whether nothing more will be recorded. Once true, it stays true. */
bool launch_quota_has_ended(struct launch_quota *q, uint64_t now_ns);

/* Whether no more launches will be granted at present: programs built now need not be instrumented.
 */
bool launch_quota_is_spent(struct launch_quota *q, uint64_t now_ns);

/* Copy the sentence about the end, "" before it, to `text`. */
void launch_quota_end(struct launch_quota *q, char text[LAUNCH_QUOTA_TEXT_BYTES]);

#endif
