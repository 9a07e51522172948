/* SPDX-License-Identifier: Apache-2.0 */
#include "compile_folder.h"

#include "err.h"
#include "file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder itself, under a name that nobody has. */
static int make_folder(struct compile_folder *f, struct err *err)
{
	int rc;

	f->dir = file_path(file_temporary_folder(), "warpline-XXXXXX", err);
	if (!f->dir)
		return ERR_NOMEM;
	if (mkdtemp(f->dir))
		return 0;
	rc = err_set(err, ERR_IO, "%s: %s", f->dir, strerror(errno));
	free(f->dir);
	f->dir = NULL;
	return rc;
}

int compile_folder_init(struct compile_folder *f, const char *name, const void *source,
                        size_t length, struct err *err)
{
	int rc;

	*f = (struct compile_folder){ .dir = NULL };
	rc = make_folder(f, err);
	if (rc)
		return rc;
	f->source = file_path(f->dir, name, err);
	f->output = file_path(f->dir, "program.spir", err);
	f->table = file_path(f->dir, "table.json", err);
	f->headers = file_path(f->dir, "headers", err);
	f->cuda_table = file_path(f->dir, "cuda.json", err);
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
	char *files[] = { f->source, f->output, f->table, f->headers, f->cuda_table };
	bool keep = is_kept();

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (files[i] && !keep)
			(void)unlink(files[i]);
		free(files[i]);
	}
	if (f->dir && !keep)
		(void)rmdir(f->dir);
	free(f->dir);
	*f = (struct compile_folder){ .dir = NULL };
}
