/* SPDX-License-Identifier: Apache-2.0 */
#include "recording_watch.h"

#include "err.h"
#include "file.h"

#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ITEMS_LIMIT ((size_t)1 << 24)
#define LINE_LIMIT  ((size_t)1 << 26)

struct watched_launch {
	uint64_t number;
	uint32_t kernel;
	bool has_fate;
};

int recording_watch_init(struct recording_watch *w, const char *dir)
{
	memset(w, 0, sizeof(*w));
	str_init(&w->rest, LINE_LIMIT);
	array_init(&w->kernels, sizeof(char *), ITEMS_LIMIT, "kernels");
	array_init(&w->launches, sizeof(struct watched_launch), ITEMS_LIMIT, "launches");
	array_init(&w->tallies, sizeof(uint64_t), ITEMS_LIMIT, "tallies");
	w->dir = str_copy(dir, NULL);
	return w->dir ? 0 : ERR_NOMEM;
}

static bool add_kernel(struct recording_watch *w, const json_t *line)
{
	const char *name =
		json_string_value(json_object_get(json_object_get(line, "table"), "name"));
	char **slot = array_push(&w->kernels, 1, NULL);

	if (slot)
		*slot = str_copy(name ? name : "?", NULL);
	return slot && *slot;
}

/* Whether a launch with a greater number came before. */
static bool is_late(const struct recording_watch *w, uint64_t number)
{
	const struct watched_launch *launches = w->launches.data;

	return w->launches.count && launches[w->launches.count - 1].number > number;
}

static bool add_launch(struct recording_watch *w, const json_t *line)
{
	json_int_t kernel = json_integer_value(json_object_get(line, "kernel"));
	json_int_t number = json_integer_value(json_object_get(line, "id"));
	struct watched_launch *launch;

	if (kernel < 0 || (size_t)kernel >= w->kernels.count || number < 0)
		return false;
	if (is_late(w, (uint64_t)number)) {
		w->late++;
		w->late_number = (uint64_t)number;
		return true;
	}
	launch = array_push(&w->launches, 1, NULL);
	if (launch)
		*launch = (struct watched_launch){ .number = (uint64_t)number,
			                           .kernel = (uint32_t)kernel };
	return launch;
}

static int order(const void *number, const void *launch)
{
	uint64_t a = *(const uint64_t *)number, b = ((const struct watched_launch *)launch)->number;

	return (a > b) - (a < b);
}

/* Update the number of launches that are only counted. */
static bool add_tally(struct recording_watch *w, const json_t *line)
{
	json_int_t id = json_integer_value(json_object_get(line, "id"));
	json_int_t count = json_integer_value(json_object_get(line, "count"));
	uint64_t *counts;

	if (id < 0 || (size_t)id > w->tallies.count || count < 0)
		return false;
	if ((size_t)id == w->tallies.count && !array_push(&w->tallies, 1, NULL))
		return false;
	counts = w->tallies.data;
	w->counted += (uint64_t)count - counts[id];
	counts[id] = (uint64_t)count;
	return true;
}

/* A number of the totals. Those above 2^53 are strings, and need not be shown. */
static uint64_t total(const json_t *line, const char *name)
{
	json_int_t value =
		json_integer_value(json_object_get(json_object_get(line, "totals"), name));

	return value > 0 ? (uint64_t)value : 0;
}

static bool add_fate(struct recording_watch *w, const json_t *line)
{
	uint64_t number = (uint64_t)json_integer_value(json_object_get(line, "launch"));
	struct watched_launch *launches = w->launches.data, *one = NULL;

	if (launches)
		one = bsearch(&number, launches, w->launches.count, sizeof(*launches), order);
	if (!one && !(w->late && number == w->late_number))
		return false;
	w->done += !one || !one->has_fate;
	if (one)
		one->has_fate = true;
	while (w->first_open < w->launches.count && launches[w->first_open].has_fate)
		w->first_open++;
	w->accesses += total(line, "accesses");
	w->file_bytes += total(line, "file_bytes");
	return true;
}

/* Count launches that share a file: they are complete. */
static bool add_bundle(struct recording_watch *w, const json_t *line)
{
	json_int_t launches = json_integer_value(json_object_get(line, "launches"));
	json_int_t accesses = json_integer_value(json_object_get(line, "accesses"));
	json_int_t bytes = json_integer_value(json_object_get(line, "bytes"));

	if (launches < 0 || accesses < 0 || bytes < 0)
		return false;
	w->late += (uint64_t)launches;
	w->done += (uint64_t)launches;
	w->accesses += (uint64_t)accesses;
	w->file_bytes += (uint64_t)bytes;
	return true;
}

static bool add_line(struct recording_watch *w, const char *text, size_t length)
{
	json_t *line = json_loadb(text, length, 0, NULL);
	const char *type = json_string_value(json_object_get(line, "type"));
	bool is_good = type;

	if (type && !strcmp(type, "kernel"))
		is_good = add_kernel(w, line);
	else if (type && !strcmp(type, "launch"))
		is_good = add_launch(w, line);
	else if (type && !strcmp(type, "fate"))
		is_good = add_fate(w, line);
	else if (type && !strcmp(type, "bundle"))
		is_good = add_bundle(w, line);
	else if (type && !strcmp(type, "tally"))
		is_good = add_tally(w, line);
	json_decref(line);
	return is_good;
}

/* Process the complete lines of what was read, and keep the rest. */
static bool take_lines(struct recording_watch *w)
{
	struct str rest;
	char *line = w->rest.text, *end;
	bool is_good = true;

	while (is_good && line &&
	       (end = memchr(line, '\n', w->rest.length - (size_t)(line - w->rest.text)))) {
		is_good = add_line(w, line, (size_t)(end - line));
		line = end + 1;
	}
	if (!line || line == w->rest.text)
		return is_good;
	str_init(&rest, LINE_LIMIT);
	if (str_append(&rest, line, w->rest.length - (size_t)(line - w->rest.text), NULL))
		is_good = false;
	str_release(&w->rest);
	w->rest = rest;
	return is_good;
}

bool recording_watch_look(struct recording_watch *w)
{
	int fd = file_open_below(w->dir, "manifest.jsonl", O_RDONLY, NULL);
	bool is_good = fd >= 0;
	char bytes[16384];
	ssize_t got;

	while (is_good && (got = pread(fd, bytes, sizeof(bytes), w->offset)) > 0) {
		w->offset += got;
		is_good = !str_append(&w->rest, bytes, (size_t)got, NULL);
	}
	if (fd >= 0)
		close(fd);
	return is_good && take_lines(w);
}

const char *recording_watch_kernel(const struct recording_watch *w)
{
	const struct watched_launch *launches = w->launches.data;
	char *const *kernels = w->kernels.data;

	return w->first_open < w->launches.count ? kernels[launches[w->first_open].kernel] : NULL;
}

uint64_t recording_watch_bytes(const struct recording_watch *w)
{
	const struct watched_launch *launches = w->launches.data;
	struct stat facts;
	uint64_t bytes = w->file_bytes;
	char *path;

	if (w->first_open >= w->launches.count)
		return bytes;
	path = str_format(NULL, "%s/launch-%06" PRIu64 ".wll", w->dir,
	                  launches[w->first_open].number);
	if (path && !stat(path, &facts))
		bytes += (uint64_t)facts.st_size;
	free(path);
	return bytes;
}

void recording_watch_release(struct recording_watch *w)
{
	char **kernels = w->kernels.data;

	for (size_t i = 0; i < w->kernels.count; i++)
		free(kernels[i]);
	array_release(&w->kernels);
	array_release(&w->launches);
	array_release(&w->tallies);
	str_release(&w->rest);
	free(w->dir);
	memset(w, 0, sizeof(*w));
}
