/*
 * cached_instrument - runs warpline-instrument, unless the cache on disk knows what it would make.
 */
#ifndef CACHED_INSTRUMENT_H
#define CACHED_INSTRUMENT_H

#include "instrument_process.h"

/*
 * As instrument_process_run(). `cache` is the folder to look in and to keep the result in; NULL:
 * the user's own, "off": none.
 */
int cached_instrument_run(const struct instrument_request *request, const char *cache,
                          struct err *err);

/* Which instrumenter it is: another file, another result. On the heap; NULL when it cannot be told.
 */
char *cached_instrument_identity(const char *instrumenter);

#endif
