/*
 * cuda_environment - what the environment of a CUDA program must have for it to run on CUDA's
 * libraries over OpenCL, which are ours.
 *
 * A library that is preloaded beats what the program's run path finds, as it has the same name;
 * what is loaded later is found by LD_LIBRARY_PATH.
 */
#ifndef CUDA_ENVIRONMENT_H
#define CUDA_ENVIRONMENT_H

#include "app.h"
#include "array.h"

#include <stdbool.h>

struct err;

struct cuda_program {
	struct array needed; /* of char *: libcudart.so.N, libcuda.so.1, libnvrtc.so.N it is linked
	                        with */
	bool has_code;       /* one of its files brings code for NVIDIA's GPUs */
};

/* Look at `path` and the libraries it is linked with; release *p in every case. A file that is no
 * program has nothing of CUDA. Returns 0 or ERR_NOMEM. */
int cuda_program_read(struct cuda_program *p, const char *path, struct err *err);

/* Whether CUDA's runtime is linked into it: it has code for GPUs, and no libcudart is needed. */
bool cuda_program_is_static(const struct cuda_program *p);

/* Free what it owns. Accepts a zeroed struct. */
void cuda_program_release(struct cuda_program *p);

/* How a CUDA program is run; the words of --cuda. */
#define CUDA_WAYS "auto|opencl|gpu"
enum cuda_way { CUDA_AUTO, CUDA_OPENCL, CUDA_GPU };

enum { CUDA_ENVIRONMENT_ITEMS = 3 };

struct cuda_environment {
	char *libraries; /* folder of ours */
	char *preload;   /* libraries for LD_PRELOAD, with ':' between; NULL: none */
	char *search;    /* LD_LIBRARY_PATH with that folder first */
	struct app_variable items[CUDA_ENVIRONMENT_ITEMS];
	size_t count;
};

/* Whether an NVIDIA driver and a GPU are here: its device file and a libcuda.so.1 that is not ours.
 */
bool cuda_has_gpu(void);

/*
 * Fill *e for a program; release it in every case. `gpu` (NULL: the default) is the description
 * that programs are told of. The items have no LD_PRELOAD: that is to be joined with other
 * libraries. Returns 0; ERR_USAGE when the program needs a version of a library that is not there;
 * ERR_IO when the libraries are missing; ERR_NOMEM.
 */
int cuda_environment_make(struct cuda_environment *e, const struct cuda_program *p, const char *gpu,
                          struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void cuda_environment_release(struct cuda_environment *e);

/* Say on stderr, as `command`, what hinders `path` from running over OpenCL: its runtime is linked
 * into it. Returns whether anything was said. */
bool cuda_environment_warn(const char *command, const struct cuda_program *p, const char *path);

#endif
