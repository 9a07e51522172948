/*
 * launch_wish - whether the user wants a launch recorded; its number and its line.
 *
 * launch_filter and launch_quota are asked once, in the order in launch_filter.h. A launch that is
 * not wanted gets no line: its kernel's tally counts it if the driver accepts it. If the driver
 * refuses it, it leaves no trace.
 */
#ifndef LAUNCH_WISH_H
#define LAUNCH_WISH_H

#include "launch_filter.h"
#include "launch_shape.h"
#include "recording_writer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct recorder;
struct session;

/*
 * launch_tally - launches that get no line of their own, counted by kernel and reason.
 *
 * These are launches that the user did not select, and those of an unmodified kernel after its
 * first TALLY_OWN_LINES: a program may have millions. Counting takes no lock and writes nothing.
 * Counts are written later by the worker's thread: a second after counting, or a 64th of the
 * recording's duration, whichever is longer, so that there are few lines; and at the end. Tallies
 * live as long as the session.
 */

/* The option that leaves a launch out, or TALLY_UNMODIFIED. */
enum tally_reason {
	TALLY_KERNEL,
	TALLY_LAUNCHES,
	TALLY_GROUPS,
	TALLY_SKIP,
	TALLY_PER_KERNEL,
	TALLY_MAX_LAUNCHES,
	TALLY_UNMODIFIED, /* for its kernel's reason */
	TALLY_REASON_COUNT
};

/* Number of launches of an unmodified kernel that get a line. */
#define TALLY_OWN_LINES 64

struct tally_count {
	atomic_uint_fast64_t
		count; /* incremented last, so that the counted numbers are in first..last */
	atomic_uint_fast64_t first, last;
	uint64_t written; /* of count; only for the writer, like id */
	uint32_t id;
};

/* The launches of one kernel's line. */
struct launch_tally {
	struct launch_tally *next;
	uint32_t kernel_id;
	bool is_selected;              /* by --kernel */
	char *unmodified;              /* why it runs unmodified; NULL: it is instrumented */
	atomic_uint own_lines;         /* number of its launches that ran unmodified */
	atomic_uint_fast64_t left_out; /* launch_quota_foresee() */
	struct tally_count counts[TALLY_REASON_COUNT];
};

struct launch_tallies {
	_Atomic(struct launch_tally *) first;
	pthread_mutex_t lock; /* of writing */
	atomic_bool has_news; /* counted since the last writing */
	uint64_t begun_ns;
	atomic_uint_fast64_t written_ns;
};

/* Begin without tallies; the recording begins at `now_ns`. Release with launch_tallies_release().
 */
void launch_tallies_init(struct launch_tallies *t, uint64_t now_ns);

void launch_tallies_release(struct launch_tallies *t);

/* Add a tally for the kernel with this line; `unmodified` is copied and may be NULL. Returns the
 * tally, owned by the list, or NULL when out of memory. */
struct launch_tally *launch_tallies_add(struct launch_tallies *t, uint32_t kernel_id,
                                        bool is_selected, const char *unmodified);

/* Count launch `number`. True: it is the first since the last writing; see launch_tallies_due_ns().
 */
bool launch_tally_count(struct launch_tallies *all, struct launch_tally *t,
                        enum tally_reason reason, uint64_t number);

/* Returns when to write the present counts, by the clock of launch_tallies_init(). */
uint64_t launch_tallies_due_ns(const struct launch_tallies *t, uint64_t now_ns);

/* Write the counts that have grown. Callable from any thread. */
void launch_tallies_write(struct launch_tallies *t, struct recorder *recorder, uint64_t now_ns);

struct launch_wish {
	/* Set by the caller: */
	struct launch_tally *tally; /* of its kernel, or NULL */
	uint32_t kernel_id;
	bool is_selected; /* by --kernel */
	struct launch_shape shape;
	uint64_t local_bytes;
	/* The answers: */
	enum quota_answer quota;
	enum tally_reason left_out_by; /* if it is not wanted */
	bool has_number;               /* its number is taken */
	bool has_line;                 /* in the recording */
	uint64_t number;
};

/*
 * Whether the launch is wanted, which includes QUOTA_ENDED. If launches are chosen by number, it
 * gets its number and, if wanted and not late, its line. is_late: the line is written when the
 * launch is done.
 */
bool launch_wish_ask(struct session *s, struct launch_wish *w, bool is_late);

/*
 * Whether its tally alone, which must be set, shows that the launch is not wanted or would only be
 * counted. True: call launch_wish_settle() next. False: the quota was not asked.
 */
bool launch_wish_is_excluded(struct session *s, struct launch_wish *w);

/* Count a launch that is not wanted if the driver has accepted it (`has_run`); a refused one does
 * not count. */
void launch_wish_settle(struct session *s, struct launch_wish *w, bool has_run);

/* Begin a wanted launch: give it its number and, unless is_late, its line. Does nothing if it has
 * its number. */
void launch_wish_begin(struct session *s, struct launch_wish *w, bool is_late);

/* Whether it has a number under which it can be recorded. */
bool launch_wish_has_id(const struct launch_wish *w);

/* Count a launch that gets no line. It gets a number if it has none. */
void launch_wish_count(struct session *s, struct launch_wish *w, enum tally_reason reason);

/* Count a launch that runs unmodified for its kernel's reason. Returns whether TALLY_OWN_LINES such
 * launches have got lines, so that this one is only counted in the tally. */
bool launch_wish_count_unmodified(struct session *s, const struct launch_wish *w);

/* Write the fate of a launch that did not run instrumented, and its line if it has none. `reason`
 * may be NULL. */
void launch_wish_end(struct session *s, struct launch_wish *w, enum launch_fate fate,
                     const char *reason);

/* Undo the count of a wanted launch that the driver refused. */
void launch_wish_take_back(struct session *s, const struct launch_wish *w);

#endif
