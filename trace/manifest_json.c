/* SPDX-License-Identifier: Apache-2.0 */
#include "manifest_json.h"

#include "array.h"
#include "err.h"
#include "file.h"
#include "kernel_table.h"
#include "kernel_table_json.h"
#include "launch_format.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A member of a line and of the struct that the line describes. Both reading and writing use lists
 * of these, in the order of the line. */
struct field {
	const char *key; /* NULL ends a list */
	enum { TEXT, TEXT_OR_NULL, PATH, U32, U64, U64_OR_0, HEX, ID_OR_NONE, SIZES, FLAG } kind;
	size_t at;
	uint64_t max;
};

/* The offset of a member; a kind that does not match the member's type does not compile. */
#define FIELD(kind, key, type, member, max)                                                        \
	{ key, kind,                                                                               \
	  _Generic(((struct type *)0)->member, TYPE_##kind: offsetof(struct type, member)), max }
#define TYPE_TEXT         char *
#define TYPE_TEXT_OR_NULL char *
#define TYPE_PATH         char * /* relative, in the recording */
#define TYPE_U32          uint32_t
#define TYPE_U64          uint64_t
#define TYPE_U64_OR_0     uint64_t /* 0: absent */
#define TYPE_HEX          uint64_t
#define TYPE_ID_OR_NONE   int64_t    /* -1: none */
#define TYPE_SIZES        uint64_t * /* three */
#define TYPE_FLAG         bool       /* 1, or absent */

static const struct field device_fields[] = {
	FIELD(TEXT, "name", recorded_device, name, 0),
	FIELD(TEXT, "vendor", recorded_device, vendor, 0),
	FIELD(TEXT, "version", recorded_device, version, 0),
	FIELD(TEXT, "driver", recorded_device, driver, 0),
	FIELD(TEXT, "platform", recorded_device, platform, 0),
	FIELD(U32, "address_bits", recorded_device, address_bits, 64),
	{ 0 },
};

static const struct field sum_fields[] = {
	FIELD(U64, "file_bytes", recorded_sum, bytes, UINT64_MAX),
	FIELD(HEX, "file_sum", recorded_sum, xxh64, UINT64_MAX),
	{ 0 },
};

static const struct field list_file_fields[] = { FIELD(TEXT, "file", recorded_list, file, 0),
	                                         { 0 } };
static const struct field list_fields[] = { FIELD(U64, "rules", recorded_list, rules, UINT64_MAX),
	                                    { 0 } };

static const struct field program_file_fields[] = {
	FIELD(TEXT_OR_NULL, "source_file", recorded_program, source_file, 0), { 0 }
};
static const struct field program_fields[] = {
	FIELD(TEXT, "options", recorded_program, options, 0),
	FIELD(TEXT, "origin", recorded_program, origin, 0),
	{ 0 },
};
static const struct field source_fields[] = {
	FIELD(TEXT, "name", recorded_program, source_name, 0),
	FIELD(TEXT, "file", recorded_program, source_file, 0),
	{ 0 },
};

static const struct field buffer_fields[] = {
	FIELD(U64, "bytes", recorded_buffer, bytes, UINT64_MAX),
	FIELD(HEX, "flags", recorded_buffer, flags, UINT64_MAX),
	FIELD(ID_OR_NONE, "parent", recorded_buffer, parent, UINT32_MAX),
	FIELD(U64, "origin_bytes", recorded_buffer, origin_bytes, UINT64_MAX),
	FIELD(HEX, "svm_address", recorded_buffer, svm_address, UINT64_MAX),
	{ 0 },
};

static const struct field kernel_fields[] = {
	FIELD(U32, "program", recorded_kernel, program, UINT32_MAX),
	FIELD(U32, "device", recorded_kernel, device, UINT32_MAX),
	FIELD(TEXT, "door", recorded_kernel, door, 0),
	FIELD(TEXT_OR_NULL, "reason", recorded_kernel, reason, 0),
	{ 0 },
};

static const struct field launch_fields[] = {
	FIELD(U32, "kernel", recorded_launch, kernel, UINT32_MAX),
	FIELD(U32, "dimensions", recorded_launch, shape.dimensions, 3),
	FIELD(SIZES, "global", recorded_launch, shape.global, UINT64_MAX),
	FIELD(SIZES, "local", recorded_launch, shape.local, UINT64_MAX),
	FIELD(SIZES, "offset", recorded_launch, shape.offset, UINT64_MAX),
	FIELD(U64, "local_bytes", recorded_launch, local_bytes, UINT64_MAX),
	FIELD(FLAG, "sequence", recorded_launch, is_sequence, 1),
	FIELD(TEXT_OR_NULL, "groups_selected", recorded_launch, groups_selected, 0),
	{ 0 },
};

static const struct field argument_fields[] = {
	FIELD(U32, "index", recorded_argument, index, TABLE_ARGUMENTS_MAX),
	FIELD(ID_OR_NONE, "buffer", recorded_argument, buffer, UINT32_MAX),
	FIELD(HEX, "address", recorded_argument, address, UINT64_MAX),
	{ 0 },
};

static const struct field totals_fields[] = {
#define TOTAL(name) FIELD(U64, #name, launch_totals, name, UINT64_MAX),
#include "launch_totals.def"
#undef TOTAL
	{ 0 },
};

/* Of a traced launch, whose checksum is one of its totals; then the cost of recording it on the
 * device. */
static const struct field file_fields[] = { FIELD(PATH, "file", recorded_launch, file, 0), { 0 } };
static const struct field file_sum_fields[] = {
	FIELD(HEX, "file_sum", launch_totals, file_sum, UINT64_MAX), { 0 }
};
static const struct field loss_fields[] = {
	FIELD(U64, "dropped_events", recorded_launch, dropped_events, UINT64_MAX),
	FIELD(U64_OR_0, "room_bytes", recorded_launch, room_bytes, UINT64_MAX),
	{ 0 },
};
static const struct field cost_fields[] = {
	FIELD(U64, "device_ns", recorded_launch, device_ns, UINT64_MAX),
	FIELD(U64, "device_bytes", recorded_launch, device_bytes, UINT64_MAX),
	{ 0 },
};

static const struct field bundle_fields[] = {
	FIELD(PATH, "file", recorded_bundle, file, 0),
	FIELD(U64, "offset", recorded_bundle, offset, INT64_MAX),
	FIELD(U64, "bytes", recorded_bundle, bytes, UINT32_MAX),
	FIELD(HEX, "bundle_sum", recorded_bundle, sum, UINT64_MAX),
	FIELD(U32, "kernel", recorded_bundle, kernel, UINT32_MAX),
	FIELD(U64, "launches", recorded_bundle, launches, LAUNCH_BUNDLE_MAX),
	FIELD(U64, "first", recorded_bundle, first, UINT32_MAX),
	FIELD(U64, "last", recorded_bundle, last, UINT32_MAX),
	FIELD(U64, "accesses", recorded_bundle, accesses, UINT64_MAX),
	{ 0 },
};

static const struct field tally_kernel_fields[] = {
	FIELD(U32, "kernel", recorded_tally, kernel, UINT32_MAX), { 0 }
};
static const struct field tally_fields[] = {
	FIELD(TEXT, "reason", recorded_tally, reason, 0),
	FIELD(U64, "count", recorded_tally, count, UINT64_MAX),
	FIELD(U64, "first", recorded_tally, first, UINT64_MAX),
	FIELD(U64, "last", recorded_tally, last, UINT64_MAX - 1),
	{ 0 },
};

static const struct field note_fields[] = {
	FIELD(TEXT, "what", recorded_note, what, 0),
	FIELD(TEXT, "reason", recorded_note, reason, 0),
	FIELD(U64, "count", recorded_note, count, UINT64_MAX),
	{ 0 },
};

static const char *const fate_names[] = {
#define LAUNCH_FATE(NAME, name) name,
#include "launch_fates.def"
#undef LAUNCH_FATE
};

/* Writing. Out of memory gives NULL, which propagates: jansson accepts NULL and frees what is set
 * in it. */

static json_t *set(json_t *o, const char *key, json_t *value)
{
	return json_finished(o, json_object_set_new(o, key, value));
}

static json_t *line(const char *type)
{
	return set(json_object(), "type", json_string(type));
}

static json_t *list_of(const uint64_t *numbers, size_t count)
{
	json_t *list = json_array();
	int bad = 0;

	for (size_t i = 0; i < count; i++)
		bad |= json_array_append_new(list, json_from_u64(numbers[i]));
	return json_finished(list, bad);
}

static bool is_absent(const struct field *f, const void *from)
{
	return (f->kind == U64_OR_0 && !*(const uint64_t *)from) ||
	       (f->kind == FLAG && !*(const bool *)from);
}

static json_t *value_of(const struct field *f, const void *from)
{
	switch (f->kind) {
	case TEXT:
	case TEXT_OR_NULL:
	case PATH:
		return json_from_text(*(char *const *)from);
	case U32:
		return json_integer(*(const uint32_t *)from);
	case U64:
	case U64_OR_0:
		return json_from_u64(*(const uint64_t *)from);
	case HEX:
		return json_from_hex(*(const uint64_t *)from);
	case ID_OR_NONE:
		return json_integer(*(const int64_t *)from);
	case SIZES:
		return list_of(from, 3);
	case FLAG:
		return json_integer(1);
	}
	return NULL;
}

static json_t *put(json_t *o, const struct field *fields, const void *from)
{
	for (const struct field *f = fields; f->key; f++) {
		const char *at = (const char *)from + f->at;

		if (!is_absent(f, at))
			o = set(o, f->key, value_of(f, at));
	}
	return o;
}

/* Returns a line of fields only, with the number `id` named `key`. */
static json_t *numbered(const char *type, const char *key, uint32_t id, const struct field *fields,
                        const void *from)
{
	return put(set(line(type), key, json_integer(id)), fields, from);
}

json_t *manifest_begin_to_json(const char *tool_version, char *const command[])
{
	json_t *o = line("recording"), *words = json_array();
	int bad = 0;

	for (size_t i = 0; command && command[i]; i++)
		bad |= json_array_append_new(words, json_from_text(command[i]));
	o = set(o, "magic", json_string(MANIFEST_MAGIC));
	o = set(o, "version", json_integer(MANIFEST_VERSION));
	o = set(o, "endian", json_string("little"));
	o = set(o, "tool_version", json_from_text(tool_version));
	return set(o, "command", json_finished(words, bad));
}

json_t *manifest_list_to_json(const char *type, const struct recorded_list *l)
{
	json_t *o = put(line(type), list_file_fields, l);

	return put(put(o, sum_fields, &l->sum), list_fields, l);
}

json_t *manifest_device_to_json(const struct recorded_device *d, uint32_t id)
{
	return numbered("device", "id", id, device_fields, d);
}

json_t *manifest_program_to_json(const struct recorded_program *p, uint32_t id)
{
	json_t *o = numbered("program", "id", id, program_file_fields, p);

	if (p->source_file)
		o = put(o, sum_fields, &p->source_sum);
	return put(o, program_fields, p);
}

json_t *manifest_source_to_json(const struct recorded_program *p, uint32_t program)
{
	json_t *o = numbered("source", "program", program, source_fields, p);

	return put(o, sum_fields, &p->source_sum);
}

json_t *manifest_buffer_to_json(const struct recorded_buffer *b, uint32_t id)
{
	return numbered("buffer", "id", id, buffer_fields, b);
}

json_t *manifest_kernel_to_json(const struct recorded_kernel *k, uint32_t id)
{
	json_t *o = numbered("kernel", "id", id, kernel_fields, k);

	return set(o, "table", kernel_table_to_json(&k->table));
}

json_t *manifest_launch_to_json(const struct recorded_launch *l, uint32_t id)
{
	return numbered("launch", "id", id, launch_fields, l);
}

static json_t *traced_to_json(json_t *o, const struct recorded_launch *l)
{
	json_t *arguments = json_array();
	int bad = 0;

	for (size_t i = 0; i < l->argument_count; i++)
		bad |= json_array_append_new(arguments,
		                             put(json_object(), argument_fields, &l->arguments[i]));
	o = put(put(o, file_fields, l), file_sum_fields, &l->totals);
	return put(set(o, "arguments", json_finished(arguments, bad)), loss_fields, l);
}

json_t *manifest_fate_to_json(const struct recorded_launch *l, uint32_t id)
{
	json_t *o = set(line("fate"), "launch", json_integer(id));

	assert(l->fate > LAUNCH_PENDING && l->fate < LAUNCH_FATE_COUNT);
	o = set(o, "fate", json_string(fate_names[l->fate]));
	if (l->fate == LAUNCH_TRACED)
		o = traced_to_json(o, l);
	if (l->fate == LAUNCH_COUNTED)
		o = set(o, "counts", list_of(l->counts, l->count_count));
	if (l->fate == LAUNCH_TRACED || l->fate == LAUNCH_COUNTED) {
		o = set(o, "totals", put(json_object(), totals_fields, &l->totals));
		o = put(o, cost_fields, l);
	}
	if (l->fate == LAUNCH_SKIPPED || l->fate == LAUNCH_LIMITED)
		o = set(o, "reason", json_from_text(l->reason ? l->reason : ""));
	return o;
}

json_t *manifest_bundle_to_json(const struct recorded_bundle *b)
{
	return put(line("bundle"), bundle_fields, b);
}

json_t *manifest_tally_to_json(const struct recorded_tally *t, uint32_t id)
{
	json_t *o = numbered("tally", "id", id, tally_kernel_fields, t);

	assert(t->fate == LAUNCH_UNSELECTED || t->fate == LAUNCH_SKIPPED);
	return put(set(o, "fate", json_string(fate_names[t->fate])), tally_fields, t);
}

json_t *manifest_note_to_json(const struct recorded_note *n)
{
	return put(line("note"), note_fields, n);
}

json_t *manifest_time_to_json(const struct recorded_work *work)
{
	json_t *o = set(line("time"), "recorder_ns", json_from_u64(work->all_ns));

#define WORK_PART(NAME, name, what, advice) o = set(o, #name "_ns", json_from_u64(work->name##_ns));
#include "work_parts.def"
#undef WORK_PART
	return o;
}

json_t *manifest_end_to_json(void)
{
	return line("end");
}

json_t *manifest_exit_to_json(int status, uint64_t program_ns)
{
	json_t *o = set(line("exit"), "status", json_integer(status));

	return program_ns ? set(o, "program_ns", json_from_u64(program_ns)) : o;
}

/* Reading. */

/* Keep the first failure of a line. */
static void fail(struct json_fields *f, enum err_code code, const char *sentence)
{
	if (!f->ret)
		f->ret = err_set(f->err, code, "%s", sentence);
}

static void check_path(struct json_fields *f, const char *path)
{
	if (path && !file_is_below(path))
		fail(f, ERR_FORMAT, "a file outside the recording is named");
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

static void get_field(struct json_fields *in, const struct field *f, void *to)
{
	switch (f->kind) {
	case TEXT:
	case PATH:
		*(char **)to = json_fields_text(in, f->key);
		if (f->kind == PATH)
			check_path(in, *(char **)to);
		break;
	case TEXT_OR_NULL:
		*(char **)to = json_fields_text_or_null(in, f->key);
		break;
	case U32:
		*(uint32_t *)to = json_fields_u32(in, f->key, (uint32_t)f->max);
		break;
	case U64:
	case HEX:
		*(uint64_t *)to = json_fields_u64(in, f->key, f->max);
		break;
	case U64_OR_0:
		*(uint64_t *)to = json_fields_u64_or_0(in, f->key, f->max);
		break;
	case ID_OR_NONE:
		*(int64_t *)to = json_fields_i64(in, f->key, -1, (int64_t)f->max);
		break;
	case SIZES:
		read_sizes(in, f->key, to);
		break;
	case FLAG:
		*(bool *)to = json_fields_u64_or_0(in, f->key, f->max) == 1;
		break;
	}
}

static void get(struct json_fields *in, const struct field *fields, void *to)
{
	for (const struct field *f = fields; f->key; f++)
		get_field(in, f, (char *)to + f->at);
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
	get(f, device_fields, d);
}

/* Read the size and checksum of a file that a line names. */
static void read_sum(struct recorded_sum *sum, uint32_t version, struct json_fields *f)
{
	if (version < MANIFEST_VERSION_FILES)
		return;
	get(f, sum_fields, sum);
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
	get(f, list_file_fields, l);
	get(f, list_fields, l);
	read_sum(&l->sum, version, f);
	check_path(f, l->file);
}

void manifest_program_from_json(struct recorded_program *p, uint32_t version, struct json_fields *f)
{
	get(f, program_file_fields, p);
	get(f, program_fields, p);
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
	get(f, source_fields, p);
	read_sum(&p->source_sum, version, f);
	check_path(f, p->source_file);
}

void manifest_buffer_from_json(struct recorded_buffer *b, struct json_fields *f)
{
	get(f, buffer_fields, b);
}

void manifest_kernel_from_json(struct recorded_kernel *k, struct json_fields *f)
{
	get(f, kernel_fields, k);
	if (!f->ret)
		f->ret = kernel_table_from_json(&k->table, json_object_get(f->object, "table"),
		                                f->err);
}

void manifest_launch_from_json(struct recorded_launch *l, struct json_fields *f)
{
	get(f, launch_fields, l);
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
		struct json_fields g;

		json_fields_begin(&g, json_array_get(list, i), "argument", f->err);
		get(&g, argument_fields, &l->arguments[i]);
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
	get(&g, totals_fields, t);
	f->ret = g.ret;
}

/* Read how often each of the kernel's sites was reached. */
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
	get(f, file_fields, l);
	read_arguments(l, f);
	get(f, loss_fields, l);
	read_totals(&l->totals, f);
	if (version >= MANIFEST_VERSION_FILES)
		get(f, file_sum_fields, &l->totals);
}

/* Returns the fate of this name, or PENDING. */
static enum launch_fate fate_of(const char *name)
{
	int fate = LAUNCH_FATE_COUNT - 1;

	while (fate > LAUNCH_PENDING && strcmp(fate_names[fate], name) != 0)
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
		get(f, cost_fields, l);
	l->fate = fate;
}

void manifest_bundle_from_json(struct recorded_bundle *b, struct json_fields *f)
{
	b->is_named = true;
	get(f, bundle_fields, b);
	if (!b->launches || b->first > b->last || b->launches - 1 > b->last - b->first)
		fail(f, ERR_FORMAT,
		     "expected \"launches\" from 1 to how many numbers lie in \"first\"..\"last\"");
}

void manifest_tally_from_json(struct recorded_tally *t, struct json_fields *f)
{
	char *fate;

	get(f, tally_kernel_fields, t);
	get(f, tally_fields, t);
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
	get(f, note_fields, n);
}

void manifest_time_from_json(struct recorded_work *work, struct json_fields *f)
{
	uint64_t left;

	work->all_ns = json_fields_u64(f, "recorder_ns", UINT64_MAX);
	left = work->all_ns;
#define WORK_PART(NAME, name, what, advice)                                                        \
	work->name##_ns = json_fields_u64_or_0(f, #name "_ns", left);                              \
	left -= work->name##_ns;
#include "work_parts.def"
#undef WORK_PART
}
