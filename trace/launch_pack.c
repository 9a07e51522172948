/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_pack.h"

#include "err.h"

#include <zstd.h>

#define ZSTD_LEVEL 1 /* the columns leave little for a higher one, and recording pays for it */

size_t launch_pack_bound(size_t length)
{
	return ZSTD_compressBound(length);
}

int launch_pack(struct ZSTD_CCtx_s *context, void *to, const void *from, size_t length,
                size_t *packed, struct err *err)
{
	size_t got = ZSTD_compressCCtx(context, to, ZSTD_compressBound(length), from, length,
	                               ZSTD_LEVEL);

	if (ZSTD_isError(got))
		return err_set(err, ERR_NOMEM, "zstd cannot compress %zu bytes: %s", length,
		               ZSTD_getErrorName(got));
	*packed = got;
	return 0;
}

const char *launch_unpack(struct ZSTD_DCtx_s *context, void *to, size_t length, const void *from,
                          size_t packed)
{
	size_t got = ZSTD_decompressDCtx(context, to, length, from, packed);

	if (ZSTD_isError(got))
		return ZSTD_getErrorName(got);
	return got == length ? NULL : "decompressed to fewer bytes than claimed";
}
