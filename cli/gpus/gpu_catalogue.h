/*
 * gpu_catalogue - finds GPU descriptions by name.
 *
 * Searched in order: the directories in WARPLINE_GPUS (colon-separated), gpus/ beside the program
 * (where it was built), ../share/warpline/gpus from the program (where it was installed).
 */
#ifndef GPU_CATALOGUE_H
#define GPU_CATALOGUE_H

#include "gpu_search.h"

struct array;
struct err;
struct gpu;

/*
 * The description file of GPU `name` (NULL: the one of WARPLINE_GPU, else the default), on the
 * heap; a name with a '/', or that ends in .conf, is a path. NULL with ERR_USAGE and a list of the
 * known names, or ERR_NOMEM.
 */
char *gpu_catalogue_find(const char *name, struct err *err);

/*
 * Fill *names with all names (char *, on the heap), sorted, each once. Free them with
 * gpu_catalogue_release(). Returns 0, ERR_LIMIT, ERR_NOMEM.
 */
int gpu_catalogue_names(struct array *names, struct err *err);
void gpu_catalogue_release(struct array *names);

/* The names of the L1 configurations in a description file, "16k, 48k", on the heap; "" if there
 * are none. NULL with ERR_IO, ERR_LIMIT or ERR_NOMEM. */
char *gpu_catalogue_l1_list(const char *file, struct err *err);

/*
 * Read the description `name` (NULL: the one of WARPLINE_GPU, else the default) with the L1 `l1`
 * (NULL: its first). Returns 0; ERR_USAGE for a GPU or an L1 that does not exist; or an error of
 * gpu_parse().
 */
int gpu_catalogue_load(struct gpu *gpu, const char *name, const char *l1, struct err *err);

#endif
