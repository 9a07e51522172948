/*
 * cuda_module_private - what a module is made of (private to this room).
 */
#ifndef CUDA_MODULE_PRIVATE_H
#define CUDA_MODULE_PRIVATE_H

#include "array.h"
#include "cuda_module.h"

struct cuda_module {
	const void *image;
	size_t length;        /* 0: as the image says */
	void *copy;           /* the image, when it is ours */
	pthread_mutex_t lock; /* for what follows, until it is loaded */
	bool is_tried;
	int code; /* what loading it came to */
	struct module_table table;
	cl_program program; /* NULL: it has no kernels */
	void **symbols;     /* memory of each variable */
	size_t trap;        /* the variable that kernels report assertions in, or symbol_count */
	struct array functions; /* struct cuda_function *; under the core's lock */
	bool may_have_trapped;  /* under the core's lock */
};

#endif
