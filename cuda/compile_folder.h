/*
 * compile_folder - the files of one run of the instrumenter by the CUDA libraries, in a folder of
 * their own.
 */
#ifndef COMPILE_FOLDER_H
#define COMPILE_FOLDER_H

#include "temporary.h"

#include <stddef.h>

struct compile_folder {
	struct temporary folder;
	char *source, *output, *table, *headers, *cuda_table;
};

/* Make the folder, with the source in it under `name`. Release *f in every case. ERR_IO, ERR_NOMEM.
 */
int compile_folder_init(struct compile_folder *f, const char *name, const void *source,
                        size_t length, struct err *err);

/* Remove the folder, unless WARPLINE_KEEP is set, and free. Accepts a zeroed one. */
void compile_folder_release(struct compile_folder *f);

#endif
