/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_pack.h"

#include "err.h"

#include <string.h>
#include <zstd.h>

#define TILE 64 /* numbers split while they are in the cache */

void byte_planes_split(unsigned char *to, const unsigned char *from, size_t count, size_t width)
{
	size_t at = 0;

	for (; count - at >= TILE && width == 4; at += TILE)
		for (size_t k = 0; k < 4; k++)
			for (size_t i = 0; i < TILE; i++)
				to[k * count + at + i] = from[4 * (at + i) + k];
	for (; at < count; at++)
		for (size_t k = 0; k < width; k++)
			to[k * count + at] = from[width * at + k];
}

#define STORED_PIECE_BYTES ((size_t)1 << 17)
#define FRAME_BYTES        9 /* around the pieces of a stored frame */
#define ZSTD_LEVEL         1 /* the columns leave little for a higher one, and recording pays for it */

size_t launch_pack_bound(size_t length)
{
	size_t stored = length + (length / STORED_PIECE_BYTES + 1) * 3 + FRAME_BYTES;
	size_t packed = ZSTD_compressBound(length);

	return packed > stored ? packed : stored;
}

int launch_pack(struct ZSTD_CCtx_s *context, void *to, const void *from, size_t length,
                size_t *packed, struct err *err)
{
	size_t got =
		ZSTD_compressCCtx(context, to, launch_pack_bound(length), from, length, ZSTD_LEVEL);

	if (ZSTD_isError(got))
		return err_set(err, ERR_NOMEM, "zstd cannot compress %zu bytes: %s", length,
		               ZSTD_getErrorName(got));
	*packed = got;
	return 0;
}

/* RFC 8878: magic number, a descriptor of one segment with a size of four bytes, stored pieces. */
size_t launch_store(void *to, const void *from, size_t length)
{
	static const unsigned char begin[] = { 0x28, 0xb5, 0x2f, 0xfd, 0xa0 };
	const unsigned char *at = from;
	unsigned char *out = to;
	size_t left = length, piece;

	memcpy(out, begin, sizeof(begin));
	out += sizeof(begin);
	for (int i = 0; i < 4; i++)
		*out++ = (unsigned char)(length >> 8 * i);
	do {
		piece = left < STORED_PIECE_BYTES ? left : STORED_PIECE_BYTES;
		left -= piece;
		for (int i = 0; i < 3; i++)
			*out++ = (unsigned char)((piece << 3 | !left) >> 8 * i);
		if (piece)
			memcpy(out, at, piece);
		out += piece;
		at += piece;
	} while (left);
	return (size_t)(out - (unsigned char *)to);
}

const char *launch_unpack(struct ZSTD_DCtx_s *context, void *to, size_t length, const void *from,
                          size_t packed)
{
	size_t got = ZSTD_decompressDCtx(context, to, length, from, packed);

	if (ZSTD_isError(got))
		return ZSTD_getErrorName(got);
	return got == length ? NULL : "decompressed to fewer bytes than claimed";
}
