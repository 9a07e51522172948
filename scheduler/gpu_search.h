/*
 * gpu_search - finds GPU descriptions by name in a list of folders.
 *
 * `path` is the folders with colons between them, the first that has NAME.conf wins; an empty one
 * is none. A name with a '/' is a file's own and is sought nowhere.
 */
#ifndef GPU_SEARCH_H
#define GPU_SEARCH_H

struct array;
struct err;
struct gpu;

#define GPU_SEARCH_DEFAULT "gtx480"

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
 * Read the description `name` (NULL: the default GPU) with the L1 `l1` (NULL: its first). Returns
 * 0; ERR_USAGE for a GPU or an L1 that does not exist; what gpu_parse() returns.
 */
int gpu_search_load(const char *path, struct gpu *gpu, const char *name, const char *l1,
                    struct err *err);

#endif
