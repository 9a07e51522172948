/*
 * svm_hold - memory that host and device address alike (SVM, USM), held by pending launches.
 *
 * Freeing one does not wait for commands that use it. A correct program has waited by then, but for
 * what it natively need not wait for: until the last pending launch of ours has let an allocation
 * go, its end is put off.
 */
#ifndef SVM_HOLD_H
#define SVM_HOLD_H

#include "kernel_state.h"
#include "opencl.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;

/* The parts of the session that this file keeps. */
void svm_hold_init(struct session *s);
void svm_hold_release(struct session *s);

/*
 * A pending launch uses the allocation that holds this address: *begin gets its first byte, for
 * svm_hold_end(), or NULL when none is known. False: memory ran out. No lock may be held.
 */
bool svm_hold_begin(struct session *s, const void *address, void **begin);

/* It does so no longer: an end that was put off comes now. NULL is allowed. No lock may be held. */
void svm_hold_end(struct session *s, const void *begin);

/* An allocation of an application's context, and the calls that it was made by. */
struct svm_owned {
	cl_context context;
	enum pointer_call call;
	void *memory; /* its first byte */
};

/* Whether it is held, and its end therefore put off: then the driver must not be called. */
bool svm_hold_put_off(struct session *s, const struct svm_owned *owned);

/* Wait until it is not held. */
void svm_hold_wait(struct session *s, const void *memory);

#endif
