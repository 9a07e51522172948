/* SPDX-License-Identifier: Apache-2.0 */
#include "work_clock.h"

#include "clock.h"
#include "recorder.h"
#include "session.h"

void work_clock_end(const struct session *s, uint64_t since)
{
	recorder_worked(s->recorder, RECORDER_WORK, clock_now_ns() - since);
}

void work_clock_part(const struct session *s, enum recorder_work part, uint64_t since,
                     uint64_t without_ns)
{
	uint64_t ns = clock_now_ns() - since;

	if (ns > without_ns)
		recorder_worked(s->recorder, part, ns - without_ns);
}
