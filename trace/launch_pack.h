/*
 * launch_pack - compresses bytes with zstd, and back; private to trace/.
 */
#ifndef LAUNCH_PACK_H
#define LAUNCH_PACK_H

#include <stddef.h>
#include <stdint.h>

/*
 * byte_planes - splits numbers of one width into planes: first the lowest byte of each, then the
 * next; private to trace/.
 *
 * In irregular addresses each plane has a different distribution, which an entropy coder can use.
 */

/* Split `count` numbers of `width` bytes (1, 2, 4, 8), little-endian, one after the other. */
void byte_planes_split(unsigned char *to, const unsigned char *from, size_t count, size_t width);

/* Returns number i of `count` in planes. */
static inline uint64_t byte_planes_get(const unsigned char *planes, size_t count, size_t width,
                                       size_t i)
{
	uint64_t value = 0;

	for (size_t k = 0; k < width; k++)
		value |= (uint64_t)planes[k * count + i] << 8 * k;
	return value;
}

struct err;

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

/* Returns the maximum packed size of `length` bytes. */
size_t launch_pack_bound(size_t length);

/* Pack into `to`, which has launch_pack_bound(length) bytes. Returns 0 with *packed set, or
 * ERR_NOMEM. */
int launch_pack(struct ZSTD_CCtx_s *context, void *to, const void *from, size_t length,
                size_t *packed, struct err *err);

/* Store as an uncompressed zstd frame, which is fast. Returns the frame's bytes; `to` as above. */
size_t launch_store(void *to, const void *from, size_t length);

/* Unpack exactly `length` bytes. Returns NULL, or a sentence about the fault. */
const char *launch_unpack(struct ZSTD_DCtx_s *context, void *to, size_t length, const void *from,
                          size_t packed);

#endif
