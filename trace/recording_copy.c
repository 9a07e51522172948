/* SPDX-License-Identifier: Apache-2.0 */
#include "recording_copy.h"

#include "array.h"
#include "bypass_list.h"
#include "err.h"
#include "file.h"
#include "kernel_table_json.h"
#include "launch_reader.h"
#include "manifest_json.h"
#include "str.h"
#include "trace_source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The line of an item when it was written, and its new number. */
struct copied_name {
	char *key;
	uint32_t id;
};

/* Shared virtual memory of the recordings so far. */
struct copied_range {
	uint64_t first, last;
};

/* A recording whose programs were written, numbered from `first` on. */
struct copied_programs {
	const struct recording *recording; /* borrowed */
	uint32_t first;
};

struct recording_copy {
	struct recording_writer *w;
	struct array devices, kernels; /* struct copied_name */
	struct array ranges;           /* struct copied_range */
	struct array sets;             /* struct copied_programs */
	uint32_t programs;             /* written so far */
	uint64_t buffers, launches;    /* numbers given so far */
	size_t count;                  /* recordings */
	bool has_lists, has_end, has_status;
	int status;
	struct recorded_work work;
	uint64_t program_ns, left_out, left_out_bytes;
};

/* The new numbers of the items of a recording. */
struct copied_numbers {
	uint32_t *devices, *programs, *kernels;
	uint64_t buffers, launches; /* added to the old numbers */
};

static int write_all(int to, const char *bytes, size_t length)
{
	while (length) {
		ssize_t put = write(to, bytes, length);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return errno ? errno : EIO;
		bytes += put;
		length -= (size_t)put;
	}
	return 0;
}

/* Copy the rest of one file to another. Returns an errno value. */
static int copy_bytes(int from, int to)
{
	char bytes[1 << 16];

	for (;;) {
		ssize_t got = read(from, bytes, sizeof(bytes));

		if (!got)
			return 0;
		if (got < 0 && errno != EINTR)
			return errno;
		if (got > 0) {
			int failed = write_all(to, bytes, (size_t)got);

			if (failed)
				return failed;
		}
	}
}

/* Make `to` another name of an open file, even if its old name is now that of another file. */
static bool link_file(int from, const char *to)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", from);
	return !linkat(AT_FDCWD, path, AT_FDCWD, to, AT_SYMLINK_FOLLOW);
}

static int copy_file(int in, const char *to)
{
	int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	int failed = out < 0 ? errno : copy_bytes(in, out);

	if (out >= 0 && close(out) && !failed)
		failed = errno;
	return failed;
}

/* Check that the file of a launch is what was written: a copy must not hide damage. */
static int check_file(const struct recording *r, const struct recorded_launch *l, struct err *err)
{
	struct trace_source *source = NULL;
	struct launch_reader *reader = NULL;
	int ret = recording_open_launch(r, (size_t)(l - r->launches), &source, &reader, err);

	if (!ret && l->totals.file_sum && !launch_reader_totals(reader)->file_sum)
		ret = err_set(
			err, ERR_FORMAT,
			"%s: damaged: it has lost its end, which was there when it was written; "
			"'warpline rm' can leave launch %" PRIu64 " out",
			trace_source_name(source), l->number);
	if (!ret)
		ret = launch_reader_check(reader, err);
	launch_reader_close(reader);
	trace_source_close(source);
	return ret;
}

/* Copy the file of a launch, which gets the number `id`. */
static int copy_launch_file(struct recording_copy *c, const struct recording *r,
                            const struct recorded_launch *l, uint32_t id, bool may_link,
                            struct err *err)
{
	char *name = recording_launch_name(id, err);
	char *to = name ? file_path(recording_writer_dir(c->w), name, err) : NULL;
	int in = to ? file_open_below(r->dir, l->file, O_RDONLY, err) : ERR_NOMEM;
	bool is_linked = in >= 0 && may_link && link_file(in, to);
	int ret = in < 0 ? in : is_linked ? 0 : check_file(r, l, err), failed;

	if (!ret && !is_linked) {
		failed = copy_file(in, to);
		if (failed)
			ret = err_set(err, ERR_IO, "%s/%s: cannot be copied to %s: %s", r->dir,
			              l->file, to, strerror(failed));
	}
	if (in >= 0)
		close(in);
	free(name);
	free(to);
	return ret;
}

/* Returns the arguments with the new numbers of their buffers, on the heap. */
static int move_arguments(const struct recording_copy *c, const struct recorded_launch *l,
                          struct recorded_launch *moved, struct err *err)
{
	moved->arguments =
		array_alloc(l->argument_count, sizeof(*moved->arguments), "arguments", err);
	if (!moved->arguments)
		return ERR_NOMEM;
	for (size_t i = 0; i < l->argument_count; i++) {
		moved->arguments[i] = l->arguments[i];
		moved->arguments[i].buffer += l->arguments[i].buffer >= 0 ? (int64_t)c->buffers : 0;
	}
	return 0;
}

/* Copy the fate of a launch unchanged. */
static int copy_fate(struct recording_copy *c, const struct recording *r,
                     const struct recorded_launch *l, uint32_t id, bool may_link, struct err *err)
{
	struct recorded_launch moved = *l;
	int ret = 0;

	if (l->fate == LAUNCH_PENDING)
		return 0;
	ret = move_arguments(c, l, &moved, err);
	if (ret)
		return ret;
	if (l->fate == LAUNCH_TRACED)
		ret = copy_launch_file(c, r, l, id, may_link, err);
	if (!ret)
		ret = recording_writer_fate(c->w, id, &moved, err);
	free(moved.arguments);
	return ret;
}

static int copy_groups(struct launch_reader *from, const struct recorded_launch *l,
                       struct launch_writer *to, struct err *err)
{
	uint64_t count = launch_shape_group_count(&l->shape);
	struct group_events g;
	int ret = 0;

	for (uint64_t i = launch_reader_next(from, 0); !ret && i < count;
	     i = launch_reader_next(from, i + 1)) {
		ret = launch_reader_part(from, i, 0, &g, err);
		if (!ret)
			ret = launch_writer_add(to, i, &g, err);
	}
	return ret;
}

/* Read the events of a small launch into memory. */
static int read_small(struct recording_copy *c, const struct recording *r, size_t launch,
                      uint32_t number, struct launch_writer **events, struct err *err)
{
	const struct recorded_launch *l = &r->launches[launch];
	struct launch_reader *from = NULL;
	struct trace_source *source = NULL;
	int ret = recording_open_launch(r, launch, &source, &from, err);

	if (!ret)
		ret = recording_writer_open_launch(c->w, number, &l->shape,
		                                   &r->kernels[l->kernel].table, events, err);
	if (!ret && l->totals.groups < launch_shape_group_count(&l->shape))
		launch_writer_select(*events);
	if (!ret)
		ret = copy_groups(from, l, *events, err);
	launch_reader_close(from);
	trace_source_close(source);
	return ret;
}

/* Give the launch a copy of its counts. */
static int copy_counts(struct recorded_launch *moved, struct err *err)
{
	uint64_t *counts = NULL;

	if (moved->counts) {
		counts = array_alloc(moved->count_count, sizeof(*counts), "counts", err);
		if (!counts)
			return ERR_NOMEM;
		memcpy(counts, moved->counts, moved->count_count * sizeof(*counts));
	}
	moved->counts = counts;
	return 0;
}

/* Copy a launch that shares a file with others: it will do so again. */
static int copy_small(struct recording_copy *c, const struct recording *r, size_t launch,
                      const struct copied_numbers *n, struct err *err)
{
	struct recorded_launch moved = r->launches[launch];
	struct launch_writer *events = NULL;
	bool has_room;
	int ret = move_arguments(c, &r->launches[launch], &moved, err);

	if (!ret)
		ret = copy_counts(&moved, err);
	if (ret) {
		free(moved.arguments);
		return ret;
	}
	moved.number += n->launches;
	moved.kernel = n->kernels[moved.kernel];
	if (moved.number > UINT32_MAX)
		ret = err_set(err, ERR_LIMIT, "launch %" PRIu64 ": expected numbers below 2^32",
		              moved.number);
	if (!ret && moved.fate == LAUNCH_TRACED)
		ret = read_small(c, r, launch, (uint32_t)moved.number, &events, err);
	if (!ret)
		ret = recording_writer_small_launch(
			c->w,
			&(struct small_launch){ &moved,
		                                &r->kernels[r->launches[launch].kernel].table,
		                                &events, UINT64_MAX },
			&has_room, err);
	launch_writer_discard(events);
	free(moved.arguments);
	free(moved.counts);
	return ret;
}

static int copy_launch(struct recording_copy *c, const struct recording *r, size_t launch,
                       const struct copied_numbers *n, const struct recording_copy_choice *choice,
                       struct err *err)
{
	const struct recorded_launch left_out = { .fate = LAUNCH_UNSELECTED };
	const struct recorded_launch *l = &r->launches[launch];
	struct recorded_launch moved = *l;
	bool is_recorded = l->fate == LAUNCH_TRACED || l->fate == LAUNCH_COUNTED;
	bool is_kept = !is_recorded || !choice->keeps || choice->keeps(choice->context, r, l);
	uint64_t number = n->launches + l->number;
	int ret;

	if (is_kept && l->bundle)
		return copy_small(c, r, launch, n, err);
	moved.kernel = n->kernels[l->kernel];
	ret = recording_writer_launch_at(c->w, &moved, number, err);
	if (ret)
		return ret;
	if (is_kept)
		return copy_fate(c, r, l, (uint32_t)number, choice->may_link, err);
	c->left_out++;
	c->left_out_bytes += l->totals.file_bytes;
	return recording_writer_fate(c->w, (uint32_t)number, &left_out, err);
}

static int copy_tally(struct recording_copy *c, const struct recorded_tally *t,
                      const struct copied_numbers *n, struct err *err)
{
	struct recorded_tally moved = *t;
	uint32_t id = RECORDING_TALLY_NEW;

	moved.kernel = n->kernels[t->kernel];
	moved.first += n->launches;
	moved.last += n->launches;
	return recording_writer_tally(c->w, &moved, &id, err);
}

static int copy_launches(struct recording_copy *c, const struct recording *r,
                         const struct copied_numbers *n, const struct recording_copy_choice *choice,
                         struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < r->launch_count; i++)
		ret = copy_launch(c, r, i, n, choice, err);
	for (size_t i = 0; !ret && i < r->tally_count; i++)
		ret = copy_tally(c, &r->tallies[i], n, err);
	return ret;
}

int recording_copy_create(struct recording_copy **out, struct recording_writer *w, struct err *err)
{
	struct recording_copy *c = array_alloc(1, sizeof(*c), "copy", err);

	if (!c)
		return ERR_NOMEM;
	c->w = w;
	c->has_end = c->has_status = true;
	array_init(&c->devices, sizeof(struct copied_name), MANIFEST_ITEMS_MAX, "devices");
	array_init(&c->kernels, sizeof(struct copied_name), MANIFEST_ITEMS_MAX, "kernels");
	array_init(&c->sets, sizeof(struct copied_programs), MANIFEST_ITEMS_MAX, "recordings");
	array_init(&c->ranges, sizeof(struct copied_range), MANIFEST_ITEMS_MAX, "buffers");
	*out = c;
	return 0;
}

static void release_names(struct array *names)
{
	struct copied_name *n = names->data;

	for (size_t i = 0; i < names->count; i++)
		free(n[i].key);
	array_release(names);
}

void recording_copy_free(struct recording_copy *c)
{
	if (!c)
		return;
	release_names(&c->devices);
	release_names(&c->kernels);
	array_release(&c->sets);
	array_release(&c->ranges);
	free(c);
}

/* Find the item that `line` describes; takes ownership of it. Returns 1 with its number if it was
 * written; else 0, with a new name without a number at the end. */
static int find_name(struct array *names, json_t *line, uint32_t *id, struct err *err)
{
	char *key = line ? json_dumps(line, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
	struct copied_name *n = names->data;

	json_decref(line);
	if (!key)
		return err_set(err, ERR_NOMEM, "out of memory for %s", names->what);
	for (size_t i = 0; i < names->count; i++) {
		if (strcmp(n[i].key, key) != 0)
			continue;
		*id = n[i].id;
		free(key);
		return 1;
	}
	n = array_push(names, 1, err);
	if (!n) {
		free(key);
		return err->code;
	}
	n->key = key;
	return 0;
}

static void set_name(struct array *names, uint32_t id)
{
	((struct copied_name *)names->data)[names->count - 1].id = id;
}

static int copy_devices(struct recording_copy *c, const struct recording *r, uint32_t *ids,
                        struct err *err)
{
	int ret = 0;

	for (size_t i = 0; ret >= 0 && i < r->device_count; i++) {
		ret = find_name(&c->devices, manifest_device_to_json(&r->devices[i], 0), &ids[i],
		                err);
		if (ret)
			continue;
		ret = recording_writer_device(c->w, &r->devices[i], &ids[i], err);
		set_name(&c->devices, ids[i]);
	}
	return ret < 0 ? ret : 0;
}

/* Read the text of a program; empty if it was not recorded. */
static int read_source(const struct recording *r, size_t i, struct str *out, struct err *err)
{
	const struct recorded_program *p = &r->programs[i];

	str_init(out, RECORDING_TEXT_BYTES_MAX);
	return p->source_file ? recording_read_text(r, p->source_file, &p->source_sum, out, err)
	                      : 0;
}

static bool is_same_text(const struct str *a, const struct str *b)
{
	return a->length == b->length && (!a->length || !memcmp(a->text, b->text, a->length));
}

/* Returns 1 if two recordings have the same programs, else 0, or an error. */
static int has_same_programs(const struct recording *a, const struct recording *b, struct err *err)
{
	int ret = a->program_count == b->program_count;

	for (size_t i = 0; ret == 1 && i < a->program_count; i++) {
		const struct recorded_program *p = &a->programs[i], *q = &b->programs[i];
		struct str one, other;
		int failed = read_source(a, i, &one, err);

		str_init(&other, 0);
		if (!failed)
			failed = read_source(b, i, &other, err);
		ret = failed ? failed
		             : !p->source_file == !q->source_file &&
		                       !p->source_name == !q->source_name &&
		                       !strcmp(p->options, q->options) &&
		                       !strcmp(p->origin, q->origin) && is_same_text(&one, &other);
		str_release(&one);
		str_release(&other);
	}
	return ret;
}

/* Find an earlier recording with the same programs. Returns 1 with the number of the first program,
 * 0, or an error. */
static int find_programs(struct recording_copy *c, const struct recording *r, uint32_t *first,
                         struct err *err)
{
	const struct copied_programs *sets = c->sets.data;
	int same = 0;

	for (size_t i = 0; !same && i < c->sets.count; i++) {
		*first = sets[i].first;
		same = has_same_programs(sets[i].recording, r, err);
	}
	return same;
}

static int copy_program(struct recording_copy *c, const struct recording *r, size_t i, uint32_t *id,
                        struct err *err)
{
	const struct recorded_program *p = &r->programs[i];
	bool has_own_text = p->source_file && !p->source_name;
	struct str source;
	int ret = read_source(r, i, &source, err);
	const char *text = source.text ? source.text : "";

	if (!ret)
		ret = recording_writer_program(c->w, p, has_own_text ? text : NULL, source.length,
		                               id, err);
	if (!ret && p->source_name)
		ret = recording_writer_source(c->w, *id, p->source_name, text, source.length, err);
	str_release(&source);
	return ret;
}

static int copy_programs(struct recording_copy *c, const struct recording *r, uint32_t *ids,
                         struct err *err)
{
	struct copied_programs *set;
	uint32_t first = 0;
	int same = find_programs(c, r, &first, err), ret = 0;

	if (same < 0)
		return same;
	for (size_t i = 0; same && i < r->program_count; i++)
		ids[i] = first + (uint32_t)i;
	if (same)
		return 0;
	set = array_push(&c->sets, 1, err);
	if (!set)
		return err->code;
	*set = (struct copied_programs){ r, c->programs };
	for (size_t i = 0; !ret && i < r->program_count; i++) {
		ret = copy_program(c, r, i, &ids[i], err);
		c->programs++;
	}
	return ret;
}

/* Check a range of shared virtual memory, which is identified by its address alone. */
static int check_range(struct recording_copy *c, const struct recording *r,
                       const struct copied_range *range, size_t others, struct err *err)
{
	const struct copied_range *ranges = c->ranges.data;

	for (size_t i = 0; i < others; i++) {
		if (range->first <= ranges[i].last && ranges[i].first <= range->last)
			return err_set(err, ERR_UNSUPPORTED,
			               "%s: has shared virtual memory where a recording before it "
			               "has some: they cannot be told apart in one recording",
			               r->dir);
	}
	return 0;
}

static int copy_buffers(struct recording_copy *c, const struct recording *r, struct err *err)
{
	size_t others = c->ranges.count;
	int ret = 0;

	for (size_t i = 0; !ret && i < r->buffer_count; i++) {
		struct recorded_buffer b = r->buffers[i];
		uint32_t id;

		if (b.svm_address && b.bytes) {
			const struct copied_range range = { b.svm_address,
				                            b.svm_address + (b.bytes - 1) };
			struct copied_range *kept = array_push(&c->ranges, 1, err);

			ret = kept ? check_range(c, r, &range, others, err) : err->code;
			if (kept)
				*kept = range;
		}
		b.parent += b.parent >= 0 ? (int64_t)c->buffers : 0;
		if (!ret)
			ret = recording_writer_buffer(c->w, &b, &id, err);
	}
	return ret;
}

/* Write a kernel whose program has its new number and whose text had the name `text`, or NULL. */
static int copy_kernel(struct recording_copy *c, const struct recorded_kernel *kernel,
                       const char *text, uint32_t *id, struct err *err)
{
	struct recorded_kernel k = *kernel;
	char *name = text ? recording_program_name(k.program, err) : NULL;
	bool is_renamed = name && strcmp(name, text) != 0 && kernel->table.sites;
	int ret = text && !name ? ERR_NOMEM : 0;

	if (!ret && is_renamed)
		ret = kernel_table_rename_file(&k.table, &kernel->table, text, name, err);
	free(name);
	if (ret)
		return ret;
	ret = find_name(&c->kernels, manifest_kernel_to_json(&k, 0), id, err);
	if (!ret) {
		ret = recording_writer_kernel(c->w, &k, id, err);
		set_name(&c->kernels, *id);
	}
	if (is_renamed)
		kernel_table_release(&k.table);
	return ret < 0 ? ret : 0;
}

static int copy_kernels(struct recording_copy *c, const struct recording *r,
                        const struct copied_numbers *n, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < r->kernel_count; i++) {
		struct recorded_kernel k = r->kernels[i];
		const struct recorded_program *p = &r->programs[k.program];
		const char *text = p->source_name ? NULL : p->source_file;

		k.device = n->devices[k.device];
		k.program = n->programs[k.program];
		ret = copy_kernel(c, &k, text, &n->kernels[i], err);
	}
	return ret;
}

static int copy_list(struct recording_copy *c, const struct recording *r,
                     const struct recorded_list *kept, const char *type, struct err *err)
{
	struct bypass_list list = { 0 };
	int ret;

	if (!kept->file)
		return 0;
	c->has_lists = true;
	ret = recording_read_list(r, kept, &list, err);
	if (!ret)
		ret = recording_writer_list(c->w, type, &list, err);
	bypass_list_release(&list);
	return ret;
}

/* Check the lists: they name buffers, sites and warps of their own recording. */
static int copy_lists(struct recording_copy *c, const struct recording *r, struct err *err)
{
	bool has_lists = r->bypass.file || r->applied.file;
	int ret;

	if (c->count && (has_lists || c->has_lists))
		return err_set(err, ERR_UNSUPPORTED,
		               "%s: %s a bypass list, which is of one recording only", r->dir,
		               has_lists ? "keeps" : "a recording before it keeps");
	ret = copy_list(c, r, &r->bypass, "bypass", err);
	return ret ? ret : copy_list(c, r, &r->applied, "applied", err);
}

static int copy_all(struct recording_copy *c, const struct recording *r,
                    const struct copied_numbers *n, const struct recording_copy_choice *choice,
                    struct err *err)
{
	int ret = copy_lists(c, r, err);

	if (!ret)
		ret = copy_devices(c, r, n->devices, err);
	if (!ret)
		ret = copy_programs(c, r, n->programs, err);
	if (!ret)
		ret = copy_buffers(c, r, err);
	if (!ret)
		ret = copy_kernels(c, r, n, err);
	if (!ret)
		ret = copy_launches(c, r, n, choice, err);
	for (size_t i = 0; !ret && i < r->note_count; i++)
		ret = recording_writer_note(c->w, r->notes[i].what, r->notes[i].reason,
		                            r->notes[i].count, err);
	return ret;
}

static void add_status(struct recording_copy *c, const struct recording *r)
{
	c->has_end = c->has_end && r->has_end;
	c->has_status = c->has_status && r->exit_status >= 0;
	if (!c->status)
		c->status = r->exit_status;
	if (r->program_ns > c->program_ns)
		c->program_ns = r->program_ns;
	/* a sum that is too large is unknown */
	if (__builtin_add_overflow(c->work.all_ns, r->work.all_ns, &c->work.all_ns))
		c->work = (struct recorded_work){ .all_ns = UINT64_MAX };
#define WORK_PART(NAME, name, what, advice) c->work.name##_ns += r->work.name##_ns;
#include "work_parts.def"
#undef WORK_PART
}

int recording_copy_add(struct recording_copy *c, const struct recording *r,
                       const struct recording_copy_choice *choice, struct err *err)
{
	struct copied_numbers n = { .buffers = c->buffers, .launches = c->launches };
	int ret = ERR_NOMEM;

	n.devices = array_alloc(r->device_count, sizeof(*n.devices), "devices", err);
	n.programs = array_alloc(r->program_count, sizeof(*n.programs), "programs", err);
	n.kernels = array_alloc(r->kernel_count, sizeof(*n.kernels), "kernels", err);
	if (n.devices && n.programs && n.kernels)
		ret = copy_all(c, r, &n, choice, err);
	free(n.devices);
	free(n.programs);
	free(n.kernels);
	if (ret)
		return ret;
	c->buffers += r->buffer_count;
	c->launches += r->launches_seen;
	add_status(c, r);
	c->count++;
	return 0;
}

int recording_copy_end(struct recording_copy *c, struct err *err)
{
	int ret = c->work.all_ns ? recording_writer_time(c->w, &c->work, err) : 0;

	return ret || !c->has_end ? ret : recording_writer_end(c->w, err);
}

int recording_copy_status(const struct recording_copy *c, uint64_t *program_ns)
{
	*program_ns = c->program_ns;
	return c->has_status ? c->status : -1;
}

uint64_t recording_copy_left_out(const struct recording_copy *c, uint64_t *bytes)
{
	*bytes = c->left_out_bytes;
	return c->left_out;
}
