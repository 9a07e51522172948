/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument_job.h"

#include "array.h"
#include "err.h"
#include "file.h"
#include "instrument_cache.h"
#include "str.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIMIT_KEY_PARTS (1u << 20)

char *cached_instrument_identity(const char *instrumenter)
{
	struct stat st;

	if (stat(instrumenter, &st) < 0)
		return NULL;
	return str_format(NULL, "%s %lld %lld %ld.%09ld", WARPLINE_VERSION, (long long)st.st_ino,
	                  (long long)st.st_size, (long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

/* What is not part of the key counts as missing. */
static struct cache_part part_of(bool is_key, const char *text)
{
	const char *part = is_key && text ? text : "";

	return (struct cache_part){ part, strlen(part) };
}

static bool add_part(struct array *parts, const struct instrument_part *part)
{
	const struct cache_part more[] = {
#define PART_REQUEST(field, option, is_key, sentence) part_of(is_key, part->field),
#include "instrument_request.def"
#undef PART_REQUEST
		{ part->content, sizeof(part->content) },
	};
	struct cache_part *at = array_push(parts, sizeof(more) / sizeof(more[0]), NULL);

	if (at)
		memcpy(at, more, sizeof(more));
	return at;
}

/* List the request without its parts, then each part. */
static bool list_key(struct array *parts, const struct instrument_request *r,
                     const char *instrumenter)
{
	const struct cache_part whole[] = {
		{ instrumenter, strlen(instrumenter) },
		part_of(true, r->folder),
#define REQUEST(field, option, is_key, sentence) part_of(is_key, r->field),
#include "instrument_request.def"
#undef REQUEST
	};
	struct cache_part *at = array_push(parts, sizeof(whole) / sizeof(whole[0]), NULL);

	if (!at)
		return false;
	memcpy(at, whole, sizeof(whole));
	for (size_t i = 0; i < r->part_count; i++)
		if (!add_part(parts, &r->parts[i]))
			return false;
	return true;
}

static bool make_key(const struct instrument_request *r, struct cache_key *key)
{
	char *instrumenter = cached_instrument_identity(r->instrumenter);
	struct array parts;
	bool is_made;

	array_init(&parts, sizeof(struct cache_part), LIMIT_KEY_PARTS, "key of an entry");
	is_made = instrumenter && list_key(&parts, r, instrumenter);
	if (is_made)
		*key = instrument_cache_key(parts.data, parts.count);
	array_release(&parts);
	free(instrumenter);
	return is_made;
}

int cached_instrument_run(const struct instrument_request *request, const char *cache,
                          struct err *err)
{
	const struct cache_files files = { request->output, request->table, request->headers,
		                           request->cuda_table, request->names };
	char *dir = cache ? str_copy(cache, NULL) : instrument_cache_dir();
	struct cache_key key;
	int rc = 0;

	if (!dir || !strcmp(dir, "off") || !make_key(request, &key)) {
		rc = instrument_process_run(request, err);
	} else if (!instrument_cache_find(dir, key, &files)) {
		rc = instrument_process_run(request, err);
		if (rc == 0)
			instrument_cache_keep(dir, key, &files, INSTRUMENT_CACHE_LIMIT_BYTES);
	}
	free(dir);
	return rc;
}

#define DEPTH       4 /* levels that "../" may lead up */
#define LIMIT_PATH  (1u << 16)
#define LIMIT_ITEMS (1u << 20)

char *instrument_job_build_options(const struct str *text, struct err *err)
{
	static const char head[] = "// options:";
	const char *line = text->text ? text->text : "";

	if (strncmp(line, head, strlen(head)) != 0)
		return str_copy("-w", err);
	line += strlen(head);
	return str_format(err, "-w%.*s", (int)strcspn(line, "\r\n"), line);
}

/* Take ownership of a string on the heap. NULL stays NULL; if the string cannot be kept, it is
 * freed. */
static const char *own(struct instrument_job *j, char *text, struct err *err)
{
	char **slot = text ? array_push(&j->texts, 1, err) : NULL;

	if (slot)
		*slot = text;
	else
		free(text);
	return slot ? text : NULL;
}

const char *instrument_job_path(struct instrument_job *j, const char *name, struct err *err)
{
	return own(j, file_path(j->folder.path, name, err), err);
}

int instrument_job_init(struct instrument_job *j, const char *instrumenter, const char *output,
                        struct err *err)
{
	struct instrument_request *r = &j->request;
	int rc;

	*j = (struct instrument_job){ .folder = { .path = NULL } };
	array_init(&j->parts, sizeof(struct instrument_part), LIMIT_ITEMS, "parts of a program");
	array_init(&j->texts, sizeof(char *), LIMIT_ITEMS, "texts of a request");
	rc = temporary_make_folder(&j->folder, TEMPORARY_PROGRAM, err);
	if (rc < 0)
		return rc;
	r->instrumenter =
		own(j, instrumenter ? str_copy(instrumenter, err) : instrument_process_default(err),
	            err);
	r->output = instrument_job_path(j, output, err);
	r->table = instrument_job_path(j, "program.json", err);
	r->headers = instrument_job_path(j, "headers", err);
	return r->instrumenter && r->output && r->table && r->headers ? 0 : ERR_NOMEM;
}

void instrument_job_release(struct instrument_job *j, bool keep)
{
	char **texts = j->texts.data;

	if (keep)
		temporary_keep(&j->folder);
	else
		temporary_remove(&j->folder);
	for (size_t i = 0; i < j->texts.count; i++)
		free(texts[i]);
	array_release(&j->texts);
	array_release(&j->parts);
	*j = (struct instrument_job){ .folder = { .path = NULL } };
}

int instrument_job_set_device(struct instrument_job *j, const char *extensions, const char *version,
                              struct err *err)
{
	const char *number = version + strcspn(version, "0123456789");
	struct instrument_request *r = &j->request;

	r->extensions = own(j, str_copy(extensions, err), err);
	r->cl_version =
		own(j, str_format(err, "%.*s", (int)strspn(number, "0123456789."), number), err);
	return r->extensions && r->cl_version ? 0 : ERR_NOMEM;
}

/* Create the parent folders of a file. */
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

static int write_header(const char *folder, const struct job_header *header, struct err *err)
{
	char *path;
	int rc;

	if (!is_below(header->name))
		return err_set(err, ERR_UNSUPPORTED,
		               "'%.200s' is not a usable file name for a header "
		               "that came with the program",
		               header->name);
	path = file_path(folder, header->name, err);
	rc = path ? make_way(path, err) : ERR_NOMEM;
	if (rc == 0)
		rc = file_write(path, header->bytes, header->length, err);
	free(path);
	return rc;
}

/* Write into "FOLDER/N/0/0/0/0", since names may lead up. */
static int write_headers(struct instrument_job *j, const struct job_part *part,
                         struct instrument_part *p, struct err *err)
{
	struct str path;
	int rc;

	if (!part->header_count)
		return 0;
	str_init(&path, LIMIT_PATH);
	rc = str_printf(&path, err, "%s/%zu", j->folder.path, j->parts.count);
	for (int i = 0; rc == 0 && i < DEPTH; i++)
		rc = str_printf(&path, err, "/0");
	if (rc == 0)
		rc = str_append(&path, "/", 1, err);
	if (rc == 0)
		rc = make_way(path.text, err);
	if (rc == 0)
		path.text[path.length - 1] = '\0';
	p->embedded = rc == 0 ? own(j, str_take(&path), err) : NULL;
	str_release(&path);
	if (rc == 0 && !p->embedded)
		rc = ERR_NOMEM;
	for (size_t i = 0; rc == 0 && i < part->header_count; i++)
		rc = write_header(p->embedded, &part->headers[i], err);
	return rc;
}

/* Hash what the result depends on besides the request: kind, text, macros and headers. */
static int hash_content(const struct job_part *part, uint64_t hash[2], struct err *err)
{
	const char *suffix = part->file + strcspn(part->file, "."), *macros = part->macros;
	struct array list;
	struct cache_part *at;
	struct cache_key key = { 0 };

	array_init(&list, sizeof(*at), LIMIT_ITEMS, "headers");
	at = array_push(&list, 4 + 2 * part->header_count, err);
	if (at) {
		*at++ = (struct cache_part){ suffix, strlen(suffix) };
		*at++ = (struct cache_part){ macros ? "1" : "0", 1 };
		*at++ = (struct cache_part){ macros ? macros : "", macros ? strlen(macros) : 0 };
		*at++ = (struct cache_part){ part->bytes, part->length };
		for (size_t i = 0; i < part->header_count; i++) {
			const struct job_header *h = &part->headers[i];

			*at++ = (struct cache_part){ h->name, strlen(h->name) };
			*at++ = (struct cache_part){ h->bytes, h->length };
		}
		key = instrument_cache_key(list.data, list.count);
	}
	array_release(&list);
	hash[0] = key.high;
	hash[1] = key.low;
	return at ? 0 : ERR_NOMEM;
}

static int write_macros(struct instrument_job *j, const char *macros, struct instrument_part *p,
                        struct err *err)
{
	char name[32];

	if (!macros)
		return 0;
	snprintf(name, sizeof(name), "macros-%zu", j->parts.count);
	p->macros = instrument_job_path(j, name, err);
	return p->macros ? file_write(p->macros, macros, strlen(macros), err) : ERR_NOMEM;
}

int instrument_job_add(struct instrument_job *j, const struct job_part *part, struct err *err)
{
	struct instrument_part p = {
		.source = instrument_job_path(j, part->file, err),
		.source_name = own(j, str_copy(part->name, err), err),
		.options = own(j, str_copy(part->options ? part->options : "", err), err),
	};
	int rc = p.source && p.source_name && p.options ? hash_content(part, p.content, err)
	                                                : ERR_NOMEM;
	struct instrument_part *kept;

	if (rc == 0)
		rc = write_headers(j, part, &p, err);
	if (rc == 0)
		rc = write_macros(j, part->macros, &p, err);
	if (rc == 0)
		rc = file_write(p.source, part->bytes, part->length, err);
	if (rc < 0)
		return rc;
	kept = array_push(&j->parts, 1, err);
	if (!kept)
		return ERR_NOMEM;
	*kept = p;
	j->request.parts = j->parts.data;
	j->request.part_count = j->parts.count;
	return 0;
}

int instrument_job_run(struct instrument_job *j, const char *cache, struct err *err)
{
	return cached_instrument_run(&j->request, cache && *cache ? cache : NULL, err);
}
