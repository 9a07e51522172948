/*
 * import_recording - the recording that an import makes: what frames the launches.
 *
 * Written beside its place and moved there when it is whole, so that an older recording is in
 * nobody's way, and stays when the input turns out to make no sense.
 */
#ifndef IMPORT_RECORDING_H
#define IMPORT_RECORDING_H

#include "recording_writer.h"

struct err;
struct kernel_table;

/* Writes the launches of a kernel, which is number 0. */
typedef int (*import_launches)(struct recording_writer *w, const void *input, struct err *err);

/*
 * Make the recording `dir` with the one kernel of `table` and the launches that `write` writes of
 * `input`. Returns 0, what `write` returns, or ERR_IO, ERR_USAGE (something is in the way),
 * ERR_NOMEM.
 */
int import_recording_make(const char *dir, const struct kernel_table *table, import_launches write,
                          const void *input, struct err *err);

#endif
