/*
 * gpu_wait - streams that wait for the program itself, which a call of the program must not wait
 * for.
 *
 * Host functions and callbacks of a stream, its waits for values in memory, and semaphores of
 * others. Once there was one of these, a stream that is not done within GPU_WAIT_NS is one that
 * waits: its launch runs unmodified. So nothing that would end without us hangs with us.
 */
#ifndef GPU_WAIT_H
#define GPU_WAIT_H

#include "cuda_driver.h"

struct session;

/* Whether a launch in the stream may be waited for now; may take GPU_WAIT_NS to find out. */
bool gpu_wait_is_safe(struct session *s, CUstream stream);

#endif
