/*
 * gpu_search - finds GPU descriptions by name in a list of folders.
 *
 * `path` is a colon-separated list of folders; the first one that has NAME.conf wins, and empty
 * entries are skipped. "V100" finds v100.conf if no folder has V100.conf. A name that contains '/'
 * or ends in ".conf" is the path of a file.
 */
#ifndef GPU_SEARCH_H
#define GPU_SEARCH_H

struct array;
struct err;
struct gpu;

/*
 * The default GPU of commands and of the library, and the one that CUDA programs without a GPU see.
 * It is the GPU that most people can rent, and the newest one described here for which every key of
 * L1 has a source or a measured curve (docs/accuracy.md).
 */
#define GPU_SEARCH_DEFAULT "a100"

/*
 * Returns the path of the description file of GPU `name`; the caller frees it. Returns NULL with
 * ERR_USAGE, whose message lists the available names, or ERR_NOMEM.
 */
char *gpu_search_find(const char *path, const char *name, struct err *err);

/*
 * Fill *names with the available names (char *, on the heap), sorted, each once. Free them with
 * gpu_search_release(). Returns 0, ERR_LIMIT or ERR_NOMEM.
 */
int gpu_search_names(const char *path, struct array *names, struct err *err);
void gpu_search_release(struct array *names);

/* Returns the names of the L1 sections of a description file, "16k, 48k", or "" if it has none; the
 * caller frees the string. Returns NULL with ERR_IO, ERR_LIMIT or ERR_NOMEM. */
char *gpu_search_l1_list(const char *file, struct err *err);

/*
 * Read the description `name` (NULL: the default GPU) with the L1 `l1` (NULL: its first), and set
 * is_default. Returns 0; ERR_USAGE for a GPU or an L1 that does not exist; or what gpu_parse()
 * returns.
 */
int gpu_search_load(const char *path, struct gpu *gpu, const char *name, const char *l1,
                    struct err *err);

#endif
