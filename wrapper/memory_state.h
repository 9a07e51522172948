/*
 * memory_state - what we know of a cl_mem that is a buffer.
 */
#ifndef MEMORY_STATE_H
#define MEMORY_STATE_H

#include "opencl.h"

#include <stdbool.h>
#include <stdint.h>

struct session;

/* Named by the session's map while the application holds the buffer. */
struct memory_state {
	uint32_t app_refs;  /* the application's own references */
	uint32_t buffer_id; /* in the recording */
	uint64_t bytes;
};

/*
 * The map goes on to name a buffer although the application releases it (false: it does not know
 * it), and does so no longer: for command buffers, which retain them. buffer_id tells whether it is
 * still the same, should a driver not do so. No lock may be held.
 */
bool memory_state_hold(struct session *s, cl_mem mem, uint32_t *buffer_id);
void memory_state_let_go(struct session *s, cl_mem mem, uint32_t buffer_id);

#endif
