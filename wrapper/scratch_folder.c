/* SPDX-License-Identifier: Apache-2.0 */
#include "scratch_folder.h"

#include "array.h"
#include "err.h"
#include "file.h"
#include "program_code.h"
#include "str.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DEPTH 4 /* folders that "../" may lead up */

static const char *const suffixes[CODE_KINDS] = { ".cl", ".bc", ".spv", ".ptx" };

/* Make the folders on the way to a file. */
static int make_way(char *path, struct err *err)
{
	for (size_t i = 1; path[0] && path[i]; i++) {
		int failed;

		if (path[i] != '/')
			continue;
		path[i] = '\0';
		failed = mkdir(path, 0700) < 0 && errno != EEXIST;
		path[i] = '/';
		if (failed)
			return err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	}
	return 0;
}

/* Whether a header's name stays below the folder DEPTH levels above it, and names a file. */
static bool is_below(const char *name)
{
	int depth = DEPTH;

	if (*name == '/' || !*name || name[strlen(name) - 1] == '/')
		return false;
	for (const char *at = name; *at;) {
		size_t length = strcspn(at, "/");

		if (length == 2 && !strncmp(at, "..", 2))
			depth--;
		else if (length && !(length == 1 && *at == '.'))
			depth++;
		if (depth < 0)
			return false;
		at += length + (at[length] == '/');
	}
	return true;
}

static int write_header(const char *folder, const struct embedded_header *header, struct err *err)
{
	char *path;
	int rc;

	if (!is_below(header->name))
		return err_set(err, ERR_UNSUPPORTED,
		               "a header that came with the program cannot be "
		               "a file of the name '%.200s'",
		               header->name);
	path = file_path(folder, header->name, err);
	rc = path ? make_way(path, err) : ERR_NOMEM;
	if (rc == 0)
		rc = file_write(path, header->text->bytes, header->text->length, err);
	free(path);
	return rc;
}

/* "DIR/N/0/0/0/0/", since names may lead up. */
static int write_headers(struct scratch_part *p, const char *dir, size_t number,
                         const struct code_part *part, struct err *err)
{
	struct str path;
	int rc;

	str_init(&path, 1u << 16);
	rc = str_printf(&path, err, "%s/%zu", dir, number);
	for (int i = 0; rc == 0 && i < DEPTH; i++)
		rc = str_printf(&path, err, "/0");
	if (rc == 0)
		rc = str_append(&path, "/", 1, err);
	if (rc == 0)
		rc = make_way(path.text, err);
	if (rc == 0)
		path.text[path.length - 1] = '\0';
	p->embedded = rc == 0 ? str_take(&path) : NULL;
	str_release(&path);
	for (size_t i = 0; rc == 0 && i < part->header_count; i++)
		rc = write_header(p->embedded, &part->headers[i], err);
	return rc;
}

static int write_part(struct scratch_folder *f, size_t number, const struct code_part *part,
                      struct err *err)
{
	struct scratch_part *p = &f->parts[number];
	int rc = 0;

	p->source =
		str_format(err, "%s/program-%zu%s", f->folder.path, number, suffixes[part->kind]);
	p->macros = str_format(err, "%s/macros-%zu", f->folder.path, number);
	if (!p->source || !p->macros)
		return ERR_NOMEM;
	if (part->header_count)
		rc = write_headers(p, f->folder.path, number, part, err);
	return rc ? rc : file_write(p->source, part->text->bytes, part->text->length, err);
}

int scratch_folder_init(struct scratch_folder *f, const struct program_code *code,
                        const char *output, struct err *err)
{
	int rc;

	*f = (struct scratch_folder){ .parts = NULL };
	rc = temporary_make_folder(&f->folder, TEMPORARY_PROGRAM, err);
	if (rc < 0)
		return rc;
	f->output = file_path(f->folder.path, output, err);
	f->table = file_path(f->folder.path, "program.json", err);
	f->headers = file_path(f->folder.path, "headers", err);
	f->names = file_path(f->folder.path, "names", err);
	f->parts = array_alloc(code->part_count, sizeof(*f->parts), "parts", err);
	if (!f->output || !f->table || !f->headers || !f->names || !f->parts)
		return ERR_NOMEM;
	f->part_count = code->part_count;
	for (size_t i = 0; rc == 0 && i < code->part_count; i++)
		rc = write_part(f, i, &code->parts[i], err);
	return rc;
}

void scratch_folder_release(struct scratch_folder *f, bool keep)
{
	if (keep)
		temporary_keep(&f->folder);
	else
		temporary_remove(&f->folder);
	for (size_t i = 0; i < f->part_count; i++) {
		free(f->parts[i].source);
		free(f->parts[i].embedded);
		free(f->parts[i].name);
		free(f->parts[i].macros);
	}
	free(f->parts);
	free(f->output);
	free(f->table);
	free(f->headers);
	free(f->names);
	*f = (struct scratch_folder){ .parts = NULL };
}
