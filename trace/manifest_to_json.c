/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_table_json.h"
#include "manifest_json.h"

#include <assert.h>

json_t *manifest_begin_to_json(const char *tool_version, char *const command[])
{
	json_t *o = json_object(), *words = json_array();
	int bad = json_object_set_new(o, "type", json_string("recording"));

	bad |= json_object_set_new(o, "magic", json_string(MANIFEST_MAGIC));
	bad |= json_object_set_new(o, "version", json_integer(MANIFEST_VERSION));
	bad |= json_object_set_new(o, "endian", json_string("little"));
	bad |= json_object_set_new(o, "tool_version", json_from_text(tool_version));
	for (size_t i = 0; command && command[i]; i++)
		bad |= json_array_append_new(words, json_from_text(command[i]));
	bad |= json_object_set_new(o, "command", words);
	return json_finished(o, bad);
}

/* What is known of a file's contents, set in o. */
static int sum_to_json(json_t *o, const struct recorded_sum *sum)
{
	return json_object_set_new(o, "file_bytes", json_from_u64(sum->bytes)) |
	       json_object_set_new(o, "file_sum", json_from_hex(sum->xxh64));
}

json_t *manifest_list_to_json(const char *type, const struct recorded_list *l)
{
	json_t *o = json_object();
	int bad = json_object_set_new(o, "type", json_string(type));

	bad |= json_object_set_new(o, "file", json_from_text(l->file));
	bad |= sum_to_json(o, &l->sum);
	bad |= json_object_set_new(o, "rules", json_from_u64(l->rules));
	return json_finished(o, bad);
}

json_t *manifest_device_to_json(const struct recorded_device *d, uint32_t id)
{
	json_t *o = json_object();
	int bad = json_object_set_new(o, "type", json_string("device"));

	bad |= json_object_set_new(o, "id", json_integer(id));
	bad |= json_object_set_new(o, "name", json_from_text(d->name));
	bad |= json_object_set_new(o, "vendor", json_from_text(d->vendor));
	bad |= json_object_set_new(o, "version", json_from_text(d->version));
	bad |= json_object_set_new(o, "driver", json_from_text(d->driver));
	bad |= json_object_set_new(o, "platform", json_from_text(d->platform));
	bad |= json_object_set_new(o, "address_bits", json_integer(d->address_bits));
	return json_finished(o, bad);
}

json_t *manifest_program_to_json(const struct recorded_program *p, uint32_t id)
{
	json_t *o = json_object();
	int bad = json_object_set_new(o, "type", json_string("program"));

	bad |= json_object_set_new(o, "id", json_integer(id));
	bad |= json_object_set_new(o, "source_file", json_from_text(p->source_file));
	if (p->source_file)
		bad |= sum_to_json(o, &p->source_sum);
	bad |= json_object_set_new(o, "options", json_from_text(p->options));
	bad |= json_object_set_new(o, "origin", json_from_text(p->origin));
	return json_finished(o, bad);
}

json_t *manifest_source_to_json(const struct recorded_program *p, uint32_t program)
{
	json_t *o = json_object();
	int bad = json_object_set_new(o, "type", json_string("source"));

	bad |= json_object_set_new(o, "program", json_integer(program));
	bad |= json_object_set_new(o, "name", json_from_text(p->source_name));
	bad |= json_object_set_new(o, "file", json_from_text(p->source_file));
	bad |= sum_to_json(o, &p->source_sum);
	return json_finished(o, bad);
}

json_t *manifest_buffer_to_json(const struct recorded_buffer *b, uint32_t id)
{
	json_t *o = json_object();
	int bad = json_object_set_new(o, "type", json_string("buffer"));

	bad |= json_object_set_new(o, "id", json_integer(id));
	bad |= json_object_set_new(o, "bytes", json_from_u64(b->bytes));
	bad |= json_object_set_new(o, "flags", json_from_hex(b->flags));
	bad |= json_object_set_new(o, "parent", json_integer(b->parent));
	bad |= json_object_set_new(o, "origin_bytes", json_from_u64(b->origin_bytes));
	bad |= json_object_set_new(o, "svm_address", json_from_hex(b->svm_address));
	return json_finished(o, bad);
}

json_t *manifest_kernel_to_json(const struct recorded_kernel *k, uint32_t id)
{
	json_t *o = json_object();
	int bad = json_object_set_new(o, "type", json_string("kernel"));

	bad |= json_object_set_new(o, "id", json_integer(id));
	bad |= json_object_set_new(o, "program", json_integer(k->program));
	bad |= json_object_set_new(o, "device", json_integer(k->device));
	bad |= json_object_set_new(o, "door", json_from_text(k->door));
	bad |= json_object_set_new(o, "reason", json_from_text(k->reason));
	bad |= json_object_set_new(o, "table", kernel_table_to_json(&k->table));
	return json_finished(o, bad);
}

static json_t *sizes_to_json(const uint64_t sizes[3])
{
	json_t *list = json_array();
	int bad = 0;

	for (int d = 0; d < 3; d++)
		bad |= json_array_append_new(list, json_from_u64(sizes[d]));
	return json_finished(list, bad);
}

json_t *manifest_launch_to_json(const struct recorded_launch *l, uint32_t id)
{
	json_t *o = json_object();
	int bad = json_object_set_new(o, "type", json_string("launch"));

	bad |= json_object_set_new(o, "id", json_integer(id));
	bad |= json_object_set_new(o, "kernel", json_integer(l->kernel));
	bad |= json_object_set_new(o, "dimensions", json_integer(l->shape.dimensions));
	bad |= json_object_set_new(o, "global", sizes_to_json(l->shape.global));
	bad |= json_object_set_new(o, "local", sizes_to_json(l->shape.local));
	bad |= json_object_set_new(o, "offset", sizes_to_json(l->shape.offset));
	bad |= json_object_set_new(o, "local_bytes", json_from_u64(l->local_bytes));
	if (l->is_sequence)
		bad |= json_object_set_new(o, "sequence", json_integer(1));
	bad |= json_object_set_new(o, "groups_selected", json_from_text(l->groups_selected));
	return json_finished(o, bad);
}

static json_t *argument_to_json(const struct recorded_argument *a)
{
	json_t *o = json_object();
	int bad = json_object_set_new(o, "index", json_integer(a->index));

	bad |= json_object_set_new(o, "buffer", json_integer(a->buffer));
	bad |= json_object_set_new(o, "address", json_from_hex(a->address));
	return json_finished(o, bad);
}

static json_t *totals_to_json(const struct launch_totals *t)
{
	json_t *o = json_object();
	int bad = 0;

#define TOTAL(name) bad |= json_object_set_new(o, #name, json_from_u64(t->name));
#include "launch_totals.def"
#undef TOTAL
	return json_finished(o, bad);
}

/* What recording it cost the device, set in o. */
static int cost_to_json(json_t *o, const struct recorded_launch *l)
{
	return json_object_set_new(o, "device_ns", json_from_u64(l->device_ns)) |
	       json_object_set_new(o, "device_bytes", json_from_u64(l->device_bytes));
}

/* What is known of a traced launch, set in o. */
static int traced_to_json(json_t *o, const struct recorded_launch *l)
{
	json_t *arguments = json_array();
	int bad = 0;

	for (size_t i = 0; i < l->argument_count; i++)
		bad |= json_array_append_new(arguments, argument_to_json(&l->arguments[i]));
	bad |= json_object_set_new(o, "file", json_from_text(l->file));
	bad |= json_object_set_new(o, "file_sum", json_from_hex(l->totals.file_sum));
	bad |= json_object_set_new(o, "arguments", arguments);
	bad |= json_object_set_new(o, "dropped_events", json_from_u64(l->dropped_events));
	if (l->room_bytes)
		bad |= json_object_set_new(o, "room_bytes", json_from_u64(l->room_bytes));
	bad |= json_object_set_new(o, "totals", totals_to_json(&l->totals));
	return bad | cost_to_json(o, l);
}

/* What is known of a counted launch, set in o. */
static int counted_to_json(json_t *o, const struct recorded_launch *l)
{
	json_t *counts = json_array();
	int bad = 0;

	for (size_t i = 0; i < l->count_count; i++)
		bad |= json_array_append_new(counts, json_from_u64(l->counts[i]));
	bad |= json_object_set_new(o, "counts", counts);
	bad |= json_object_set_new(o, "totals", totals_to_json(&l->totals));
	return bad | cost_to_json(o, l);
}

static const char *const fate_names[] = {
#define LAUNCH_FATE(NAME, name) name,
#include "launch_fates.def"
#undef LAUNCH_FATE
};

json_t *manifest_fate_to_json(const struct recorded_launch *l, uint32_t id)
{
	json_t *o = json_object();
	int bad = json_object_set_new(o, "type", json_string("fate"));

	assert(l->fate > LAUNCH_PENDING && l->fate < LAUNCH_FATE_COUNT);
	bad |= json_object_set_new(o, "launch", json_integer(id));
	bad |= json_object_set_new(o, "fate", json_string(fate_names[l->fate]));
	if (l->fate == LAUNCH_TRACED)
		bad |= traced_to_json(o, l);
	if (l->fate == LAUNCH_COUNTED)
		bad |= counted_to_json(o, l);
	if (l->fate == LAUNCH_SKIPPED || l->fate == LAUNCH_LIMITED)
		bad |= json_object_set_new(o, "reason", json_from_text(l->reason ? l->reason : ""));
	return json_finished(o, bad);
}

json_t *manifest_bundle_to_json(const struct recorded_bundle *b)
{
	json_t *o = json_object();
	int bad = json_object_set_new(o, "type", json_string("bundle"));

	bad |= json_object_set_new(o, "file", json_from_text(b->file));
	bad |= json_object_set_new(o, "offset", json_from_u64(b->offset));
	bad |= json_object_set_new(o, "bytes", json_from_u64(b->bytes));
	bad |= json_object_set_new(o, "bundle_sum", json_from_hex(b->sum));
	bad |= json_object_set_new(o, "kernel", json_integer(b->kernel));
	bad |= json_object_set_new(o, "launches", json_from_u64(b->launches));
	bad |= json_object_set_new(o, "first", json_from_u64(b->first));
	bad |= json_object_set_new(o, "last", json_from_u64(b->last));
	bad |= json_object_set_new(o, "accesses", json_from_u64(b->accesses));
	return json_finished(o, bad);
}

json_t *manifest_tally_to_json(const struct recorded_tally *t, uint32_t id)
{
	json_t *o = json_object();
	int bad = json_object_set_new(o, "type", json_string("tally"));

	assert(t->fate == LAUNCH_UNSELECTED || t->fate == LAUNCH_SKIPPED);
	bad |= json_object_set_new(o, "id", json_integer(id));
	bad |= json_object_set_new(o, "kernel", json_integer(t->kernel));
	bad |= json_object_set_new(o, "fate", json_string(fate_names[t->fate]));
	bad |= json_object_set_new(o, "reason", json_from_text(t->reason));
	bad |= json_object_set_new(o, "count", json_from_u64(t->count));
	bad |= json_object_set_new(o, "first", json_from_u64(t->first));
	bad |= json_object_set_new(o, "last", json_from_u64(t->last));
	return json_finished(o, bad);
}

json_t *manifest_note_to_json(const struct recorded_note *n)
{
	json_t *o = json_object();
	int bad = json_object_set_new(o, "type", json_string("note"));

	bad |= json_object_set_new(o, "what", json_from_text(n->what));
	bad |= json_object_set_new(o, "reason", json_from_text(n->reason));
	bad |= json_object_set_new(o, "count", json_from_u64(n->count));
	return json_finished(o, bad);
}

json_t *manifest_time_to_json(const struct recorded_work *work)
{
	json_t *o = json_object();
	int bad = json_object_set_new(o, "type", json_string("time"));

	bad |= json_object_set_new(o, "recorder_ns", json_from_u64(work->all_ns));
#define WORK_PART(NAME, name, what, advice)                                                        \
	bad |= json_object_set_new(o, #name "_ns", json_from_u64(work->name##_ns));
#include "work_parts.def"
#undef WORK_PART
	return json_finished(o, bad);
}

json_t *manifest_end_to_json(void)
{
	json_t *o = json_object();

	return json_finished(o, json_object_set_new(o, "type", json_string("end")));
}

json_t *manifest_exit_to_json(int status, uint64_t program_ns)
{
	json_t *o = json_object();
	int bad = json_object_set_new(o, "type", json_string("exit"));

	bad |= json_object_set_new(o, "status", json_integer(status));
	if (program_ns)
		bad |= json_object_set_new(o, "program_ns", json_from_u64(program_ns));
	return json_finished(o, bad);
}
