/*
 * cuda_environment - what of CUDA a program uses, and the environment in which it runs on our CUDA
 * libraries over OpenCL.
 *
 * A program is judged by its file and its libraries; nothing is run, and libraries that are only
 * loaded at run time are not seen. A preloaded library takes precedence over one of the same name
 * in the program's run path; libraries loaded later are found by LD_LIBRARY_PATH.
 */
#ifndef CUDA_ENVIRONMENT_H
#define CUDA_ENVIRONMENT_H

#include "app.h"
#include "array.h"

#include <stdbool.h>

struct err;

struct cuda_program {
	struct array needed; /* char *: libcudart.so.N, libcuda.so.1, libnvrtc.so.N that it is
	                        linked with */
	bool has_code;       /* one of its files contains code for NVIDIA's GPUs */
};

/* Read `path` and the libraries it is linked with; release *p in every case. A file that is not a
 * program uses nothing of CUDA. Returns 0 or ERR_NOMEM. */
int cuda_program_read(struct cuda_program *p, const char *path, struct err *err);

/* Whether CUDA's runtime is linked into it statically: it has code for GPUs and needs no libcudart.
 */
bool cuda_program_is_static(const struct cuda_program *p);

/* Free what it owns. Accepts a zeroed struct. */
void cuda_program_release(struct cuda_program *p);

/* How to run a CUDA program; the words of --cuda. */
#define CUDA_WAYS "auto|opencl|gpu"
enum cuda_way { CUDA_AUTO, CUDA_OPENCL, CUDA_GPU };

enum { CUDA_ENVIRONMENT_ITEMS = 3 };

struct cuda_environment {
	char *libraries; /* folder of our libraries */
	char *preload;   /* libraries for LD_PRELOAD, colon-separated; NULL: none */
	char *search;    /* LD_LIBRARY_PATH with that folder first */
	struct app_variable items[CUDA_ENVIRONMENT_ITEMS];
	size_t count;
};

/* Whether this machine has an NVIDIA GPU and driver: a device file, and a libcuda.so.1 that is not
 * ours. */
bool cuda_has_gpu(void);

/*
 * Fill *e for a program; release it in every case. `gpu` (NULL: the default) is the
 * description of the GPU that the program sees. The items do not include LD_PRELOAD, which the
 * caller joins with other libraries. Returns 0; ERR_USAGE if the program needs a version of a
 * library that we do not have; ERR_IO if our libraries are missing; ERR_NOMEM.
 */
int cuda_environment_make(struct cuda_environment *e, const struct cuda_program *p, const char *gpu,
                          struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void cuda_environment_release(struct cuda_environment *e);

/* Warn on stderr, as `command`, if `path` cannot run over OpenCL because its runtime is linked
 * statically. Returns whether it did. */
bool cuda_environment_warn(const char *command, const struct cuda_program *p, const char *path);

#endif
