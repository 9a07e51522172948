/*
 * instrument_cache - what warpline-instrument made, kept on disk for the next run.
 *
 * One file an entry, named by a 128-bit hash of all that went in but the headers; the headers are
 * listed inside with hashes of their own, and an entry is valid only while none has changed. (A new
 * header that would now be found before an old one is not noticed.) Entries are written under
 * another name and renamed, so any number of processes may write and evict at once; a damaged entry
 * is ignored. No failure here is an error: without a cache instrumenting only takes longer.
 */
#ifndef INSTRUMENT_CACHE_H
#define INSTRUMENT_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/*
 * cache_eviction - keeps a folder of cache entries within its size.
 */

#define CACHE_ENTRY_SUFFIX ".wlcache"

/*
 * When the entries of `dir` have more than limit_bytes, remove those not used for longest until
 * they have at most four fifths of it. Files of other names stay. Other processes may do
 * the same at once.
 */
void cache_evict(const char *dir, uint64_t limit_bytes);

#define INSTRUMENT_CACHE_LIMIT_BYTES (256u << 20)

struct cache_key {
	uint64_t high, low;
};

/* Something that the result depends on. */
struct cache_part {
	const void *bytes;
	size_t length;
};

/* The files that the instrumenter makes. */
struct cache_files {
	const char *output, *table;
	const char *headers;    /* one path a line; none read: empty */
	const char *cuda_table; /* NULL: none is made */
	const char *names;      /* NULL: none is made; one that is not there is empty */
};

/*
 * Where entries are kept: $XDG_CACHE_HOME/warpline, else $HOME/.cache/warpline, made if need be.
 * On the heap; NULL where there is no such place.
 */
char *instrument_cache_dir(void);

/* Make the folder that the user named, and those that it lies in. ERR_IO when nothing can be
 * written there, ERR_NOMEM. */
int instrument_cache_make(const char *dir, struct err *err);

/* The key of `count` parts. Their boundaries count: "ab", "c" and "a", "bc" differ. */
struct cache_key instrument_cache_key(const struct cache_part *parts, size_t count);

/* Make the files from the entry. False without a valid entry. */
bool instrument_cache_find(const char *dir, struct cache_key key, const struct cache_files *files);

/*
 * Keep an entry, and remove those not used for longest until all are within limit_bytes. Without
 * a file of headers nothing is kept.
 */
void instrument_cache_keep(const char *dir, struct cache_key key, const struct cache_files *files,
                           uint64_t limit_bytes);

#endif
