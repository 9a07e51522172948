/*
 * session_memory - the application's allocations that kernels reach by address (SVM, USM, CUDA's),
 * to find which one a pointer lies in.
 *
 * The host does not touch memory of the device (coarse SVM, device USM, what cuMemAlloc() makes)
 * while a kernel runs: a command may copy all of it.
 */
#ifndef SESSION_MEMORY_H
#define SESSION_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

struct job_argument;
struct session;

/* What a launch knows of an argument of its kernel besides its value. */
struct job_argument {
	int64_t buffer_id;     /* in the recording, or -1 */
	uint64_t buffer_bytes; /* of known memory that is the kernel's alone while it runs, or 0 */
	bool has_pointer;      /* its value is one, and not NULL */
	uint64_t memory_address; /* first byte of the allocation that the pointer lies in, or 0 */
};

/*
 * address_ranges - an ordered array of allocations. No two overlap: a newer one removes those that
 * it overlaps. No locking.
 */

struct address_range {
	uint64_t address;
	uint64_t bytes;        /* >= 1 */
	uint32_t buffer_id;    /* in the recording */
	bool is_of_the_device; /* the host keeps off while a kernel runs */
};

/* Note a new allocation and write its line in the recording, with these flags. Ignores one of 0
 * bytes. */
void session_memory_add(struct session *s, uint64_t address, uint64_t bytes, uint64_t flags,
                        bool is_of_the_device);

/*
 * Forget the allocation that begins at `address`, if it is known. To be called before it is freed:
 * afterwards another thread may get the same address.
 */
void session_memory_end(struct session *s, uint64_t address);

/* Find the allocation that `address` lies in; false: it is not known. The session's lock must be
 * held. */
bool session_memory_find(const struct session *s, uint64_t address, struct address_range *out);

/* Fill in what is known of an argument with this address. The session's lock must be held. */
void session_memory_identify(const struct session *s, uint64_t address, struct job_argument *a);

#endif
