/* SPDX-License-Identifier: Apache-2.0 */
#include "recording.h"

#include "bundle_reader.h"
#include "bypass_list.h"
#include "err.h"
#include "file.h"
#include "launch_reader.h"
#include "str.h"
#include "suggest.h"
#include "trace_source.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

static const char manifest[] = "manifest.jsonl";

static bool is_recording(const char *dir)
{
	char *path = file_path(dir, manifest, NULL);
	bool is_there = path && !access(path, F_OK);

	free(path);
	return is_there;
}

/* Returns the recording in `folder` with the name nearest to `wrong`; NULL: none is near. `prefix`,
 * the letters that name the folder, is written before it. */
static char *find_near(const char *folder, const char *prefix, const char *wrong)
{
	DIR *handle = opendir(folder);
	const struct dirent *entry;
	char *found = NULL;
	unsigned least = 0;

	while (handle && (entry = readdir(handle))) {
		struct suggestion s;
		char *path;

		suggestion_init(&s, wrong);
		suggestion_offer(&s, entry->d_name);
		if (!s.best || (found && s.distance > least))
			continue;
		path = str_format(NULL, "%s%s", prefix, entry->d_name);
		if (path && is_recording(path) &&
		    (!found || s.distance < least || strcmp(path, found) < 0)) {
			free(found);
			found = path;
			least = s.distance;
		} else {
			free(path);
		}
	}
	if (handle)
		closedir(handle);
	return found;
}

static char *near_name(const char *dir)
{
	const char *slash = strrchr(dir, '/');
	char *prefix = str_format(NULL, "%.*s", slash ? (int)(slash - dir + 1) : 0, dir);
	char *found =
		prefix ? find_near(slash ? prefix : ".", prefix, slash ? slash + 1 : dir) : NULL;

	free(prefix);
	return found;
}

/* Returns the recording that contains the file `path`. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder =
		slash ? str_format(NULL, "%.*s", (int)(slash - path), path) : str_copy(".", NULL);

	if (folder && !is_recording(folder)) {
		free(folder);
		folder = NULL;
	}
	return folder;
}

static char *default_in(const char *dir)
{
	char *path = file_path(dir, RECORDING_DIR_DEFAULT, NULL);

	if (path && !is_recording(path)) {
		free(path);
		path = NULL;
	}
	return path;
}

int recording_absent(const char *dir, struct err *err)
{
	struct stat facts;
	const char *what = "is a folder without manifest.jsonl, so no recording";
	char *meant;
	int ret;

	if (stat(dir, &facts)) {
		if (errno != ENOENT)
			return 0;
		what = "there is no such recording";
		meant = near_name(dir);
	} else if (S_ISDIR(facts.st_mode)) {
		if (access(dir, X_OK) || is_recording(dir))
			return 0;
		meant = default_in(dir);
	} else {
		what = "is a file, and a recording is a folder";
		meant = folder_of(dir);
	}
	if (meant)
		ret = err_set(err, ERR_IO, "%s: %s; is %s meant?", dir, what, meant);
	else
		ret = err_set(err, ERR_IO, "%s: %s; 'warpline record -o DIR APP' makes one", dir,
		              what);
	free(meant);
	return ret;
}

/* Check that the contents of a file are those that were written. */
static int compare_sum(const struct recording *r, const char *file, const struct recorded_sum *sum,
                       uint64_t bytes, uint64_t xxh64, struct err *err)
{
	if (!sum->is_known || (sum->bytes == bytes && sum->xxh64 == xxh64))
		return 0;
	if (sum->bytes != bytes)
		return err_set(err, ERR_FORMAT,
		               "%s/%s: damaged: has %" PRIu64 " bytes, %" PRIu64 " were written",
		               r->dir, file, bytes, sum->bytes);
	return err_set(err, ERR_FORMAT, "%s/%s: damaged: its checksum is wrong", r->dir, file);
}

int recording_read_text(const struct recording *r, const char *file, const struct recorded_sum *sum,
                        struct str *out, struct err *err)
{
	size_t before = out->length;
	char *path = file_path(r->dir, file, err);
	int fd = path ? file_open_below(r->dir, file, O_RDONLY, err) : ERR_NOMEM;
	int ret = fd < 0 ? fd : file_read_open(fd, path, out, err);

	if (fd >= 0)
		close(fd);
	free(path);
	return ret ? ret
	           : compare_sum(r, file, sum, out->length - before,
	                         XXH64(out->text + before, out->length - before, 0), err);
}

/* Find the length and checksum of an open file. */
static int sum_up(int fd, XXH64_state_t *state, uint64_t *bytes)
{
	char buffer[1 << 14];
	ssize_t got;

	*bytes = 0;
	while ((got = read(fd, buffer, sizeof(buffer)))) {
		if (got < 0 && errno != EINTR)
			return errno;
		if (got < 0)
			continue;
		XXH64_update(state, buffer, (size_t)got);
		*bytes += (uint64_t)got;
	}
	return 0;
}

int recording_check_text(const struct recording *r, const char *file,
                         const struct recorded_sum *sum, uint64_t *bytes, struct err *err)
{
	XXH64_state_t *state = XXH64_createState();
	int fd = state ? file_open_below(r->dir, file, O_RDONLY, err) : -1, why = 0;
	uint64_t length = 0;
	int ret = fd < 0 ? fd : 0;

	if (!state)
		return err_set(err, ERR_NOMEM, "%s", err_text(ERR_NOMEM));
	if (fd >= 0) {
		XXH64_reset(state, 0);
		why = sum_up(fd, state, &length);
		close(fd);
	}
	if (why)
		ret = err_set(err, ERR_IO, "%s/%s: %s", r->dir, file, strerror(why));
	if (!ret)
		ret = compare_sum(r, file, sum, length, XXH64_digest(state), err);
	if (bytes)
		*bytes = length;
	XXH64_freeState(state);
	return ret;
}

uint64_t recording_unsigned_texts(const struct recording *r)
{
	uint64_t count = 0;

	for (size_t i = 0; i < r->program_count; i++)
		count += r->programs[i].source_file && !r->programs[i].source_sum.is_known;
	count += r->bypass.file && !r->bypass.sum.is_known;
	count += r->applied.file && !r->applied.sum.is_known;
	return count;
}

/* Check the number of lines: each may be a rule, which takes more memory than its line. */
static int check_lines(const struct recording *r, const char *file, const struct str *text,
                       struct err *err)
{
	size_t lines = 0;

	for (size_t i = 0; i < text->length; i++)
		lines += text->text[i] == '\n';
	return lines <= RECORDING_LIST_LINES_MAX
	               ? 0
	               : err_set(err, ERR_LIMIT, "%s/%s: has %zu lines, expected at most %zu",
	                         r->dir, file, lines, RECORDING_LIST_LINES_MAX);
}

int recording_read_list(const struct recording *r, const struct recorded_list *kept,
                        struct bypass_list *list, struct err *err)
{
	char *path = kept->file ? file_path(r->dir, kept->file, err) : NULL;
	struct str text;
	int ret;

	if (!kept->file)
		return 0;
	str_init(&text, RECORDING_LIST_BYTES_MAX);
	ret = path ? recording_read_text(r, kept->file, &kept->sum, &text, err) : ERR_NOMEM;
	if (!ret)
		ret = check_lines(r, kept->file, &text, err);
	if (!ret)
		ret = bypass_list_read_text(list, path, text.text, text.length, err);
	str_release(&text);
	free(path);
	return ret;
}

static void release_devices(struct recording *r)
{
	for (size_t i = 0; i < r->device_count; i++) {
		struct recorded_device *d = &r->devices[i];

		free(d->name);
		free(d->vendor);
		free(d->version);
		free(d->driver);
		free(d->platform);
	}
	free(r->devices);
}

static void release_programs(struct recording *r)
{
	for (size_t i = 0; i < r->program_count; i++) {
		free(r->programs[i].source_file);
		free(r->programs[i].source_name);
		free(r->programs[i].options);
		free(r->programs[i].origin);
	}
	free(r->programs);
}

static void release_kernels(struct recording *r)
{
	for (size_t i = 0; i < r->kernel_count; i++) {
		free(r->kernels[i].door);
		free(r->kernels[i].reason);
		kernel_table_release(&r->kernels[i].table);
	}
	free(r->kernels);
}

void recording_close(struct recording *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->command_count; i++)
		free(r->command[i]);
	recorded_launches_release(r->launches, r->launch_count);
	bundle_reader_release(r);
	for (size_t i = 0; i < r->tally_count; i++)
		free(r->tallies[i].reason);
	for (size_t i = 0; i < r->note_count; i++) {
		free(r->notes[i].what);
		free(r->notes[i].reason);
	}
	release_devices(r);
	release_programs(r);
	release_kernels(r);
	free(r->command);
	free(r->buffers);
	free(r->launches);
	free(r->tallies);
	free(r->notes);
	free(r->tool_version);
	free(r->bypass.file);
	free(r->applied.file);
	free(r->dir);
	free(r);
}

void recording_keep_launches(struct recording *r, const struct recording_filter *filter)
{
	size_t launches = 0, tallies = 0;

	for (size_t i = 0; i < r->launch_count; i++) {
		if (filter->is_kept(filter->context, r, &r->launches[i]))
			r->launches[launches++] = r->launches[i];
		else
			recorded_launches_release(&r->launches[i], 1);
	}
	r->launch_count = launches;
	for (size_t i = 0; i < r->tally_count; i++) {
		if (filter->is_kernel_kept(filter->context, r, r->tallies[i].kernel))
			r->tallies[tallies++] = r->tallies[i];
		else
			free(r->tallies[i].reason);
	}
	r->tally_count = tallies;
}

/* The counts of what a recording lacks. */
struct missing {
	uint64_t pending, skipped, unknown, dropped, room_bytes, unrecorded, notes, texts, bundles;
};

static struct missing count_missing(const struct recording *r)
{
	struct missing m = { .notes = r->note_count,
		             .unknown = r->launches_unknown,
		             .texts = r->bad_texts,
		             .bundles = r->bad_bundles };
	bool *traced = calloc(r->kernel_count + 1, sizeof(*traced)); /* NULL: as if all were */

	for (size_t i = 0; i < r->launch_count; i++) {
		const struct recorded_launch *l = &r->launches[i];

		m.pending += l->fate == LAUNCH_PENDING;
		m.skipped += l->fate == LAUNCH_SKIPPED;
		m.dropped += l->dropped_events;
		if (l->room_bytes > m.room_bytes)
			m.room_bytes = l->room_bytes;
		if (traced && (l->fate == LAUNCH_TRACED || l->fate == LAUNCH_COUNTED))
			traced[l->kernel] = true;
	}
	for (size_t i = 0; i < r->tally_count; i++)
		m.skipped += r->tallies[i].fate == LAUNCH_SKIPPED ? r->tallies[i].count : 0;
	for (size_t k = 0; k < r->kernel_count; k++)
		if (!traced || traced[k])
			m.unrecorded += r->kernels[k].table.unrecorded_count;
	free(traced);
	return m;
}

static char *missing_sentence(const struct missing *m, bool has_end)
{
	char room[RECORDED_ROOM_TEXT_BYTES];
	const struct {
		uint64_t count;
		const char *one, *many;
		const char *remedy; /* NULL: there is none */
	} rows[] = {
		{ !has_end, "end of the recording", "", NULL },
		{ m->skipped, "launch that was skipped", "launches that were skipped", NULL },
		{ m->pending, "launch that was not drained", "launches that were not drained",
		  NULL },
		{ m->unknown, "launch of which nothing was written",
		  "launches of which nothing was written", NULL },
		{ m->dropped, "event lost for want of room", "events lost for want of room",
		  recorded_room_text(room, m->room_bytes) },
		{ m->unrecorded, "unrecorded construct in a traced kernel",
		  "unrecorded constructs in traced kernels", NULL },
		{ m->notes, "note of something not handled", "notes of something not handled",
		  NULL },
		{ m->texts, "source or list that is damaged or not there",
		  "sources or lists that are damaged or not there", NULL },
		{ m->bundles, "bundle of launches that is damaged or not there",
		  "bundles of launches that are damaged or not there", NULL },
	};
	struct str s;
	int ret = 0;

	str_init(&s, 4096);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && !ret; i++)
		if (rows[i].count)
			ret = str_printf(&s, NULL, "%s%" PRIu64 " %s%s%s%s",
			                 s.length ? ", " : "incomplete: missing: ", rows[i].count,
			                 rows[i].count == 1 ? rows[i].one : rows[i].many,
			                 rows[i].remedy ? " (" : "",
			                 rows[i].remedy ? rows[i].remedy : "",
			                 rows[i].remedy ? ")" : "");
	if (ret)
		str_release(&s);
	return str_take(&s);
}

bool recording_is_complete(const struct recording *r, char **why)
{
	struct missing m = count_missing(r);

	if (why)
		*why = NULL;
	if (r->has_end && !(m.pending | m.skipped | m.unknown | m.dropped | m.unrecorded | m.notes |
	                    m.texts | m.bundles))
		return true;
	if (why)
		*why = missing_sentence(&m, r->has_end);
	return false;
}

uint64_t recording_limited_launches(const struct recording *r)
{
	uint64_t count = 0;

	for (size_t i = 0; i < r->launch_count; i++)
		count += r->launches[i].fate == LAUNCH_LIMITED;
	return count;
}

/* Check that the launch's file is the one in the manifest: of the same shape, and, if both are
 * known, with the same checksum. */
static int check_file(const struct recorded_launch *l, const struct trace_source *source,
                      const struct launch_reader *reader, struct err *err)
{
	const struct launch_shape *in_file = launch_reader_shape(reader);
	const uint64_t sum = launch_reader_totals(reader)->file_sum;
	const size_t bytes = sizeof(in_file->global);

	if (sum && l->totals.file_sum && sum != l->totals.file_sum)
		return err_set(err, ERR_FORMAT,
		               "%s: is not the file that was written for launch %" PRIu64
		               ": its checksum is another",
		               trace_source_name(source), l->number);
	if (in_file->dimensions == l->shape.dimensions &&
	    !memcmp(in_file->global, l->shape.global, bytes) &&
	    !memcmp(in_file->local, l->shape.local, bytes) &&
	    !memcmp(in_file->offset, l->shape.offset, bytes))
		return 0;
	return err_set(err, ERR_FORMAT,
	               "%s: offset 0: a launch of another shape than the manifest has",
	               trace_source_name(source));
}

static int open_file(const struct recording *r, const struct recorded_launch *l,
                     struct trace_source **source, struct launch_reader **reader, struct err *err)
{
	int ret = trace_source_open_below(source, r->dir, l->file, err);

	if (ret)
		return ret;
	*reader = NULL;
	ret = launch_reader_open(reader, *source, &r->kernels[l->kernel].table, err);
	if (!ret)
		ret = check_file(l, *source, *reader, err);
	if (ret) {
		launch_reader_close(*reader);
		*reader = NULL;
		trace_source_close(*source);
		*source = NULL;
	}
	return ret;
}

int recording_open_launch(const struct recording *r, size_t launch, struct trace_source **source,
                          struct launch_reader **reader, struct err *err)
{
	static const char *const reasons[LAUNCH_FATE_COUNT] = {
		[LAUNCH_PENDING] = "the program ended before it was drained",
		[LAUNCH_COUNTED] = "its accesses were only counted",
		[LAUNCH_UNSELECTED] = "it was not selected",
	};
	const struct recorded_launch *l;

	if (launch >= r->launch_count)
		return err_set(err, ERR_USAGE, "%s: launch %zu does not exist: there are %zu",
		               r->dir, launch, r->launch_count);
	l = &r->launches[launch];
	if (l->fate != LAUNCH_TRACED)
		return err_set(err, ERR_USAGE, "%s: launch %" PRIu64 " was not traced: %s", r->dir,
		               l->number, reasons[l->fate] ? reasons[l->fate] : l->reason);
	*source = NULL;
	if (l->bundle)
		return bundle_reader_open(r, l, reader, err);
	return open_file(r, l, source, reader, err);
}
