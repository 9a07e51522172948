/*
 * gpu_link - what goes into a link of the driver's: PTX can be followed when it is all there is.
 */
#ifndef GPU_LINK_H
#define GPU_LINK_H

#include "cuda_driver.h"

struct session;

struct gpu_link {
	unsigned parts;    /* that were added */
	char *ptx;         /* of the first, or NULL */
	const void *image; /* what came out, the driver's until the link is destroyed; or NULL */
};

/* A part was added: `ptx` is its text, copied, or NULL for what is none. */
void gpu_link_add(struct session *s, CUlinkState state, const char *ptx, size_t bytes);

/* The link gave an image. */
void gpu_link_complete(struct session *s, CUlinkState state, const void *image);

/* It is destroyed, its image with it. */
void gpu_link_end(struct session *s, CUlinkState state);

/* Whether an image came out of a link. Then *ptx is a copy of its one part of PTX, or NULL with
 * *reason (static) why there is none. */
bool gpu_link_find(struct session *s, const void *image, char **ptx, const char **reason);

/* Free one. */
void gpu_link_free(void *link);

#endif
