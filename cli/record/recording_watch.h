/*
 * recording_watch - follows the manifest of a recording while it grows.
 *
 * Reads only what was appended since the last look. A malformed manifest ends the watch;
 * opening the recording will report it.
 */
#ifndef RECORDING_WATCH_H
#define RECORDING_WATCH_H

#include "array.h"
#include "str.h"

#include <stdbool.h>
#include <stdint.h>

struct recording_watch {
	char *dir;
	long offset;           /* of the manifest, that was read */
	struct str rest;       /* the beginning of an unfinished line */
	struct array kernels;  /* of char *: names */
	struct array launches; /* of struct watched_launch */
	struct array tallies;  /* of uint64_t: launches of each */
	uint64_t counted;      /* launches without a line */
	uint64_t late;         /* launches whose line came after their end, */
	uint64_t late_number;  /* and the last of them with a line */
	size_t first_open;     /* launch without a fate; launches.count: none */
	uint64_t done;         /* launches with a fate */
	uint64_t accesses, file_bytes;
};

/* Begin with the recording `dir`; release with recording_watch_release(). Returns 0, ERR_NOMEM. */
int recording_watch_init(struct recording_watch *w, const char *dir);

/* Read what is new. Returns false once the recording cannot be watched any more. */
bool recording_watch_look(struct recording_watch *w);

/* The kernel of the first launch without a fate, borrowed, or NULL. */
const char *recording_watch_kernel(const struct recording_watch *w);

/* Bytes of launches on disk, including the running one. */
uint64_t recording_watch_bytes(const struct recording_watch *w);

/* Free what it owns. Accepts a zeroed struct. */
void recording_watch_release(struct recording_watch *w);

#endif
