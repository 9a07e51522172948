/* SPDX-License-Identifier: Apache-2.0 */
#include "verify.h"

#include "access.h"
#include "bypass_list.h"
#include "err.h"
#include "file.h"
#include "launch_reader.h"
#include "recording.h"
#include "str.h"
#include "trace_source.h"
#include "work_watch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void verify_init(struct verify *v)
{
	*v = (struct verify){ 0 };
	array_init(&v->findings, sizeof(struct verify_finding), VERIFY_FINDINGS_MAX, "findings");
}

void verify_release(struct verify *v)
{
	struct verify_finding *f = v->findings.data;

	for (size_t i = 0; i < v->findings.count; i++) {
		free(f[i].where);
		free(f[i].what);
	}
	array_release(&v->findings);
}

int verify_add(struct verify *v, enum verify_gravity gravity, struct err *err, const char *where,
               const char *fmt, ...)
{
	struct verify_finding *f;
	char text[1024];
	va_list args;

	v->counts[gravity]++;
	if (v->findings.count == VERIFY_FINDINGS_MAX)
		return 0;
	f = array_push(&v->findings, 1, err);
	if (!f)
		return err->code;
	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	f->gravity = gravity;
	f->where = str_visible(where, err);
	f->what = str_visible(text, err);
	return f->where && f->what ? 0 : ERR_NOMEM;
}

const char *verify_gravity_name(enum verify_gravity gravity)
{
	static const char *const names[] = {
#define VERIFY_GRAVITY(NAME, name, heading) name,
#include "verify_gravities.def"
#undef VERIFY_GRAVITY
	};

	return names[gravity];
}

static const char manifest[] = "manifest.jsonl";

static int count_file(struct verify *v, uint64_t bytes)
{
	v->files++;
	v->bytes += bytes;
	return 0;
}

/* Check that a text of the manifest exists as it was written, and count it. Returns 1 if it does
 * not, 0, or ERR_NOMEM. */
static int check_text(struct verify *v, const char *file, const struct recorded_sum *sum,
                      struct err *err)
{
	struct err why = { 0 };
	uint64_t bytes = 0;
	int ret = recording_check_text(v->recording, file, sum, &bytes, &why);

	if (!ret)
		return count_file(v, bytes);
	if (ret == ERR_NOMEM)
		return err_set(err, ERR_NOMEM, "%s", why.msg);
	ret = verify_add(v, VERIFY_DAMAGE, err, file, "%s", why.msg);
	return ret ? ret : 1;
}

static int check_list(struct verify *v, const struct recorded_list *kept, struct err *err)
{
	struct bypass_list list = { 0 };
	struct err why = { 0 };
	int ret;

	if (!kept->file)
		return 0;
	ret = check_text(v, kept->file, &kept->sum, err);
	if (ret)
		return ret < 0 ? ret : 0;
	if (recording_read_list(v->recording, kept, &list, &why))
		ret = verify_add(v, VERIFY_DAMAGE, err, kept->file, "%s", why.msg);
	else if (list.count != kept->rules)
		ret = verify_add(v, VERIFY_DAMAGE, err, kept->file,
		                 "has %zu rules: expected %" PRIu64 ", as %s says", list.count,
		                 kept->rules, manifest);
	bypass_list_release(&list);
	return ret;
}

/* Check all texts of the manifest. */
static int check_texts(struct verify *v, struct err *err)
{
	const struct recording *r = v->recording;
	uint64_t unsigned_texts = recording_unsigned_texts(r);
	int ret = 0;

	for (size_t i = 0; ret >= 0 && i < r->program_count; i++) {
		const struct recorded_program *p = &r->programs[i];

		if (p->source_file)
			ret = check_text(v, p->source_file, &p->source_sum, err);
	}
	if (ret >= 0)
		ret = check_list(v, &r->bypass, err);
	if (!ret)
		ret = check_list(v, &r->applied, err);
	if (!ret && unsigned_texts)
		ret = verify_add(v, VERIFY_REMARK, err, manifest,
		                 "is of version %" PRIu32 ", which has no checksums of sources and "
		                 "bypass lists: damage in %" PRIu64 " of them would not be found",
		                 r->version, unsigned_texts);
	return ret;
}

static int check_buffers(struct verify *v, struct err *err)
{
	const struct recording *r = v->recording;
	int ret = 0;

	for (size_t i = 0; !ret && i < r->buffer_count; i++) {
		const struct recorded_buffer *b = &r->buffers[i];
		uint64_t whole = b->parent >= 0 ? r->buffers[b->parent].bytes : 0;

		if (b->parent >= 0 &&
		    (b->origin_bytes > whole || b->bytes > whole - b->origin_bytes))
			ret = verify_add(v, VERIFY_DAMAGE, err, manifest,
			                 "buffer %zu does not lie in buffer %" PRId64
			                 ", of which it is a part",
			                 i, b->parent);
	}
	return ret;
}

/* Check the table of each kernel, even without launches. */
static int check_kernels(struct verify *v, struct err *err)
{
	const struct recording *r = v->recording;
	int ret = 0;

	for (size_t i = 0; !ret && i < r->kernel_count; i++) {
		const struct kernel_table *t = &r->kernels[i].table;
		struct err why = { 0 };

		if (kernel_table_check(t, &why))
			ret = verify_add(v, VERIFY_DAMAGE, err, manifest, "%s", why.msg);
		if (!ret && t->unrecorded_count && *r->kernels[i].door)
			ret = verify_add(v, VERIFY_MISSING, err, manifest,
			                 "kernel %s: %zu constructs are not recorded, the first of "
			                 "them: %s",
			                 t->name, t->unrecorded_count, t->unrecorded[0].what);
	}
	return ret;
}

/* Check the totals of a counted launch against its counts. */
static int check_counts(struct verify *v, const struct recorded_launch *l, const char *where,
                        struct err *err)
{
	const struct kernel_table *t = &v->recording->kernels[l->kernel].table;
	struct launch_totals totals;

	if (l->count_count != t->site_count)
		return verify_add(v, VERIFY_DAMAGE, err, where,
		                  "has %zu counts: expected one for each of %zu sites",
		                  l->count_count, t->site_count);
	recorded_counts_total(t, l->counts, &totals);
	if (totals.reads == l->totals.reads && totals.writes == l->totals.writes &&
	    totals.atomics == l->totals.atomics && totals.barriers == l->totals.barriers &&
	    totals.accesses == l->totals.accesses)
		return 0;
	return verify_add(v, VERIFY_DAMAGE, err, where,
	                  "its totals are not those of its counts: %" PRIu64
	                  " accesses, expected %" PRIu64,
	                  l->totals.accesses, totals.accesses);
}

static int check_arguments(struct verify *v, const struct recorded_launch *l, const char *where,
                           struct err *err)
{
	const struct kernel_table *t = &v->recording->kernels[l->kernel].table;

	for (size_t i = 0; i < l->argument_count; i++) {
		if (t->argument_count && l->arguments[i].index >= t->argument_count)
			return verify_add(v, VERIFY_DAMAGE, err, where,
			                  "names argument %u: expected one of the kernel's %zu",
			                  l->arguments[i].index, t->argument_count);
	}
	return 0;
}

static int check_launch(struct verify *v, const struct recorded_launch *l, struct err *err)
{
	const struct recorded_kernel *k = &v->recording->kernels[l->kernel];
	char where[64];

	(void)snprintf(where, sizeof(where), "launch %" PRIu64, l->number);
	if ((l->fate == LAUNCH_TRACED || l->fate == LAUNCH_COUNTED) && !*k->door)
		return verify_add(v, VERIFY_DAMAGE, err, where,
		                  "was recorded, of kernel %s, which runs unmodified",
		                  k->table.name);
	if (l->fate == LAUNCH_PENDING)
		return verify_add(v, VERIFY_MISSING, err, where,
		                  "of kernel %s: the program ended before it was drained",
		                  k->table.name);
	if (l->fate == LAUNCH_SKIPPED)
		return verify_add(v, VERIFY_MISSING, err, where, "of kernel %s was skipped: %s",
		                  k->table.name, l->reason ? l->reason : "no reason recorded");
	if (l->fate == LAUNCH_COUNTED)
		return check_counts(v, l, where, err);
	return l->fate == LAUNCH_TRACED ? check_arguments(v, l, where, err) : 0;
}

/* Check what else than launches is known to be missing. */
static int check_losses(struct verify *v, struct err *err)
{
	const struct recording *r = v->recording;
	int ret = 0;

	if (!r->has_end)
		ret = verify_add(v, VERIFY_MISSING, err, manifest,
		                 "has no end: the recorder was killed, or lost its last lines");
	if (!ret && r->launches_unknown)
		ret = verify_add(v, VERIFY_MISSING, err, manifest,
		                 "launches of which nothing is known: %" PRIu64,
		                 r->launches_unknown);
	for (size_t i = 0; !ret && i < r->tally_count; i++) {
		const struct recorded_tally *t = &r->tallies[i];

		if (t->fate == LAUNCH_SKIPPED)
			ret = verify_add(v, VERIFY_MISSING, err, manifest,
			                 "launches of kernel %s that were skipped: %" PRIu64 ": %s",
			                 r->kernels[t->kernel].table.name, t->count,
			                 t->reason ? t->reason : "no reason recorded");
	}
	for (size_t i = 0; !ret && i < r->note_count; i++)
		ret = verify_add(v, VERIFY_MISSING, err, manifest,
		                 "not recorded, times %" PRIu64 ": %s: %s", r->notes[i].count,
		                 r->notes[i].what, r->notes[i].reason);
	if (!ret && recording_limited_launches(r))
		ret = verify_add(v, VERIFY_REMARK, err, manifest,
		                 "launches after a limit that was set for the recording: %" PRIu64,
		                 recording_limited_launches(r));
	if (!ret && r->has_end && r->exit_status < 0)
		ret = verify_add(v, VERIFY_REMARK, err, manifest,
		                 "does not tell the program's exit status");
	return ret;
}

/* Check the files that launches share. */
static int check_bundles(struct verify *v, struct err *err)
{
	const struct recording *r = v->recording;
	int ret = 0;

	for (size_t i = 0; !ret && i < r->bundle_count; i++) {
		const struct recorded_bundle *b = &r->bundles[i];

		v->files += !i || strcmp(b->file, b[-1].file) != 0;
		if (b->fault)
			ret = verify_add(v, VERIFY_DAMAGE, err, b->file, "%s", b->fault);
	}
	return ret;
}

static int check_manifest(struct verify *v, struct err *err)
{
	const struct recording *r = v->recording;
	int fd = file_open_below(r->dir, manifest, O_RDONLY, NULL), ret;
	struct stat facts = { 0 };

	if (fd >= 0) {
		(void)fstat(fd, &facts);
		close(fd);
	}
	count_file(v, (uint64_t)facts.st_size);
	ret = check_texts(v, err);
	if (!ret)
		ret = check_buffers(v, err);
	if (!ret)
		ret = check_kernels(v, err);
	if (!ret)
		ret = check_bundles(v, err);
	for (size_t i = 0; !ret && i < r->launch_count; i++)
		ret = check_launch(v, &r->launches[i], err);
	return ret ? ret : check_losses(v, err);
}

/* The launch being checked. */
struct launch_check {
	struct verify *v;
	const struct recorded_launch *launch;
	const char *where; /* its file, or its number if it shares a file */
	const struct kernel_table *table;
	struct launch_reader *reader;
	struct access_decoder *decoder;
	struct group_walk *walk;
	struct launch_totals counted; /* the totals of its groups */
	uint64_t outside;             /* accesses outside all buffers of the launch */
	bool has_buffers;             /* all of its memory is known */
};

static int damage(struct launch_check *c, struct err *err, const char *what)
{
	return verify_add(c->v, VERIFY_DAMAGE, err, c->where, "%s", what);
}

/* Whether an address is in a buffer that the launch may have accessed. */
static bool is_inside(const struct launch_check *c, const struct access *a)
{
	const struct recording *r = c->v->recording;

	for (size_t i = 0; i < c->launch->argument_count; i++) {
		const struct recorded_argument *argument = &c->launch->arguments[i];
		uint64_t bytes = r->buffers[argument->buffer].bytes;

		if (a->address >= argument->address && a->bytes <= bytes &&
		    a->address - argument->address <= bytes - a->bytes)
			return true;
	}
	return false;
}

static void count_access(struct launch_check *c, const struct access *a)
{
	c->counted.reads += a->facts->kind == SITE_READ;
	c->counted.writes += a->facts->kind == SITE_WRITE;
	c->counted.atomics += a->facts->kind == SITE_ATOMIC;
	c->counted.barriers += a->facts->kind == SITE_BARRIER;
	if (c->has_buffers && site_kind_is_access(a->facts->kind) &&
	    (a->facts->space == SPACE_GLOBAL || a->facts->space == SPACE_CONSTANT) &&
	    !is_inside(c, a))
		c->outside++;
}

/* Count the contents of a piece. */
static int count_piece(struct launch_check *c, const struct walked_piece *piece, struct err *err)
{
	uint64_t before = c->counted.reads + c->counted.writes + c->counted.atomics;
	struct access access;
	int ret = 0;

	if (piece->is_first)
		access_decoder_begin(c->decoder);
	for (uint64_t i = 0; ret >= 0 && i < piece->count; i++) {
		ret = access_decoder_take(c->decoder, &piece->events[i], &access, err);
		if (ret > 0)
			count_access(c, &access);
	}
	c->counted.accesses = c->counted.reads + c->counted.writes + c->counted.atomics;
	if (c->v->watch)
		c->v->watch->done += c->counted.accesses - before;
	return ret < 0 ? ret : 0;
}

/* Decode a group, as stored and as expanded. */
static int read_group(struct launch_check *c, uint64_t group, struct err *why)
{
	uint32_t parts = launch_reader_parts(c->reader, group);
	struct walked_piece piece;
	struct group_events part;
	int ret = 0;

	for (uint32_t i = 0; !ret && i < parts; i++) {
		ret = launch_reader_part(c->reader, group, i, &part, why);
		if (!ret)
			c->counted.events += part.first[part.item_count];
	}
	if (!ret)
		ret = group_walk_start(c->walk, group, why);
	while (!ret && (ret = group_walk_next(c->walk, &piece, why)) > 0)
		ret = count_piece(c, &piece, why);
	c->counted.groups++;
	return ret;
}

/* Decode every group. Returns 0, ERR_NOMEM, or the error of a damaged file with its message. */
static int read_groups(struct launch_check *c, struct err *why)
{
	uint64_t end = launch_shape_group_count(&c->launch->shape);
	int ret = group_walk_create(&c->walk, c->reader, c->table, why);

	for (uint64_t i = launch_reader_next(c->reader, 0); !ret && i < end;
	     i = launch_reader_next(c->reader, i + 1))
		ret = read_group(c, i, why);
	return ret;
}

/* Compare the totals of the groups, the file and the manifest; reports the first difference. */
static int compare_totals(struct launch_check *c, uint64_t length, struct err *err)
{
	const struct launch_totals *file = launch_reader_totals(c->reader);
	const struct launch_totals *line = &c->launch->totals;

	c->counted.file_bytes = length;
#define TOTAL(name)                                                                                \
	if (c->counted.name != file->name || c->counted.name != line->name)                        \
		return verify_add(c->v, VERIFY_DAMAGE, err, c->where,                              \
		                  "has %" PRIu64 " " #name ", says %" PRIu64                       \
		                  " itself, and manifest.jsonl says %" PRIu64,                     \
		                  c->counted.name, file->name, line->name);
#include "launch_totals.def"
#undef TOTAL
	return 0;
}

static int check_missing(struct launch_check *c, struct err *err)
{
	uint64_t groups = launch_shape_group_count(&c->launch->shape);
	int ret = 0;

	if (c->launch->dropped_events)
		ret = verify_add(c->v, VERIFY_MISSING, err, c->where,
		                 "events that were lost for want of room: %" PRIu64,
		                 c->launch->dropped_events);
	if (!ret && !launch_reader_is_whole(c->reader))
		ret = verify_add(c->v, VERIFY_MISSING, err, c->where,
		                 "lacks groups or its end: %" PRIu64 " of %" PRIu64 " are there",
		                 c->counted.groups, groups);
	if (!ret && c->outside)
		ret = verify_add(c->v, VERIFY_REMARK, err, c->where,
		                 "accesses outside all buffers of the launch: %" PRIu64,
		                 c->outside);
	return ret;
}

static int check_contents(struct launch_check *c, uint64_t length, struct err *err)
{
	struct err why = { 0 };
	int ret;

	ret = access_decoder_create(&c->decoder, c->table, err);
	if (ret)
		return ret;
	ret = read_groups(c, &why);
	if (ret == ERR_NOMEM)
		return err_set(err, ERR_NOMEM, "%s", why.msg);
	if (ret)
		return damage(c, err, why.msg);
	ret = compare_totals(c, length, err);
	return ret ? ret : check_missing(c, err);
}

/* Whether all buffers of the launch are known; unrecorded memory may be anywhere. */
static bool knows_memory(const struct recording *r, const struct recorded_launch *l)
{
	bool knows = l->argument_count > 0;

	for (size_t i = 0; i < l->argument_count; i++)
		knows = knows && l->arguments[i].buffer >= 0;
	for (size_t i = 0; i < r->buffer_count; i++)
		knows = knows && !r->buffers[i].svm_address;
	return knows;
}

static int check_launch_file(struct verify *v, size_t launch, struct err *err)
{
	const struct recorded_launch *l = &v->recording->launches[launch];
	struct launch_check c = { .v = v,
		                  .launch = l,
		                  .table = &v->recording->kernels[l->kernel].table,
		                  .has_buffers = knows_memory(v->recording, l) };
	struct trace_source *source = NULL;
	struct err why = { 0 };
	char number[32];
	uint64_t bytes;
	int ret;

	(void)snprintf(number, sizeof(number), "launch %" PRIu64, l->number);
	c.where = l->bundle ? number : l->file;
	ret = recording_open_launch(v->recording, launch, &source, &c.reader, &why);

	if (ret == ERR_NOMEM)
		return err_set(err, ERR_NOMEM, "%s", why.msg);
	if (ret)
		return damage(&c, err, why.msg);
	bytes = source ? trace_source_length(source) : l->totals.file_bytes;
	ret = check_contents(&c, bytes, err);
	v->files += source != NULL;
	v->bytes += bytes;
	v->groups += c.counted.groups;
	v->accesses += c.counted.accesses;
	group_walk_free(c.walk);
	access_decoder_free(c.decoder);
	launch_reader_close(c.reader);
	trace_source_close(source);
	return ret;
}

static bool is_named(const struct recording *r, const char *file)
{
	if (!strcmp(file, "manifest.jsonl") || (r->bypass.file && !strcmp(file, r->bypass.file)) ||
	    (r->applied.file && !strcmp(file, r->applied.file)))
		return true;
	for (size_t i = 0; i < r->bundle_count; i++) {
		if (!strcmp(file, r->bundles[i].file))
			return true;
	}
	for (size_t i = 0; i < r->program_count; i++) {
		if (r->programs[i].source_file && !strcmp(file, r->programs[i].source_file))
			return true;
	}
	return false;
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Returns the files of launches, sorted; *count of them, borrowed from the recording. */
static char **launch_files(const struct recording *r, size_t *count, struct err *err)
{
	char **files = array_alloc(r->launch_count, sizeof(*files), "files", err);

	*count = 0;
	for (size_t i = 0; files && i < r->launch_count; i++) {
		if (r->launches[i].file && !r->launches[i].bundle)
			files[(*count)++] = r->launches[i].file;
	}
	if (files && *count)
		qsort(files, *count, sizeof(*files), compare_texts);
	return files;
}

/* Check that no two launches share a file. */
static int check_shared(struct verify *v, char **files, size_t count, struct err *err)
{
	int ret = 0;

	for (size_t i = 1; !ret && i < count; i++) {
		if (!strcmp(files[i - 1], files[i]))
			ret = verify_add(v, VERIFY_DAMAGE, err, files[i],
			                 "is the file of two launches");
	}
	return ret;
}

/* Check for files in a folder of the recording, "" or "sources/", that nothing refers to. */
static int check_folder(struct verify *v, const char *folder, char **files, size_t count,
                        struct err *err)
{
	const char *dir = v->recording->dir;
	int fd = *folder ? file_open_folder_below(dir, folder, NULL)
	                 : open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *handle = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	int ret = 0;

	while (handle && !ret && (entry = readdir(handle))) {
		char name[512], *key = name;

		(void)snprintf(name, sizeof(name), "%s%s%s", folder, *folder ? "/" : "",
		               entry->d_name);
		if (entry->d_name[0] == '.' || !strcmp(name, "sources") ||
		    is_named(v->recording, name) ||
		    bsearch(&key, files, count, sizeof(*files), compare_texts))
			continue;
		ret = verify_add(v, VERIFY_REMARK, err, name, "is not named in manifest.jsonl");
	}
	if (handle)
		closedir(handle);
	else if (fd >= 0)
		close(fd);
	return ret;
}

static int check_files(struct verify *v, struct err *err)
{
	size_t count;
	char **files = launch_files(v->recording, &count, err);
	int ret = files ? check_shared(v, files, count, err) : ERR_NOMEM;

	if (!ret)
		ret = check_folder(v, "", files, count, err);
	if (!ret)
		ret = check_folder(v, "sources", files, count, err);
	free(files);
	return ret;
}

int verify_recording(struct verify *v, struct err *err)
{
	int ret = check_manifest(v, err);

	for (size_t i = 0; !ret && i < v->recording->launch_count; i++) {
		if (v->recording->launches[i].fate != LAUNCH_TRACED)
			continue;
		if (v->watch)
			work_watch_what(v->watch, "launch %llu",
			                (unsigned long long)v->recording->launches[i].number);
		ret = check_launch_file(v, i, err);
	}
	return ret ? ret : check_files(v, err);
}
