/*
 * launch_summary - the launches of a recording: their number by kind, why some were not recorded,
 * whether anything is missing, and the names of their kernels for messages.
 */
#ifndef LAUNCH_SUMMARY_H
#define LAUNCH_SUMMARY_H

#include "array.h"

#include <stdbool.h>
#include <stdint.h>

struct err;
struct recorded_tally;
struct recording;

struct skipped_launches {
	const char *kernel; /* borrowed from the recording */
	const char *reason; /* borrowed from the recording, or static */
	uint64_t launches;
};

struct launch_summary {
	uint64_t seen, traced, counted, unselected, limited;
	uint64_t unknown; /* of those seen: their fate was not written */
	uint64_t accesses, reads, writes, atomics, barriers; /* of those traced and counted */
	uint64_t traced_accesses;
	uint64_t file_bytes; /* of the launches' files */
	uint64_t device_ns;  /* of those traced and counted; 0: not known */
	uint64_t dropped_events;
	uint64_t room_bytes;  /* the maximum of all launches: recorded.h */
	struct array skipped; /* struct skipped_launches, by kernel and reason, in the order of
	                         their first launch; pending ones too */
};

/* Count the launches. Release *s in every case. Returns 0, ERR_LIMIT, ERR_NOMEM. */
int launch_summary_make(struct launch_summary *s, const struct recording *r, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void launch_summary_release(struct launch_summary *s);

/* Whether launches were seen and none was traced or counted; *why then gets a sentence. */
bool launch_summary_is_empty(const struct launch_summary *s, const char **why);

/* Returns why a launch was not traced: its reason, or the reason of PENDING. */
const char *launch_summary_reason(const struct recording *r, size_t launch);

enum { TALLY_REASON_BYTES = 512 };

/* Returns why the launches of a tally, which have no line, were not recorded; borrowed. */
const char *tally_reason(const struct recorded_tally *t);

/* Returns why launch `number`, which has no line, was not recorded, as far as known; in `text`. */
const char *tally_reason_launch(char text[TALLY_REASON_BYTES], const struct recording *r,
                                uint64_t number);

enum { LAUNCHED_KERNELS_BYTES = 256 };

/*
 * "a, b, c and 4 more": the kernels that were launched, recorded or not, each once, in the order
 * of their ids, as many as fit; "none" when there are none. Returns `text`.
 */
const char *launched_kernels_text(char text[LAUNCHED_KERNELS_BYTES], const struct recording *r);

/* Whether a recording is complete, and what is missing. */
struct completeness {
	bool is_complete;
	uint64_t limited_launches; /* left out by a limit of the recording; not missing */
	const char *limit; /* that limit; borrowed from the recording; NULL when there are none */
	uint64_t broken_launches; /* traced, but the file is missing, damaged or truncated */
	char *missing;            /* "2 launches that were skipped, ..."; NULL when complete */
};

/*
 * Judge by the manifest and, with `opens_files`, also by the file of each traced launch. Release
 * *c with completeness_release().
 */
void completeness_make(struct completeness *c, const struct recording *r, bool opens_files);

/* Free what it owns. Accepts a zeroed struct. */
void completeness_release(struct completeness *c);

#endif
