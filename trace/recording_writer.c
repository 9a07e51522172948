/* SPDX-License-Identifier: Apache-2.0 */
#include "recording_writer.h"

#include "array.h"
#include "bundle_writer.h"
#include "bypass_list.h"
#include "err.h"
#include "file.h"
#include "manifest_file.h"
#include "manifest_json.h"
#include "own_file.h"
#include "recording.h"
#include "str.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

/*
 * kept_list - the file of a bypass list in a recording (private to trace/).
 */

struct bypass_list;

struct err;

struct recorded_list;

static int check_size(const char *name, const char *text, size_t length, struct err *err)
{
	size_t lines = 0;

	for (size_t i = 0; i < length; i++)
		lines += text[i] == '\n';
	if (length <= RECORDING_LIST_BYTES_MAX && lines <= RECORDING_LIST_LINES_MAX)
		return 0;
	return err_set(err, ERR_LIMIT,
	               "%s: a bypass list of %zu lines and %zu bytes: a recording keeps one of at "
	               "most %zu lines and %zu bytes",
	               name, lines, length, RECORDING_LIST_LINES_MAX, RECORDING_LIST_BYTES_MAX);
}

/* Write the list to kept->file in the folder `dir` and fill in kept->sum. Returns 0, ERR_IO,
 * ERR_NOMEM; ERR_LIMIT if it has more lines or bytes than recording_read_list() accepts. */
static int kept_list_write(const char *dir, struct recorded_list *kept,
                           const struct bypass_list *list, struct err *err)
{
	char *path = file_path(dir, kept->file, err), *text = NULL;
	size_t length = 0;
	FILE *out = path ? open_memstream(&text, &length) : NULL;
	int ret = 0;

	if (!out)
		ret = err_set(err, ERR_NOMEM, "%s", err_text(ERR_NOMEM));
	else
		ret = bypass_list_write(list, out, err);
	if (out && fclose(out) && !ret)
		ret = err_set(err, ERR_NOMEM, "%s", err_text(ERR_NOMEM));
	if (!ret)
		ret = check_size(path, text, length, err);
	if (!ret) {
		kept->sum = (struct recorded_sum){ true, length, XXH64(text, length, 0) };
		ret = file_write(path, text, length, err);
	}
	free(text);
	free(path);
	return ret;
}

/* The most sites of a counted launch that is small. */
#define SMALL_COUNTS 4096

struct recording_writer {
	char *dir;
	struct own_file manifest;
	uint32_t devices, programs, buffers, kernels, tallies; /* written so far */
	atomic_uint_fast64_t next_launch;                      /* number */
	struct bundle_writer *bundles; /* of small launches; NULL: none yet */
	struct err failure;            /* of a write; nothing is appended after it */
};

/* Record the failure that ends the writing. */
static int fail_for_good(struct recording_writer *w, const struct err *why, struct err *err)
{
	if (!w->failure.code)
		w->failure = *why;
	return err_set(err, (enum err_code)w->failure.code, "%s", w->failure.msg);
}

/* Append a line and take its reference; NULL means out of memory. */
static int append(struct recording_writer *w, json_t *line, struct err *err)
{
	struct err inner = { 0 };
	int fd = w->failure.code ? -1 : own_file_fd(&w->manifest, &inner);

	if (!w->failure.code && (fd < 0 || manifest_append(fd, line, &inner)))
		err_set(&w->failure, (enum err_code)inner.code, "%s/manifest.jsonl: %s", w->dir,
		        inner.msg);
	json_decref(line);
	if (!w->failure.code)
		return 0;
	return err_set(err, (enum err_code)w->failure.code, "%s", w->failure.msg);
}

static bool is_empty(const char *dir)
{
	DIR *entries = opendir(dir);
	int count = 0;

	if (!entries)
		return false;
	while (count <= 2 && readdir(entries))
		count++;
	closedir(entries);
	return count <= 2; /* "." and ".." */
}

/* The files of a recording that cannot begin. */
struct made {
	bool dir, sources;
};

static int make_directories(const char *dir, struct made *made, struct err *err)
{
	char *sources;
	int ret = 0;

	made->dir = !mkdir(dir, 0777);
	if (!made->dir && (errno != EEXIST || !is_empty(dir)))
		return err_set(err, ERR_IO, "%s: %s", dir,
		               errno == EEXIST ? "exists and is not empty" : strerror(errno));
	sources = file_path(dir, "sources", err);
	if (!sources)
		return ERR_NOMEM;
	made->sources = !mkdir(sources, 0777);
	if (!made->sources)
		ret = err_set(err, ERR_IO, "%s: %s", sources, strerror(errno));
	free(sources);
	return ret;
}

/* Remove them, or they would look like another process's recording. */
static void remove_made(const char *dir, const struct made *made)
{
	char *manifest = file_path(dir, "manifest.tmp", NULL);
	char *sources = file_path(dir, "sources", NULL);

	if (made->sources && manifest && sources) {
		unlink(manifest);
		rmdir(sources);
	}
	if (made->dir)
		rmdir(dir); /* fails if another process put something there */
	free(manifest);
	free(sources);
}

/* Create the manifest. It gets its name once it has its first line, so there is never one without.
 */
static int open_manifest(struct recording_writer *w, struct err *err)
{
	char *path = file_path(w->dir, "manifest.tmp", err);
	struct err inner = { 0 };
	int ret;

	if (!path)
		return ERR_NOMEM;
	ret = own_file_create(&w->manifest, path, &inner);
	if (ret)
		err_set(err, (enum err_code)ret, "%s: %s", path, inner.msg);
	else
		own_file_lock(&w->manifest);
	free(path);
	return ret;
}

static int name_manifest(struct recording_writer *w, struct err *err)
{
	char *path = file_path(w->dir, "manifest.jsonl", err);
	struct err inner = { 0 };
	int ret;

	if (!path)
		return ERR_NOMEM;
	ret = own_file_rename(&w->manifest, path, &inner);
	if (ret)
		err_set(err, (enum err_code)ret, "%s: %s", path, inner.msg);
	free(path);
	return ret;
}

int recording_writer_create(struct recording_writer **out, const char *dir,
                            const char *tool_version, char *const command[], struct err *err)
{
	struct recording_writer *w = array_alloc(1, sizeof(*w), "recording writer", err);
	struct made made = { 0 };
	int ret;

	if (!w)
		return ERR_NOMEM;
	w->dir = str_copy(dir, err);
	ret = w->dir ? make_directories(dir, &made, err) : ERR_NOMEM;
	if (!ret)
		ret = open_manifest(w, err);
	if (!ret)
		ret = append(w, manifest_begin_to_json(tool_version, command), err);
	if (!ret)
		ret = name_manifest(w, err);
	if (ret) {
		recording_writer_close(w);
		remove_made(dir, &made);
		return ret;
	}
	*out = w;
	return 0;
}

void recording_writer_close(struct recording_writer *w)
{
	if (!w)
		return;
	bundle_writer_free(w->bundles);
	(void)own_file_close(&w->manifest, NULL);
	free(w->dir);
	free(w);
}

const char *recording_writer_dir(const struct recording_writer *w)
{
	return w->dir;
}

int recording_writer_list(struct recording_writer *w, const char *type,
                          const struct bypass_list *list, struct err *err)
{
	struct recorded_list kept = { .rules = list->count };
	int ret;

	kept.file = str_format(err, "%s.txt", type);
	ret = kept.file ? kept_list_write(w->dir, &kept, list, err) : ERR_NOMEM;
	if (!ret)
		ret = append(w, manifest_list_to_json(type, &kept), err);
	free(kept.file);
	return ret;
}

/* Append a line with a new id; the count grows only if it was written. */
static int append_item(struct recording_writer *w, json_t *line, uint32_t *count, uint32_t *id,
                       struct err *err)
{
	int ret = append(w, line, err);

	if (!ret)
		*id = (*count)++;
	return ret;
}

int recording_writer_device(struct recording_writer *w, const struct recorded_device *device,
                            uint32_t *id, struct err *err)
{
	return append_item(w, manifest_device_to_json(device, w->devices), &w->devices, id, err);
}

/* Store a program's text as `name` in the directory. */
static int write_source(const struct recording_writer *w, struct recorded_program *stored,
                        const char *source, size_t length, struct err *err)
{
	char *path = file_path(w->dir, stored->source_file, err);
	int ret = path ? file_write(path, source, length, err) : ERR_NOMEM;

	stored->source_sum = (struct recorded_sum){ true, length, XXH64(source, length, 0) };
	free(path);
	return ret;
}

char *recording_program_name(uint32_t id, struct err *err)
{
	return str_format(err, "sources/program-%04" PRIu32 ".cl", id);
}

int recording_writer_program(struct recording_writer *w, const struct recorded_program *program,
                             const char *source, size_t length, uint32_t *id, struct err *err)
{
	struct recorded_program stored = *program;
	char *name = NULL;
	int ret = 0;

	if (source && length <= RECORDING_TEXT_BYTES_MAX) {
		name = recording_program_name(w->programs, err);
		stored.source_file = name;
		ret = name ? write_source(w, &stored, source, length, err) : ERR_NOMEM;
	}
	stored.source_file = name;
	if (!ret)
		ret = append_item(w, manifest_program_to_json(&stored, w->programs), &w->programs,
		                  id, err);
	free(name);
	return ret;
}

int recording_writer_source(struct recording_writer *w, uint32_t program, const char *name,
                            const char *source, size_t length, struct err *err)
{
	struct recorded_program stored = { 0 };
	int ret = ERR_NOMEM;

	if (length > RECORDING_TEXT_BYTES_MAX)
		return 0;
	stored.source_name = str_copy(name, err);
	stored.source_file = str_format(err, "sources/program-%04" PRIu32 ".cu", program);
	if (stored.source_name && stored.source_file)
		ret = write_source(w, &stored, source, length, err);
	if (!ret)
		ret = append(w, manifest_source_to_json(&stored, program), err);
	free(stored.source_name);
	free(stored.source_file);
	return ret;
}

int recording_writer_buffer(struct recording_writer *w, const struct recorded_buffer *buffer,
                            uint32_t *id, struct err *err)
{
	return append_item(w, manifest_buffer_to_json(buffer, w->buffers), &w->buffers, id, err);
}

int recording_writer_kernel(struct recording_writer *w, const struct recorded_kernel *kernel,
                            uint32_t *id, struct err *err)
{
	return append_item(w, manifest_kernel_to_json(kernel, w->kernels), &w->kernels, id, err);
}

uint64_t recording_writer_take_number(struct recording_writer *w)
{
	return atomic_fetch_add_explicit(&w->next_launch, 1, memory_order_relaxed);
}

bool recording_writer_take_number_if(struct recording_writer *w,
                                     bool (*takes)(const void *context, uint64_t number),
                                     const void *context, uint64_t *number)
{
	uint_fast64_t next = atomic_load(&w->next_launch);
	bool is_taken;

	do
		is_taken = takes(context, next);
	while (is_taken && !atomic_compare_exchange_weak(&w->next_launch, &next, next + 1));
	*number = next;
	return is_taken;
}

bool recording_writer_return_number(struct recording_writer *w, uint64_t number)
{
	uint_fast64_t next = number + 1;

	return atomic_compare_exchange_strong(&w->next_launch, &next, number);
}

int recording_writer_launch(struct recording_writer *w, const struct recorded_launch *launch,
                            uint32_t *id, struct err *err)
{
	uint64_t number = recording_writer_take_number(w);

	*id = number <= UINT32_MAX ? (uint32_t)number : UINT32_MAX;
	return recording_writer_launch_at(w, launch, number, err);
}

int recording_writer_launch_at(struct recording_writer *w, const struct recorded_launch *launch,
                               uint64_t number, struct err *err)
{
	if (number > UINT32_MAX)
		return err_set(err, ERR_LIMIT, "launch %" PRIu64 ": expected numbers below 2^32",
		               number);
	return append(w, manifest_launch_to_json(launch, (uint32_t)number), err);
}

int recording_writer_tally(struct recording_writer *w, const struct recorded_tally *tally,
                           uint32_t *id, struct err *err)
{
	if (*id == RECORDING_TALLY_NEW)
		return append_item(w, manifest_tally_to_json(tally, w->tallies), &w->tallies, id,
		                   err);
	return append(w, manifest_tally_to_json(tally, *id), err);
}

char *recording_launch_name(uint32_t id, struct err *err)
{
	return str_format(err, "launch-%06" PRIu32 ".wll", id);
}

int recording_writer_open_launch(struct recording_writer *w, uint32_t id,
                                 const struct launch_shape *shape, const struct kernel_table *table,
                                 struct launch_writer **out, struct err *err)
{
	char *name = recording_launch_name(id, err);
	char *path = name ? file_path(w->dir, name, err) : NULL;
	int ret = path ? launch_writer_open(out, path, shape, table, err) : ERR_NOMEM;

	free(path);
	free(name);
	return ret;
}

int recording_writer_remove_launch(const struct recording_writer *w, uint32_t id, struct err *err)
{
	char *name = recording_launch_name(id, err);
	char *path = name ? file_path(w->dir, name, err) : NULL;
	int ret = path ? 0 : ERR_NOMEM;

	if (path && unlink(path))
		ret = err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	free(path);
	free(name);
	return ret;
}

int recording_writer_fate(struct recording_writer *w, uint32_t id,
                          const struct recorded_launch *launch, struct err *err)
{
	struct recorded_launch named = *launch;
	int ret;

	named.file = recording_launch_name(id, err);
	if (!named.file)
		return ERR_NOMEM;
	ret = append(w, manifest_fate_to_json(&named, id), err);
	free(named.file);
	return ret;
}

int recording_writer_late_launch(struct recording_writer *w, const struct recorded_launch *launch,
                                 uint64_t number, struct err *err)
{
	int ret = recording_writer_launch_at(w, launch, number, err);

	return ret || launch->fate == LAUNCH_PENDING
	               ? ret
	               : recording_writer_fate(w, (uint32_t)number, launch, err);
}

/* Append the line of a bundle that was written. */
static int append_bundle(void *context, const struct bundle_written *b, struct err *err)
{
	char file[] = BUNDLE_FILE;
	const struct recorded_bundle line = { .file = file,
		                              .offset = b->offset,
		                              .bytes = b->bytes,
		                              .sum = b->checksum,
		                              .kernel = b->kernel,
		                              .launches = b->launches,
		                              .first = b->first,
		                              .last = b->last,
		                              .accesses = b->accesses };

	return append(context, manifest_bundle_to_json(&line), err);
}

bool recording_writer_is_small(const struct recorded_launch *launch,
                               const struct launch_writer *events)
{
	const uint32_t *numbers;

	if (launch->is_sequence || launch->number > UINT32_MAX)
		return false;
	if (launch->fate == LAUNCH_COUNTED)
		return launch->count_count <= SMALL_COUNTS && !launch->dropped_events;
	return launch->fate == LAUNCH_TRACED && !launch->dropped_events &&
	       launch_writer_held(events, &numbers) && launch_writer_is_whole(events);
}

int recording_writer_small_launch(struct recording_writer *w, const struct small_launch *launch,
                                  bool *has_room, struct err *err)
{
	struct bundle_launch l = { .facts = launch->facts,
		                   .table = launch->table,
		                   .events = *launch->events,
		                   .room_bytes = launch->room_bytes };
	struct err inner = { 0 };

	*has_room = true;
	if (w->failure.code)
		return err_set(err, (enum err_code)w->failure.code, "%s", w->failure.msg);
	if (!w->bundles)
		(void)bundle_writer_create(&w->bundles, w->dir, append_bundle, w, &inner);
	if (!inner.code)
		(void)bundle_writer_add(w->bundles, &l, has_room, &inner);
	*launch->events = l.events;
	return inner.code ? fail_for_good(w, &inner, err) : 0;
}

int recording_writer_flush(struct recording_writer *w, struct err *err)
{
	struct err inner = { 0 };

	if (w->bundles && !w->failure.code && bundle_writer_flush(w->bundles, &inner))
		return fail_for_good(w, &inner, err);
	return w->failure.code ? err_set(err, (enum err_code)w->failure.code, "%s", w->failure.msg)
	                       : 0;
}

uint64_t recording_writer_small_bytes(const struct recording_writer *w)
{
	return w->bundles ? bundle_writer_bytes(w->bundles) : 0;
}

int recording_writer_note(struct recording_writer *w, const char *what, const char *reason,
                          uint64_t count, struct err *err)
{
	char *what_copy = str_copy(what, err), *reason_copy = str_copy(reason, err);
	const struct recorded_note note = { what_copy, reason_copy, count };
	int ret = ERR_NOMEM;

	if (what_copy && reason_copy)
		ret = append(w, manifest_note_to_json(&note), err);
	free(what_copy);
	free(reason_copy);
	return ret;
}

int recording_writer_time(struct recording_writer *w, const struct recorded_work *work,
                          struct err *err)
{
	return append(w, manifest_time_to_json(work), err);
}

int recording_writer_end(struct recording_writer *w, struct err *err)
{
	struct err inner = { 0 };

	if (w->bundles && !w->failure.code && bundle_writer_finish(w->bundles, &inner))
		return fail_for_good(w, &inner, err);
	return append(w, manifest_end_to_json(), err);
}

int recording_append_exit(const char *dir, int status, uint64_t program_ns, struct err *err)
{
	static const char name[] = "manifest.jsonl";
	json_t *line = manifest_exit_to_json(status, program_ns);
	struct err inner = { 0 };
	int fd = file_open_below(dir, name, O_RDWR | O_APPEND, err), ret = fd < 0 ? fd : 0;

	if (fd >= 0 && (manifest_trim(fd, &inner) || manifest_append(fd, line, &inner)))
		ret = err_set(err, (enum err_code)inner.code, "%s/%s: %s", dir, name, inner.msg);
	if (fd >= 0)
		close(fd);
	json_decref(line);
	return ret;
}
