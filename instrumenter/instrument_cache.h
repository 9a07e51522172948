/*
 * instrument_cache - results of warpline-instrument, kept on disk for the next run.
 *
 * Each entry is one file, named by a 128-bit hash of all inputs except headers. The headers are
 * listed inside with their own hashes, and an entry is valid only while none has changed. (A new
 * header that would now be found before an old one is not noticed.) Entries are written under
 * another name and then renamed, so any number of processes may write and evict at once; a damaged
 * entry is ignored. No failure here is an error: without a cache, instrumenting only takes longer.
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
 * When the entries of `dir` exceed limit_bytes, remove the least recently used until at most four
 * fifths of it remain. Files with other names stay. Other processes may do this at the same time.
 */
void cache_evict(const char *dir, uint64_t limit_bytes);

#define INSTRUMENT_CACHE_LIMIT_BYTES (256u << 20)

struct cache_key {
	uint64_t high, low;
};

/* An input that the result depends on. */
struct cache_part {
	const void *bytes;
	size_t length;
};

/* The files that the instrumenter writes. */
struct cache_files {
	const char *output, *table;
	const char *headers;    /* one path a line; empty when none was read */
	const char *cuda_table; /* NULL: not written */
	const char *names;      /* NULL: not written; a missing one counts as empty */
};

/*
 * The default folder for entries: $XDG_CACHE_HOME/warpline, else $HOME/.cache/warpline, created if
 * necessary. On the heap; NULL when there is no such place.
 */
char *instrument_cache_dir(void);

/* Create the folder that the user named, and its parents. ERR_IO when it is not writable,
 * ERR_NOMEM. */
int instrument_cache_make(const char *dir, struct err *err);

/* The key of `count` parts. Boundaries between parts count: "ab", "c" and "a", "bc" differ. */
struct cache_key instrument_cache_key(const struct cache_part *parts, size_t count);

/* Write the files from the entry. Returns false when there is no valid entry. */
bool instrument_cache_find(const char *dir, struct cache_key key, const struct cache_files *files);

/*
 * Store an entry, and remove the least recently used until all are within limit_bytes. Stores
 * nothing without a file of headers.
 */
void instrument_cache_keep(const char *dir, struct cache_key key, const struct cache_files *files,
                           uint64_t limit_bytes);

#endif
