/*
 * cache_eviction - keeps a folder of cache entries within its size.
 */
#ifndef CACHE_EVICTION_H
#define CACHE_EVICTION_H

#include <stdint.h>

#define CACHE_ENTRY_SUFFIX ".wlcache"

/*
 * When the entries of `dir` have more than limit_bytes, remove those not used for longest until
 * they have at most four fifths of it. Files of other names are let be. Other processes may do
 * the same at once.
 */
void cache_evict(const char *dir, uint64_t limit_bytes);

#endif
