/*
 * memory_state - what we know of a cl_mem, and of a cl_sampler: of buffers all that a recording
 * says, of the others that they are there.
 */
#ifndef MEMORY_STATE_H
#define MEMORY_STATE_H

#include "held_objects.h"
#include "opencl.h"

#include <stdbool.h>
#include <stdint.h>

struct session;

/* Named by the session's map while the application holds the object. */
struct memory_state {
	enum held_sort sort;
	uint32_t app_refs; /* the application's own references */
	uint64_t serial;   /* no other of this session has it, whatever its handle */
	bool is_buffer;
	uint32_t buffer_id; /* in the recording, of a buffer */
	uint64_t bytes;     /* of a buffer */
};

/*
 * The map goes on to name an object although the application releases it (false: it does not know
 * it), and does so no longer: for command buffers, which retain them. The serial tells whether it
 * is still the same, should a driver not do so. No lock may be held.
 */
bool memory_state_hold(struct session *s, const void *handle, uint64_t *serial);
void memory_state_let_go(struct session *s, const void *handle, uint64_t serial);

#endif
