/*
 * gpu_call - the driver's launch of the application's kernel or of its shadow, and what the
 * attributes of a launch mean for running it in slices.
 */
#ifndef GPU_CALL_H
#define GPU_CALL_H

#include "cuda_driver.h"

#include <stdbool.h>
#include <stddef.h>

struct cuda_launch_attribute;
struct cuda_launch_config;

/* What a launch has that cannot run in slices, static; NULL: nothing. `config` may be NULL. */
const char *gpu_attributes_refused(const struct cuda_launch_config *config);

/* Whether they ask for all groups at a time. */
bool gpu_attributes_are_cooperative(const struct cuda_launch_config *config);

/* Copy those that a slice gets to `out`, which has room for all; returns how many. */
unsigned gpu_attributes_pass(const struct cuda_launch_config *config,
                             struct cuda_launch_attribute *out);

#endif
