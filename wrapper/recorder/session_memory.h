/*
 * session_memory - the application's allocations that kernels reach by address, whatever they are
 * called (SVM, USM, CUDA's), to find which one a pointer lies in.
 *
 * Of one that is of the device (coarse SVM, device USM, what cuMemAlloc() makes) the host keeps off
 * while a kernel runs: a command may copy the whole of it.
 */
#ifndef SESSION_MEMORY_H
#define SESSION_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

struct job_argument;
struct session;

/*
 * job_argument - what a launch knows of an argument of its kernel beside its value.
 */

struct job_argument {
	int64_t buffer_id;     /* in the recording, or -1 */
	uint64_t buffer_bytes; /* of known memory that is the kernel's alone while it runs, or 0 */
	bool has_pointer;      /* its value is one, and not NULL */
	uint64_t memory_address; /* first byte of the allocation that the pointer lies in, or 0 */
};

/*
 * address_ranges - allocations in a space of addresses, to find which one a pointer lies in.
 *
 * An array of them in order; no two overlap, since a newer one ends those whose place it takes. No
 * locking.
 */

struct address_range {
	uint64_t address;
	uint64_t bytes;        /* >= 1 */
	uint32_t buffer_id;    /* in the recording */
	bool is_of_the_device; /* the host keeps off while a kernel runs */
};

/* An allocation was made: it gets its line in the recording. `flags` as the line has them. Nothing
 * happens to one of no bytes. */
void session_memory_add(struct session *s, uint64_t address, uint64_t bytes, uint64_t flags,
                        bool is_of_the_device);

/*
 * What begins at `address` is no more. Before it is freed: once it is, another thread may get the
 * same place. Memory not known is fine.
 */
void session_memory_end(struct session *s, uint64_t address);

/* The allocation that `address` lies in; false: none that is known. With the session's lock held.
 */
bool session_memory_find(const struct session *s, uint64_t address, struct address_range *out);

/* What is known of an argument with this address. With the session's lock held. */
void session_memory_identify(const struct session *s, uint64_t address, struct job_argument *a);

#endif
