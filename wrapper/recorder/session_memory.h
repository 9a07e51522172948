/*
 * session_memory - the application's allocations that kernels access by address (SVM, USM, CUDA),
 * to find the one that a pointer points into.
 *
 * The host does not access the device's memory (coarse-grained SVM, device USM, cuMemAlloc()) while
 * a kernel runs, so a command may copy all of it.
 */
#ifndef SESSION_MEMORY_H
#define SESSION_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

struct job_argument;
struct session;

/* What a launch knows of a kernel argument besides its value. */
struct job_argument {
	int64_t buffer_id;     /* in the recording, or -1 */
	uint64_t buffer_bytes; /* of known memory that only the kernel accesses while it runs, or 0
	                        */
	bool has_pointer;      /* its value is a pointer other than NULL */
	uint64_t memory_address; /* first byte of the allocation that it points into, or 0 */
};

/*
 * address_ranges - a sorted array of allocations. They do not overlap: a new one removes those that
 * it overlaps. No locking.
 */

struct address_range {
	uint64_t address;
	uint64_t bytes;        /* >= 1 */
	uint32_t buffer_id;    /* in the recording */
	bool is_of_the_device; /* the host does not access it while a kernel runs */
};

/* Note a new allocation and write its line in the recording with these flags. Ignores an allocation
 * of 0 bytes. */
void session_memory_add(struct session *s, uint64_t address, uint64_t bytes, uint64_t flags,
                        bool is_of_the_device);

/*
 * Forget the allocation that begins at `address`, if it is known. Call this before freeing it:
 * afterwards another thread may get the same address.
 */
void session_memory_end(struct session *s, uint64_t address);

/* Find the allocation that contains `address`; false: it is not known. Called with the session's
 * lock held. */
bool session_memory_find(const struct session *s, uint64_t address, struct address_range *out);

/* Fill in what is known of an argument with this address. Called with the session's lock held. */
void session_memory_identify(const struct session *s, uint64_t address, struct job_argument *a);

#endif
