/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_snapshot.h"

#include "address_ranges.h"
#include "array.h"
#include "err.h"

#include <stdlib.h>

static bool has(const struct gpu_snapshot *shot, uint64_t address)
{
	for (size_t i = 0; i < shot->count; i++)
		if (shot->copies[i].original == address)
			return true;
	return false;
}

int gpu_snapshot_init(struct gpu_snapshot *shot, const struct address_range *ranges, size_t count,
                      CUstream stream, struct err *err)
{
	const struct cuda_real *real = cuda_real();

	*shot = (struct gpu_snapshot){ .stream = stream };
	shot->copies = array_alloc(count, sizeof(*shot->copies), "copies", err);
	if (!shot->copies)
		return ERR_NOMEM;
	for (size_t i = 0; i < count; i++) {
		struct gpu_copy *c = &shot->copies[shot->count];

		if (has(shot, ranges[i].address))
			continue;
		*c = (struct gpu_copy){ .original = ranges[i].address, .bytes = ranges[i].bytes };
		if (real->cuMemAlloc_v2(&c->copy, c->bytes) != CUDA_SUCCESS)
			return err_set(err, ERR_DEVICE, "no device memory to undo a slice");
		shot->count++;
	}
	return 0;
}

void gpu_snapshot_release(struct gpu_snapshot *shot)
{
	for (size_t i = 0; i < shot->count; i++)
		(void)cuda_real()->cuMemFree_v2(shot->copies[i].copy);
	free(shot->copies);
	*shot = (struct gpu_snapshot){ 0 };
}

bool gpu_snapshot_take(const struct gpu_snapshot *shot)
{
	for (size_t i = 0; i < shot->count; i++) {
		const struct gpu_copy *c = &shot->copies[i];

		if (cuda_real()->cuMemcpyDtoDAsync_v2(c->copy, c->original, c->bytes, shot->stream))
			return false;
	}
	return true;
}

bool gpu_snapshot_restore(const struct gpu_snapshot *shot, size_t *done)
{
	for (; *done < shot->count; ++*done) {
		const struct gpu_copy *c = &shot->copies[*done];

		if (cuda_real()->cuMemcpyDtoDAsync_v2(c->original, c->copy, c->bytes, shot->stream))
			return false;
	}
	return true;
}
