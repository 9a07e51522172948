/*
 * session - the recording of this process: its settings, what they select, and the lock.
 *
 * It begins with the first object that the application creates through an interface to devices
 * (OpenCL or CUDA) and ends with the process; a forked child begins its own. Without WARPLINE_DIR
 * there is no session. The interface's own data is its part of the session. The lock guards the
 * maps of that part and their values; it is held briefly, and never across a driver call, a process
 * or disk access.
 */
#ifndef SESSION_H
#define SESSION_H

#include "array.h"
#include "launch_filter.h"
#include "launch_wish.h"
#include "recorder.h"
#include "recorder_settings.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct instrument_request;
struct recorder;
struct recorder_settings;
struct session;

/*
 * work_clock - measures the recorder's working time for the final report.
 *
 * It counts the time in which the program or its kernel could have run without the recorder:
 * capturing, instrumenting, running and draining launches. Each thread counts its own time.
 */

/* Count work from `since` until now. */
void work_clock_end(const struct session *s, uint64_t since);

/* Count a part of such work from `since` until now, minus `without_ns` of another part. */
void work_clock_part(const struct session *s, enum recorder_work part, uint64_t since,
                     uint64_t without_ns);

/* What an interface adds to a session. begun, end and lose may be NULL. */
struct session_part {
	size_t bytes; /* of session->part, which is zeroed */
	/* Returns 0 or ERR_* with *err set; release() follows in either case. */
	int (*init)(struct session *s, struct err *err);
	/* Free what it owns. */
	void (*release)(struct session *s);
	/* The process's session was created from the environment. */
	void (*begun)(void);
	/* The session is no longer current: wait for launches that are ready to run, and record the
	 * rest as lost. */
	void (*end)(struct session *s);
	/* The process ends and the driver may be gone: record launches that have not run as lost.
	 */
	void (*lose)(struct session *s);
	/* A launch without a line was counted; is_first: the first since the last writing. Call
	 * session_write_counts() at launch_tallies_due_ns(). */
	void (*counted)(struct session *s, bool is_first);
};

struct session {
	const struct session_part *interface;
	void *part; /* the interface's */
	struct recorder_settings settings;
	struct launch_filter filter; /* from the settings */
	struct launch_quota quota;   /* from the settings, too */
	bool has_selection;          /* the settings may leave launches out */
	atomic_bool has_unmodified;  /* the launches of a kernel get no more lines */
	struct launch_tallies tallies;
	struct recorder *recorder;
	struct array ranges; /* of struct address_range: session_memory */
	pthread_mutex_t lock;
};

/* Returns the session, begun if needed; NULL when this process does not record (any more). A
 * process has one interface. */
struct session *session_begin(const struct session_part *interface);

/* Returns the session if it has begun and not ended, else NULL. */
struct session *session_current(void);

/* End the session: wait for launches that are ready to run and write the last line. From then on
 * calls are only forwarded. */
void session_end(void);

/* For tests: a session with these settings, the rest from the environment; session_free() frees it
 * after session_end(). */
struct session *session_create(const struct session_part *interface, const char *dir,
                               const char *instrumenter, uint64_t buffer_bytes);

void session_free(struct session *s);

void session_lock(struct session *s);

void session_unlock(struct session *s);

/* Set the parts of an instrumenter's request that come from the settings. */
void session_set_request(const struct session *s, struct instrument_request *request);

/* Count launch `number`, which gets no line. */
void session_count(struct session *s, struct launch_tally *tally, enum tally_reason reason,
                   uint64_t number);

/* Write the counts. */
void session_write_counts(struct session *s);

#endif
