/*
 * local_choice - the local size of a launch for which the application gives none.
 *
 * A driver with clGetKernelSuggestedLocalWorkSize (KHR, or INTEL's of that name) is asked about
 * this very kernel. The others are asked with a kernel of our own, which serves where the two may
 * be alike.
 */
#ifndef LOCAL_CHOICE_H
#define LOCAL_CHOICE_H

#include "launch_shape.h"

struct engine;
struct err;
struct launch_request;
struct session;

/*
 * Fill shape->local with what the driver would choose for the request, of which shape has the rest.
 * Returns 0, or ERR_DEVICE when that is not known; the launch must then go to the driver as it is.
 */
int local_choice_find(struct engine *e, struct session *s, const struct launch_request *request,
                      struct launch_shape *shape, struct err *err);

/*
 * Make the local size that a driver chose smaller where its groups have more work-items than the
 * user wants (--max-group) or, unless he says so, on a processor, than GPUs take: 1,024. It divides
 * the global size. Left alone is what could only be cut into groups that leave most of a warp
 * empty.
 */
void local_choice_limit(const struct engine *e, const struct session *s,
                        struct launch_shape *shape);

#endif
