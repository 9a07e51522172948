/*
 * uniform_values - which values of a kernel are the same for all work-items of a work-group, each
 * time they are computed.
 *
 * Careful: what is not known to be is not. What memory holds is never known. Kernel arguments,
 * numbers and sizes of groups, and what is computed of these without regard to a work-item's number
 * are uniform; a value that differs spreads to what is computed of it, to what is chosen by a jump
 * on it, and out of loops that work-items leave at different times. After Karrenberg and Hack,
 * "Improving Performance of OpenCL on CPUs" (2012).
 */
#ifndef UNIFORM_VALUES_H
#define UNIFORM_VALUES_H

#include "pointer_map.h"

#include <stdbool.h>
#include <stdint.h>

struct control_dependence;
struct err;
struct kernel_flow;

struct uniform_values {
	const struct kernel_flow *flow;              /* borrowed */
	const struct control_dependence *dependence; /* borrowed */
	struct pointer_map differing;                /* instructions */
};

/*
 * Look at the function of a flow, which must live as long, unchanged; release in any case. Returns
 * 0 or ERR_NOMEM.
 */
int uniform_values_init(struct uniform_values *u, const struct kernel_flow *flow,
                        const struct control_dependence *dependence, struct err *err);

/* Free what it owns and zero it. Accepts a zeroed struct. */
void uniform_values_release(struct uniform_values *u);

/* Whether all work-items take the same way at the end of a node. */
bool uniform_values_has_jump(const struct uniform_values *u, uint32_t node);

#endif
