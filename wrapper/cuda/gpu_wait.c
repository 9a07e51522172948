/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_wait.h"

#include "clock.h"
#include "gpu_session.h"

#include <time.h>

#define PAUSE_NS 200000

void gpu_wait_note(void)
{
	struct session *s = session_current();

	if (s)
		atomic_store_explicit(&gpu_session(s)->has_host_work, true, memory_order_relaxed);
}

bool gpu_wait_is_safe(struct session *s, CUstream stream)
{
	const struct timespec pause = { 0, PAUSE_NS };
	uint64_t since = clock_now_ns();

	if (!atomic_load_explicit(&gpu_session(s)->has_host_work, memory_order_relaxed))
		return true;
	while (cuda_real()->cuStreamQuery(stream) == CUDA_ERROR_NOT_READY) {
		if (clock_now_ns() - since > GPU_WAIT_NS)
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}
