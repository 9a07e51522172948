/*
 * hook_gpu_module - the hooks that load device code: modules, libraries and links, and the PTX in
 * what the application gives them.
 */
#ifndef HOOK_GPU_MODULE_H
#define HOOK_GPU_MODULE_H

#include "cuda_driver.h"

#include <stddef.h>

struct err;

/* What went into one of the driver's links: PTX can be followed when nothing else did. */
struct gpu_link {
	unsigned parts;    /* that were added */
	char *ptx;         /* of the first, or NULL */
	const void *image; /* what came out, the driver's until the link is destroyed; or NULL */
};

/* Free one. */
void gpu_link_free(void *link);

/*
 * gpu_image - the PTX in what an application gives the driver as device code.
 *
 * That is a string of PTX, an ELF file of machine code, a fat binary or what nvcc wraps one in: the
 * same that cuModuleLoadData() takes. Its own headers say how long it is, as for the
 * driver.
 */

/*
 * The PTX of an image: of several the newest that a device of compute capability `arch` (75
 * for 7.5; 0: any) takes. *ptx is on the heap. Returns 0; ERR_UNSUPPORTED without PTX, with
 * what it has instead; ERR_FORMAT, ERR_LIMIT, ERR_NOMEM.
 */
int gpu_image_ptx(const void *image, unsigned arch, char **ptx, struct err *err);

/* The same of a file. Also ERR_IO. */
int gpu_image_ptx_file(const char *path, unsigned arch, char **ptx, struct err *err);

#endif
