/* SPDX-License-Identifier: Apache-2.0 */
#include "info.h"

#include "document.h"
#include "launch_summary.h"
#include "launch_summary_text.h"
#include "recording.h"
#include "site.h"

static json_t *skipped_json(struct json_out *out, const struct launch_summary *s)
{
	const struct skipped_launches *list = s->skipped.data;
	json_t *array = json_array();

	for (size_t i = 0; i < s->skipped.count; i++) {
		json_t *row = json_object();

		json_out_text(out, row, "kernel", list[i].kernel);
		json_out_text(out, row, "reason", list[i].reason);
		json_out_count(out, row, "launches", list[i].launches);
		json_out_append(out, array, row);
	}
	return array;
}

static json_t *devices_json(struct json_out *out, const struct recording *r)
{
	json_t *array = json_array();

	for (size_t i = 0; i < r->device_count; i++) {
		const struct recorded_device *d = &r->devices[i];
		json_t *row = json_object();

		json_out_text(out, row, "name", d->name);
		json_out_text(out, row, "vendor", d->vendor);
		json_out_text(out, row, "version", d->version);
		json_out_text(out, row, "driver", d->driver);
		json_out_text(out, row, "platform", d->platform);
		json_out_count(out, row, "address_bits", d->address_bits);
		json_out_append(out, array, row);
	}
	return array;
}

static json_t *programs_json(struct json_out *out, const struct recording *r)
{
	json_t *array = json_array();

	for (size_t i = 0; i < r->program_count; i++) {
		json_t *row = json_object();

		json_out_text(out, row, "source_file", r->programs[i].source_file);
		json_out_text(out, row, "options", r->programs[i].options);
		json_out_text(out, row, "origin", r->programs[i].origin);
		json_out_append(out, array, row);
	}
	return array;
}

static json_t *unrecorded_json(struct json_out *out, const struct kernel_table *t)
{
	json_t *array = json_array();

	for (size_t i = 0; i < t->unrecorded_count; i++) {
		json_t *row = json_object();

		json_out_text(out, row, "what", t->unrecorded[i].what);
		json_out_text(out, row, "file", t->unrecorded[i].place.file);
		json_out_count(out, row, "line", t->unrecorded[i].place.line);
		json_out_append(out, array, row);
	}
	return array;
}

/* The sites whose loads were changed. */
static json_t *applied_json(struct json_out *out, const struct kernel_table *t)
{
	json_t *array = json_array();

	for (size_t i = 0; i < t->site_count; i++)
		if (t->is_applied[i])
			json_out_append(out, array, json_integer((json_int_t)i));
	return array;
}

static json_t *kernels_json(struct json_out *out, const struct recording *r)
{
	json_t *array = json_array();

	for (size_t i = 0; i < r->kernel_count; i++) {
		const struct recorded_kernel *k = &r->kernels[i];
		json_t *row = json_object();

		json_out_text(out, row, "name", k->table.name);
		if (k->table.symbol)
			json_out_text(out, row, "symbol", k->table.symbol);
		json_out_count(out, row, "program", k->program);
		json_out_count(out, row, "device", k->device);
		json_out_text(out, row, "door", k->door);
		json_out_text(out, row, "reason", k->reason);
		json_out_text(out, row, "records", k->table.records);
		json_out_count(out, row, "sites", k->table.site_count);
		json_out_count(out, row, "loops", k->table.loop_count);
		json_out_value(out, row, "unrecorded", unrecorded_json(out, &k->table));
		if (k->table.is_applied)
			json_out_value(out, row, "applied", applied_json(out, &k->table));
		json_out_append(out, array, row);
	}
	return array;
}

/* How often each site was reached, of a counted launch; else null. */
static json_t *counts_json(struct json_out *out, const struct recorded_launch *l)
{
	json_t *array;

	if (l->fate != LAUNCH_COUNTED)
		return json_null();
	array = json_array();
	for (size_t i = 0; i < l->count_count; i++)
		json_out_append(out, array, json_integer((json_int_t)l->counts[i]));
	return array;
}

/* The groups of a sample in which local memory was recorded; null: it was in none, or in all. */
static json_t *sample_json(struct json_out *out, const struct recording *r, size_t i)
{
	struct local_sample s = recording_local_sample(r, i);
	json_t *groups;

	if (local_sample_is_whole(&s))
		return json_null();
	groups = json_array();
	for (uint64_t g = local_sample_next(&s, 0, s.groups); g < s.groups;
	     g = local_sample_next(&s, g + 1, s.groups))
		json_out_append(out, groups, json_integer((json_int_t)g));
	return groups;
}

static json_t *launch_json(struct json_out *out, const struct recording *r, size_t i)
{
	const struct recorded_launch *l = &r->launches[i];
	bool is_traced = l->fate == LAUNCH_TRACED;
	static const char *const fates[] = {
#define LAUNCH_FATE(NAME, name) name,
#include "launch_fates.def"
#undef LAUNCH_FATE
	};
	json_t *row = json_object();

	json_out_count(out, row, "index", l->number);
	json_out_text(out, row, "kernel", r->kernels[l->kernel].table.name);
	json_out_value(out, row, "global", json_out_size(out, l->shape.global));
	json_out_value(out, row, "local", json_out_size(out, l->shape.local));
	json_out_count(out, row, "local_bytes", l->local_bytes);
	json_out_bool(out, row, "traced", is_traced);
	json_out_text(out, row, "fate", fates[l->fate]);
	json_out_text(out, row, "groups_selected", l->groups_selected);
	json_out_value(out, row, "local_groups", sample_json(out, r, i));
	json_out_text(out, row, "reason", is_traced ? NULL : launch_summary_reason(r, i));
	json_out_count(out, row, "accesses", l->totals.accesses);
	json_out_count(out, row, "reads", l->totals.reads);
	json_out_count(out, row, "writes", l->totals.writes);
	json_out_count(out, row, "atomics", l->totals.atomics);
	json_out_count(out, row, "barriers", l->totals.barriers);
	json_out_count(out, row, "dropped_events", l->dropped_events);
	json_out_count(out, row, "file_bytes", l->totals.file_bytes);
	json_out_count(out, row, "device_ns", l->device_ns);
	json_out_count(out, row, "device_bytes", l->device_bytes);
	json_out_value(out, row, "counts", counts_json(out, l));
	return row;
}

static json_t *buffers_json(struct json_out *out, const struct recording *r)
{
	json_t *array = json_array();

	for (size_t i = 0; i < r->buffer_count; i++) {
		const struct recorded_buffer *b = &r->buffers[i];
		json_t *row = json_object();

		json_out_count(out, row, "bytes", b->bytes);
		json_out_count(out, row, "flags", b->flags);
		json_out_index(out, row, "parent", b->parent);
		json_out_count(out, row, "origin_bytes", b->origin_bytes);
		json_out_append(out, array, row);
	}
	return array;
}

static json_t *notes_json(struct json_out *out, const struct recording *r)
{
	json_t *array = json_array();

	for (size_t i = 0; i < r->note_count; i++) {
		json_t *row = json_object();

		json_out_text(out, row, "what", r->notes[i].what);
		json_out_text(out, row, "reason", r->notes[i].reason);
		json_out_count(out, row, "count", r->notes[i].count);
		json_out_append(out, array, row);
	}
	return array;
}

static void put_lists(struct json_out *out, json_t *root, const struct recording *r)
{
	json_t *command = json_array(), *launches = json_array();

	for (size_t i = 0; i < r->command_count; i++) {
		json_t *word = json_string(r->command[i]);

		json_out_append(out, command, word ? word : json_string("?"));
	}
	for (size_t i = 0; i < r->launch_count; i++)
		json_out_append(out, launches, launch_json(out, r, i));
	json_out_value(out, root, "command", command);
	json_out_value(out, root, "devices", devices_json(out, r));
	json_out_value(out, root, "programs", programs_json(out, r));
	json_out_value(out, root, "kernels", kernels_json(out, r));
	json_out_value(out, root, "launches", launches);
	json_out_value(out, root, "left_out", launch_summary_tallies_json(out, r));
	json_out_value(out, root, "buffers", buffers_json(out, r));
	json_out_value(out, root, "notes", notes_json(out, r));
}

/* A bypass list that the recording keeps. */
static void put_kept(struct json_out *out, json_t *root, const char *key,
                     const struct recorded_list *kept)
{
	json_t *row;

	if (!kept->file)
		return;
	row = json_object();
	json_out_text(out, row, "file", kept->file);
	json_out_count(out, row, "rules", kept->rules);
	json_out_value(out, root, key, row);
}

int info_print_json(const struct recording *r, const struct launch_summary *s,
                    const struct completeness *c, const char *file, struct err *err)
{
	struct json_out out = { false };
	json_t *root = document_head(&out, "info/1");

	json_out_bool(&out, root, "complete", c->is_complete);
	json_out_count(&out, root, "accesses", s->accesses);
	json_out_count(&out, root, "file_bytes", s->file_bytes);
	json_out_count(&out, root, "launches_seen", s->seen);
	json_out_count(&out, root, "launches_traced", s->traced);
	json_out_count(&out, root, "launches_counted", s->counted);
	json_out_count(&out, root, "launches_unselected", s->unselected);
	json_out_count(&out, root, "launches_limited", s->limited);
	json_out_count(&out, root, "launches_unknown", s->unknown);
	json_out_value(&out, root, "skipped", skipped_json(&out, s));
	json_out_text(&out, root, "device", r->device_count ? r->devices[0].name : NULL);
	json_out_text(&out, root, "level", access_level_name(access_level_of(r)));
	json_out_text(&out, root, "missing", c->missing);
	json_out_text(&out, root, "limit", c->limit);
	json_out_text(&out, root, "recorded_by", r->tool_version);
	json_out_count(&out, root, "format_version", r->version);
	json_out_count(&out, root, "texts_without_checksum", recording_unsigned_texts(r));
	json_out_index(&out, root, "exit_status", r->exit_status);
	json_out_count(&out, root, "program_ns", r->program_ns);
	json_out_count(&out, root, "recorder_ns", r->work.all_ns);
	json_out_count(&out, root, "instrument_ns", r->work.instrument_ns);
	json_out_count(&out, root, "driver_ns", r->work.driver_ns);
	json_out_count(&out, root, "room_bytes", s->room_bytes);
	put_kept(&out, root, "bypass", &r->bypass);
	put_kept(&out, root, "applied", &r->applied);
	put_lists(&out, root, r);
	return json_out_write(&out, root, file, err);
}
