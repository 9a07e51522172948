/*
 * gpu_search - finds GPU descriptions by name in a list of folders.
 *
 * `path` is a colon-separated list of folders, of which the first that has NAME.conf wins; empty
 * ones are skipped. "V100" finds v100.conf where no folder has V100.conf. A name with a '/', or one
 * that ends in ".conf", is the path of a file.
 */
#ifndef GPU_SEARCH_H
#define GPU_SEARCH_H

struct array;
struct err;
struct gpu;

/*
 * The GPU wherever none is named: of commands, of the library, and the one that CUDA programs
 * without a GPU are told of. It is the GPU that most people can rent, and the newest described
 * here of which every key of L1 has a source or a measured curve (docs/accuracy.md).
 */
#define GPU_SEARCH_DEFAULT "a100"

/*
 * The description file of GPU `name`, on the heap. NULL with ERR_USAGE, whose message lists the
 * names there are, or ERR_NOMEM.
 */
char *gpu_search_find(const char *path, const char *name, struct err *err);

/*
 * Fill *names with the names there are (char *, on the heap), sorted, each once. Free them with
 * gpu_search_release(). Returns 0, ERR_LIMIT, ERR_NOMEM.
 */
int gpu_search_names(const char *path, struct array *names, struct err *err);
void gpu_search_release(struct array *names);

/* The names of the L1 choices in a description file, "16k, 48k", on the heap; "" when it has
 * none. NULL with ERR_IO, ERR_LIMIT or ERR_NOMEM. */
char *gpu_search_l1_list(const char *file, struct err *err);

/*
 * Read the description `name` (NULL: the default GPU) with the L1 `l1` (NULL: its first), and set
 * is_default. Returns
 * 0; ERR_USAGE for a GPU or an L1 that does not exist; what gpu_parse() returns.
 */
int gpu_search_load(const char *path, struct gpu *gpu, const char *name, const char *l1,
                    struct err *err);

#endif
