/*
 * memory_state - what we know of a cl_mem that is a buffer.
 */
#ifndef MEMORY_STATE_H
#define MEMORY_STATE_H

#include <stdint.h>

/* Named by the session's map while the application holds the buffer. */
struct memory_state {
	uint32_t app_refs;  /* the application's own references */
	uint32_t buffer_id; /* in the recording */
	uint64_t bytes;
};

#endif
