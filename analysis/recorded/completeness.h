/*
 * completeness - whether a recording holds everything, and what is missing.
 */
#ifndef COMPLETENESS_H
#define COMPLETENESS_H

#include <stdbool.h>
#include <stdint.h>

struct recording;

struct completeness {
	bool is_complete;
	uint64_t limited_launches; /* after a limit that was set for the recording; not missing */
	const char *limit;        /* which; borrowed from the recording; NULL when there are none */
	uint64_t broken_launches; /* traced, but the file is not there, damaged or cut short */
	char *missing;            /* "2 launches that were skipped, ..."; NULL when complete */
};

/*
 * Judge by the manifest, and with `opens_files` by the file of each traced launch as well. Release
 * *c with completeness_release().
 */
void completeness_make(struct completeness *c, const struct recording *r, bool opens_files);

/* Free what it owns. Accepts a zeroed struct. */
void completeness_release(struct completeness *c);

#endif
