/* SPDX-License-Identifier: Apache-2.0 */
#include "compile_folder.h"

#include "err.h"
#include "file.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int compile_folder_init(struct compile_folder *f, const char *name, const void *source,
                        size_t length, struct err *err)
{
	int rc;

	*f = (struct compile_folder){ .source = NULL };
	rc = temporary_make_folder(&f->folder, TEMPORARY_PROGRAM, err);
	if (rc)
		return rc;
	f->source = file_path(f->folder.path, name, err);
	f->output = file_path(f->folder.path, "program.spir", err);
	f->table = file_path(f->folder.path, "table.json", err);
	f->headers = file_path(f->folder.path, "headers", err);
	f->cuda_table = file_path(f->folder.path, "cuda.json", err);
	if (!f->source || !f->output || !f->table || !f->headers || !f->cuda_table)
		return ERR_NOMEM;
	return file_write(f->source, source, length, err);
}

static bool is_kept(void)
{
	const char *keep = getenv("WARPLINE_KEEP");

	return keep && *keep && strcmp(keep, "0") != 0;
}

void compile_folder_release(struct compile_folder *f)
{
	if (is_kept())
		temporary_keep(&f->folder);
	else
		temporary_remove(&f->folder);
	free(f->source);
	free(f->output);
	free(f->table);
	free(f->headers);
	free(f->cuda_table);
	*f = (struct compile_folder){ .source = NULL };
}
