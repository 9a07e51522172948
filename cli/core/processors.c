/* SPDX-License-Identifier: Apache-2.0 */
#include "processors.h"

#include <sched.h>
#include <unistd.h>

uint32_t processors_jobs(const struct option_number *jobs)
{
	cpu_set_t set;
	long count;

	if (jobs->value)
		return (uint32_t)jobs->value;
	/* the set is too small on machines with more processors than it has bits */
	count = sched_getaffinity(0, sizeof(set), &set) ? sysconf(_SC_NPROCESSORS_ONLN)
	                                                : CPU_COUNT(&set);
	if (count < 1)
		return 1;
	return count < JOBS_MAX ? (uint32_t)count : JOBS_MAX;
}
