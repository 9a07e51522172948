/*
 * job_argument - what a launch knows of an argument of its kernel beside its value.
 */
#ifndef JOB_ARGUMENT_H
#define JOB_ARGUMENT_H

#include <stdbool.h>
#include <stdint.h>

struct job_argument {
	int64_t buffer_id;     /* in the recording, or -1 */
	uint64_t buffer_bytes; /* of known memory that is the kernel's alone while it runs, or 0 */
	bool has_pointer;      /* its value is one, and not NULL */
	uint64_t svm_address;  /* first byte of the allocation an SVM pointer lies in, or 0 */
};

#endif
