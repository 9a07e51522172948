/*
 * launch_tally - launches that get no line of their own, counted by kernel and reason.
 *
 * Those that the user did not select, and those of a kernel that runs unmodified beyond its first
 * TALLY_OWN_LINES: a program may have millions. Counting takes no lock and writes nothing. What was
 * counted is written later, by the worker's thread: a second after it was counted, or a 64th of the
 * time that the recording has lasted, whichever is more, so that the lines stay few; and at the
 * end. Tallies live as long as the session.
 */
#ifndef LAUNCH_TALLY_H
#define LAUNCH_TALLY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct recorder;

enum tally_reason {
#define SELECTION(NAME, option) TALLY_##NAME,
#include "selections.def"
#undef SELECTION
	TALLY_UNMODIFIED, /* for the reason of its kernel */
	TALLY_REASON_COUNT
};

/* Lines that launches of an unmodified kernel get before they are only counted. */
#define TALLY_OWN_LINES 64

struct tally_count {
	atomic_uint_fast64_t count; /* grown last, so that the numbers counted lie in first..last */
	atomic_uint_fast64_t first, last;
	uint64_t written; /* of count; the writer's, as is id */
	uint32_t id;
};

/* Of one line of a kernel. */
struct launch_tally {
	struct launch_tally *next;
	uint32_t kernel_id;
	bool is_selected;              /* by --kernel */
	char *unmodified;              /* why it runs unmodified; NULL: it does not */
	atomic_uint own_lines;         /* of launches that ran unmodified */
	atomic_uint_fast64_t left_out; /* launch_quota_answer_to() */
	struct tally_count counts[TALLY_REASON_COUNT];
};

struct launch_tallies {
	_Atomic(struct launch_tally *) first;
	pthread_mutex_t lock; /* of writing */
	atomic_bool has_news; /* counted since the last writing */
	uint64_t begun_ns;
	atomic_uint_fast64_t written_ns;
};

/* Begin with none; the recording begins at `now_ns`. Release with launch_tallies_release(). */
void launch_tallies_init(struct launch_tallies *t, uint64_t now_ns);
void launch_tallies_release(struct launch_tallies *t);

/* Begin to count launches of the kernel with this line; `unmodified` is copied and may be NULL.
 * Returns the tally, the list's, or NULL when out of memory. */
struct launch_tally *launch_tallies_add(struct launch_tallies *t, uint32_t kernel_id,
                                        bool is_selected, const char *unmodified);

/* Count launch `number`. True: the first since the last writing; see launch_tallies_due_ns(). */
bool launch_tally_count(struct launch_tallies *all, struct launch_tally *t,
                        enum tally_reason reason, uint64_t number);

/* When what is counted by now is to be written, of the clock given to launch_tallies_init(). */
uint64_t launch_tallies_due_ns(const struct launch_tallies *t, uint64_t now_ns);

/* Write what has grown. Any thread may; one at a time does. */
void launch_tallies_write(struct launch_tallies *t, struct recorder *recorder, uint64_t now_ns);

#endif
