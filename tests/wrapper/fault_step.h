/*
 * fault_step - which call fails after the one that failed: the next one.
 *
 * With sanitizers, which make every run several times as long, it is one of the
 * next few, on average the FAULT_STEP-th, in no pattern that calls could follow;
 * with ALL_FAULTS in the environment each.
 */
#ifndef FAULT_STEP_H
#define FAULT_STEP_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef FAULT_STEP
#define FAULT_STEP 1
#endif

static inline size_t fault_step_after(size_t number)
{
	if (FAULT_STEP == 1 || getenv("ALL_FAULTS"))
		return number + 1;
	return number + 1 +
	       (((uint32_t)number + 1) * UINT32_C(2654435761) >> 16) % (2 * FAULT_STEP - 1);
}

#endif
