/*
 * read_only_choice - the list of --read-only, checked against a recording and a GPU.
 */
#ifndef READ_ONLY_CHOICE_H
#define READ_ONLY_CHOICE_H

#include "bypass_list.h"

struct err;
struct gpu;
struct recording;

/*
 * Read `text`, NULL for no list: *out is then empty. Each rule must name a read of a kernel of the
 * recording that was traced, or a buffer that it has, and the GPU must have a read-only cache.
 * Returns 0, ERR_USAGE, ERR_CONFIG or ERR_NOMEM; release *out with bypass_list_release() in
 * every case.
 */
int read_only_choice_load(struct bypass_list *out, const char *text, const struct recording *r,
                          const struct gpu *gpu, struct err *err);

#endif
