/*
 * bypass_progress - the line that says how far `warpline bypass` is, for what takes longer than two
 * seconds.
 *
 * On stderr, only when that is a terminal. One thread at a time.
 */
#ifndef BYPASS_PROGRESS_H
#define BYPASS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct bypass_progress {
	const char *kernel; /* at work; borrowed; NULL: none yet */
	uint64_t begun_ns, shown_ns;
	bool is_possible, is_up;
};

void bypass_progress_begin(struct bypass_progress *p);

/* So many launches have been replayed. */
void bypass_progress_tell(struct bypass_progress *p, uint64_t replays);

/* Take the line away. */
void bypass_progress_end(struct bypass_progress *p);

#endif
