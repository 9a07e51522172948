/* SPDX-License-Identifier: Apache-2.0 */
#include "work_clock.h"

#include "recorder.h"
#include "session.h"

#include <time.h>

uint64_t work_clock_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

void work_clock_end(const struct session *s, uint64_t since)
{
	recorder_worked(s->recorder, RECORDER_WORK, work_clock_now() - since);
}

void work_clock_part(const struct session *s, enum recorder_work part, uint64_t since,
                     uint64_t without_ns)
{
	uint64_t ns = work_clock_now() - since;

	if (ns > without_ns)
		recorder_worked(s->recorder, part, ns - without_ns);
}
