/*
 * session - the one recording of this process: its settings, what they select, and the lock.
 *
 * It begins with the first object that the application creates through an interface of devices and
 * ends with the process; a forked child begins its own. Without WARPLINE_DIR there is no session.
 * What only that interface knows is its part of the session. The lock guards the maps of that part
 * and what they name; it is held briefly, and never across a driver call, a process or disk access.
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
 * work_clock - how long the recorder works, for the report at the end.
 *
 * Counts the time in which the program or its kernel could have run without the recorder:
 * capturing, instrumenting, running and draining launches. Each thread counts its own time.
 */

/* Count the work that began at `since` and is done now. */
void work_clock_end(const struct session *s, uint64_t since);

/* Count a part of such work that began at `since`, less `without_ns` of another kind. */
void work_clock_part(const struct session *s, enum recorder_work part, uint64_t since,
                     uint64_t without_ns);

/* What an interface adds to a session. begun, end and lose may be NULL. */
struct session_part {
	size_t bytes; /* of session->part, which is zeroed */
	/* Returns 0 or ERR_* with *err set; release() follows in either case. */
	int (*init)(struct session *s, struct err *err);
	/* Free what it owns. */
	void (*release)(struct session *s);
	/* The process has got its session, from the environment. */
	void (*begun)(void);
	/* The session is no longer current: wait for what is ready to run, and lose the rest. */
	void (*end)(struct session *s);
	/* The process ends, the driver may be gone: what has not run is lost. */
	void (*lose)(struct session *s);
	/* A launch without a line of its own was counted, `is_first` since the last writing: have
	 * session_write_counts() called when launch_tallies_due_ns() says. */
	void (*counted)(struct session *s, bool is_first);
};

struct session {
	const struct session_part *interface;
	void *part; /* the interface's */
	struct recorder_settings settings;
	struct launch_filter filter; /* that the settings ask for */
	struct launch_quota quota;   /* that they ask for, too */
	bool has_selection;          /* they may leave launches out */
	atomic_bool has_unmodified;  /* a kernel's launches are no longer given lines */
	struct launch_tallies tallies;
	struct recorder *recorder;
	struct array ranges; /* of struct address_range: session_memory */
	pthread_mutex_t lock;
};

/* The session, begun if necessary; NULL when this process does not record (any more). A process has
 * one interface. */
struct session *session_begin(const struct session_part *interface);

/* The session if it has begun and has not ended, else NULL. */
struct session *session_current(void);

/* End the session: wait for what is ready to run, write the last line, forward from now on. */
void session_end(void);

/* For tests: a session with these settings, the rest from the environment; session_free() frees it
 * after session_end(). */
struct session *session_create(const struct session_part *interface, const char *dir,
                               const char *instrumenter, uint64_t buffer_bytes);

void session_free(struct session *s);

void session_lock(struct session *s);

void session_unlock(struct session *s);

/* Set what the user's settings say of a run of the instrumenter. */
void session_set_request(const struct session *s, struct instrument_request *request);

/* Count a launch that gets no line of its own, by its number. */
void session_count(struct session *s, struct launch_tally *tally, enum tally_reason reason,
                   uint64_t number);

/* Write what was counted. */
void session_write_counts(struct session *s);

#endif
