/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_format.h"
#include "manifest_json.h"

#include "array.h"
#include "err.h"
#include "file.h"
#include "kernel_table_json.h"
#include "kernel_table_limits.h"

#include <stdlib.h>
#include <string.h>

/* Keep the first failure of a line. */
static void fail(struct json_fields *f, enum err_code code, const char *sentence)
{
	if (!f->ret)
		f->ret = err_set(f->err, code, "%s", sentence);
}

static bool text_is(struct json_fields *f, const char *key, const char *expected)
{
	char *text = json_fields_text(f, key);
	bool is_equal = text && strcmp(text, expected) == 0;

	free(text);
	return is_equal;
}

static void read_command(struct recording *r, struct json_fields *f)
{
	size_t count;
	const json_t *words = json_fields_list(f, "command", MANIFEST_ITEMS_MAX, &count);

	r->command = f->ret ? NULL : array_alloc(count, sizeof(*r->command), "command", f->err);
	if (!f->ret && !r->command)
		f->ret = ERR_NOMEM;
	for (size_t i = 0; i < count && !f->ret; i++) {
		const char *word = json_string_value(json_array_get(words, i));

		if (!word)
			fail(f, ERR_FORMAT, "\"command\": expected texts");
		r->command[i] = word ? strdup(word) : NULL;
		if (word && !r->command[i])
			fail(f, ERR_NOMEM, "out of memory for the command");
		r->command_count = i + 1;
	}
}

uint32_t manifest_begin_from_json(struct recording *r, struct json_fields *f)
{
	uint32_t version;

	if (!text_is(f, "magic", MANIFEST_MAGIC))
		fail(f, ERR_FORMAT, "expected the magic \"" MANIFEST_MAGIC "\"");
	version = json_fields_u32(f, "version", UINT32_MAX);
	if (version < MANIFEST_VERSION_OLD || version > MANIFEST_VERSION)
		fail(f, ERR_VERSION,
		     version > MANIFEST_VERSION
		             ? "a version of recordings that is not known, expected 2 to 7: a "
		               "newer "
		               "warpline made it and reads it"
		             : "a version of recordings that is not known, expected 2 to 7");
	if (!text_is(f, "endian", "little"))
		fail(f, ERR_FORMAT, "expected endian \"little\"");
	r->tool_version = json_fields_text(f, "tool_version");
	read_command(r, f);
	return version;
}

void manifest_device_from_json(struct recorded_device *d, struct json_fields *f)
{
	d->name = json_fields_text(f, "name");
	d->vendor = json_fields_text(f, "vendor");
	d->version = json_fields_text(f, "version");
	d->driver = json_fields_text(f, "driver");
	d->platform = json_fields_text(f, "platform");
	d->address_bits = json_fields_u32(f, "address_bits", 64);
}

static void check_path(struct json_fields *f, const char *path)
{
	if (path && !file_is_below(path))
		fail(f, ERR_FORMAT, "a file outside the recording is named");
}

/* What the line that names a file says of its contents. */
static void read_sum(struct recorded_sum *sum, uint32_t version, struct json_fields *f)
{
	if (version < MANIFEST_VERSION_FILES)
		return;
	sum->bytes = json_fields_u64(f, "file_bytes", UINT64_MAX);
	sum->xxh64 = json_fields_u64(f, "file_sum", UINT64_MAX);
	sum->is_known = !f->ret;
}

void manifest_list_from_json(struct recorded_list *l, uint32_t version, struct json_fields *f)
{
	if (version < MANIFEST_VERSION_LISTS)
		fail(f, ERR_FORMAT, "a bypass list in a recording before version 5");
	if (l->file)
		fail(f, ERR_FORMAT, "a second one, expected one at most");
	if (f->ret)
		return;
	l->file = json_fields_text(f, "file");
	l->rules = json_fields_u64(f, "rules", UINT64_MAX);
	read_sum(&l->sum, version, f);
	check_path(f, l->file);
}

void manifest_program_from_json(struct recorded_program *p, uint32_t version, struct json_fields *f)
{
	p->source_file = json_fields_text_or_null(f, "source_file");
	p->options = json_fields_text(f, "options");
	p->origin = json_fields_text(f, "origin");
	if (p->source_file)
		read_sum(&p->source_sum, version, f);
	check_path(f, p->source_file);
}

void manifest_source_from_json(struct recorded_program *p, uint32_t version, struct json_fields *f)
{
	if (version < MANIFEST_VERSION_FILES)
		fail(f, ERR_FORMAT, "a source in a recording before version 6");
	if (!f->ret && p->source_file)
		fail(f, ERR_FORMAT, "the program has a source already");
	if (f->ret)
		return;
	p->source_name = json_fields_text(f, "name");
	p->source_file = json_fields_text(f, "file");
	read_sum(&p->source_sum, version, f);
	check_path(f, p->source_file);
}

void manifest_buffer_from_json(struct recorded_buffer *b, struct json_fields *f)
{
	b->bytes = json_fields_u64(f, "bytes", UINT64_MAX);
	b->flags = json_fields_u64(f, "flags", UINT64_MAX);
	b->parent = json_fields_i64(f, "parent", -1, UINT32_MAX);
	b->origin_bytes = json_fields_u64(f, "origin_bytes", UINT64_MAX);
	b->svm_address = json_fields_u64(f, "svm_address", UINT64_MAX);
}

void manifest_kernel_from_json(struct recorded_kernel *k, struct json_fields *f)
{
	k->program = json_fields_u32(f, "program", UINT32_MAX);
	k->device = json_fields_u32(f, "device", UINT32_MAX);
	k->door = json_fields_text(f, "door");
	k->reason = json_fields_text_or_null(f, "reason");
	if (!f->ret)
		f->ret = kernel_table_from_json(&k->table, json_object_get(f->object, "table"),
		                                f->err);
}

static void read_sizes(struct json_fields *f, const char *key, uint64_t sizes[3])
{
	size_t count;
	const json_t *list = json_fields_list(f, key, 3, &count);

	if (count != 3)
		fail(f, ERR_FORMAT, "expected three sizes in global, local and offset");
	for (size_t d = 0; d < 3; d++)
		sizes[d] = json_fields_item_u64(f, json_array_get(list, d), key, UINT64_MAX);
}

void manifest_launch_from_json(struct recorded_launch *l, struct json_fields *f)
{
	l->kernel = json_fields_u32(f, "kernel", UINT32_MAX);
	l->shape.dimensions = json_fields_u32(f, "dimensions", 3);
	read_sizes(f, "global", l->shape.global);
	read_sizes(f, "local", l->shape.local);
	read_sizes(f, "offset", l->shape.offset);
	l->local_bytes = json_fields_u64(f, "local_bytes", UINT64_MAX);
	l->is_sequence = json_fields_u64_or_0(f, "sequence", 1) == 1;
	l->groups_selected = json_fields_text_or_null(f, "groups_selected");
	if (!f->ret)
		f->ret = launch_shape_check(&l->shape, f->err);
}

static void read_arguments(struct recorded_launch *l, struct json_fields *f)
{
	size_t count;
	const json_t *list = json_fields_list(f, "arguments", MANIFEST_ARGUMENTS_MAX, &count);

	if (f->ret)
		return;
	l->arguments = array_alloc(count, sizeof(*l->arguments), "arguments", f->err);
	if (!l->arguments)
		f->ret = ERR_NOMEM;
	for (size_t i = 0; i < count && !f->ret; i++) {
		struct recorded_argument *a = &l->arguments[i];
		struct json_fields g;

		json_fields_begin(&g, json_array_get(list, i), "argument", f->err);
		a->index = json_fields_u32(&g, "index", KERNEL_ARGUMENTS_MAX);
		a->buffer = json_fields_i64(&g, "buffer", -1, UINT32_MAX);
		a->address = json_fields_u64(&g, "address", UINT64_MAX);
		l->argument_count = i + 1;
		f->ret = g.ret;
	}
}

static void read_totals(struct launch_totals *t, struct json_fields *f)
{
	struct json_fields g;

	if (f->ret)
		return;
	json_fields_begin(&g, json_object_get(f->object, "totals"), "totals", f->err);
#define TOTAL(name) t->name = json_fields_u64(&g, #name, UINT64_MAX);
#include "launch_totals.def"
#undef TOTAL
	f->ret = g.ret;
}

/* How often each of the kernel's sites was reached. */
static void read_counts(struct recorded_launch *l, size_t sites, struct json_fields *f)
{
	size_t count;
	const json_t *list = json_fields_list(f, "counts", KERNEL_SITES_MAX, &count);

	if (count != sites)
		fail(f, ERR_FORMAT, "\"counts\": expected a number for each site of the kernel");
	if (f->ret)
		return;
	l->counts = array_alloc(count, sizeof(*l->counts), "counts", f->err);
	if (!l->counts)
		f->ret = ERR_NOMEM;
	for (size_t i = 0; i < count && !f->ret; i++)
		l->counts[i] =
			json_fields_item_u64(f, json_array_get(list, i), "counts", UINT64_MAX);
	l->count_count = l->counts ? count : 0;
}

static void read_traced(struct recorded_launch *l, uint32_t version, struct json_fields *f)
{
	l->file = json_fields_text(f, "file");
	check_path(f, l->file);
	read_arguments(l, f);
	l->dropped_events = json_fields_u64(f, "dropped_events", UINT64_MAX);
	l->room_bytes = json_fields_u64_or_0(f, "room_bytes", UINT64_MAX);
	read_totals(&l->totals, f);
	if (version >= MANIFEST_VERSION_FILES)
		l->totals.file_sum = json_fields_u64(f, "file_sum", UINT64_MAX);
}

static void read_cost(struct recorded_launch *l, struct json_fields *f)
{
	l->device_ns = json_fields_u64(f, "device_ns", UINT64_MAX);
	l->device_bytes = json_fields_u64(f, "device_bytes", UINT64_MAX);
}

/* The fate whose name is `text`; PENDING is none. */
static enum launch_fate fate_of(const char *text)
{
	static const char *const names[] = {
#define LAUNCH_FATE(NAME, name) name,
#include "launch_fates.def"
#undef LAUNCH_FATE
	};
	int fate = LAUNCH_FATE_COUNT - 1;

	while (fate > LAUNCH_PENDING && strcmp(names[fate], text) != 0)
		fate--;
	return (enum launch_fate)fate;
}

void manifest_fate_from_json(struct recorded_launch *l, size_t sites, uint32_t version,
                             struct json_fields *f)
{
	char *name = json_fields_text(f, "fate");
	enum launch_fate fate = name ? fate_of(name) : LAUNCH_PENDING;

	free(name);
	if (fate == LAUNCH_PENDING)
		fail(f, ERR_FORMAT,
		     "\"fate\": expected one of traced, skipped, counted, unselected and limited");
	if (fate == LAUNCH_TRACED)
		read_traced(l, version, f);
	if (fate == LAUNCH_SKIPPED || fate == LAUNCH_LIMITED)
		l->reason = json_fields_text(f, "reason");
	if (fate == LAUNCH_COUNTED) {
		read_counts(l, sites, f);
		read_totals(&l->totals, f);
	}
	if (fate == LAUNCH_TRACED || fate == LAUNCH_COUNTED)
		read_cost(l, f);
	l->fate = fate;
}

void manifest_bundle_from_json(struct recorded_bundle *b, struct json_fields *f)
{
	b->is_named = true;
	b->file = json_fields_text(f, "file");
	check_path(f, b->file);
	b->offset = json_fields_u64(f, "offset", INT64_MAX);
	b->bytes = json_fields_u64(f, "bytes", UINT32_MAX);
	b->sum = json_fields_u64(f, "bundle_sum", UINT64_MAX);
	b->kernel = json_fields_u32(f, "kernel", UINT32_MAX);
	b->launches = json_fields_u64(f, "launches", LAUNCH_BUNDLE_MAX);
	b->first = json_fields_u64(f, "first", UINT32_MAX);
	b->last = json_fields_u64(f, "last", UINT32_MAX);
	b->accesses = json_fields_u64(f, "accesses", UINT64_MAX);
	if (!b->launches || b->first > b->last || b->launches - 1 > b->last - b->first)
		fail(f, ERR_FORMAT,
		     "expected \"launches\" from 1 to how many numbers lie in \"first\"..\"last\"");
}

void manifest_tally_from_json(struct recorded_tally *t, struct json_fields *f)
{
	char *fate;

	t->kernel = json_fields_u32(f, "kernel", UINT32_MAX);
	t->reason = json_fields_text(f, "reason");
	t->count = json_fields_u64(f, "count", UINT64_MAX);
	t->first = json_fields_u64(f, "first", UINT64_MAX);
	t->last = json_fields_u64(f, "last", UINT64_MAX - 1);
	fate = json_fields_text(f, "fate");
	t->fate = fate ? fate_of(fate) : LAUNCH_PENDING;
	free(fate);
	if (t->fate != LAUNCH_UNSELECTED && t->fate != LAUNCH_SKIPPED)
		fail(f, ERR_FORMAT, "\"fate\": expected unselected or skipped");
	if (t->first > t->last || !t->count || t->count - 1 > t->last - t->first)
		fail(f, ERR_FORMAT,
		     "expected a \"count\" from 1 to how many numbers lie in \"first\"..\"last\"");
}

void manifest_note_from_json(struct recorded_note *n, struct json_fields *f)
{
	n->what = json_fields_text(f, "what");
	n->reason = json_fields_text(f, "reason");
	n->count = json_fields_u64(f, "count", UINT64_MAX);
}
