/*
 * mock_cuda_private - what the parts of the mock share.
 */
#ifndef MOCK_CUDA_PRIVATE_H
#define MOCK_CUDA_PRIVATE_H

#include "mock_cuda.h"

#define MOCK_STREAMS     16
#define MOCK_MOST_VALUES 4
#define MOCK_TOTAL       "total"

struct mock_module {
	bool is_shadow;
	unsigned total; /* its variable */
	struct mock_function {
		struct mock_module *module;
		const struct mock_kernel *kernel;
		int max_dynamic_shared;
	} functions[4];
};

/* A launch as it was called: values are copied then. */
struct mock_launch {
	const struct mock_function *function;
	unsigned groups[3], items[3];
	uint64_t values[MOCK_MOST_VALUES];
};

struct mock_kernel {
	const char *name;
	unsigned value_count;
	unsigned value_bytes[MOCK_MOST_VALUES];
	void (*run)(const struct mock_launch *launch);
};

extern const struct mock_kernel mock_kernels[];
extern const unsigned mock_kernel_count;
extern uint32_t mock_lanes;

/* The mock's lock; mock_cuda_enter() takes it unless the call is to fail. */
bool mock_cuda_enter(const char *name);
void mock_cuda_leave(void);

/* Things of the driver, zeroed; freeing what there is not aborts. */
void *mock_cuda_make(size_t bytes);
void mock_cuda_free(void *thing);

#define ENTER                                                                                      \
	do {                                                                                       \
		if (!mock_cuda_enter(__func__))                                                    \
			return CUDA_ERROR_UNKNOWN;                                                 \
	} while (0)
#define LEAVE(code)                                                                                \
	do {                                                                                       \
		CUresult result = (code);                                                          \
                                                                                                   \
		mock_cuda_leave();                                                                 \
		return result;                                                                     \
	} while (0)

/* Put a launch or a copy into a stream; or run what is there. False: something there is waited for.
 */
void mock_enqueue_launch(CUstream stream, const struct mock_launch *launch);
void mock_enqueue_copy(CUstream stream, void *to, const void *from, size_t bytes);
bool mock_run_stream(CUstream stream);

/* All functions of the driver's table, under their own names. */
#define CUDA_CALL(name, params) CUresult name params;
#include "cuda_api.def"

#endif
