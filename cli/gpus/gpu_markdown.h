/*
 * gpu_markdown - the GPU descriptions that there are as a page: docs/gpus.md.
 *
 * Every value is what a replay on that GPU would use; the sources of the values are in
 * gpus/NAME.conf.
 */
#ifndef GPU_MARKDOWN_H
#define GPU_MARKDOWN_H

#include <stdio.h>

struct err;

/* Returns 0, or what reading the descriptions returns. */
int gpu_markdown_print(FILE *out, struct err *err);

#endif
