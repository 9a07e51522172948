/*
 * launch_pack - a run of bytes made small with zstd, and back; private to trace/.
 */
#ifndef LAUNCH_PACK_H
#define LAUNCH_PACK_H

#include <stddef.h>

struct err;

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

/* Most bytes that `length` bytes can become. */
size_t launch_pack_bound(size_t length);

/* Pack into `to`, which has launch_pack_bound(length) bytes. Returns 0 with *packed set, or
 * ERR_NOMEM. */
int launch_pack(struct ZSTD_CCtx_s *context, void *to, const void *from, size_t length,
                size_t *packed, struct err *err);

/* The same as a frame of zstd that holds the bytes as they are, which takes no time. Returns its
 * bytes; `to` as above. */
size_t launch_store(void *to, const void *from, size_t length);

/* Unpack exactly `length` bytes. Returns NULL, or a sentence on what is wrong. */
const char *launch_unpack(struct ZSTD_DCtx_s *context, void *to, size_t length, const void *from,
                          size_t packed);

#endif
