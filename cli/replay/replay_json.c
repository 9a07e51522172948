/* SPDX-License-Identifier: Apache-2.0 */
#include "replay_report.h"

#include "err.h"
#include "gpu.h"
#include "launch_summary_text.h"
#include "occupancy_report.h"
#include "recording.h"
#include "replay.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

/* Launches that were not replayed for one reason, one after another in the list. */
struct skipped_launch {
	size_t launch;
	char *reason; /* NULL: that of the launch before */
};

static void put_counters(struct json_out *out, json_t *object, const struct counters *c,
                         bool has_bypass)
{
#define COUNTER(name, unit, text) json_out_count(out, object, #name, c->name);
#define BYPASS_COUNTER(name, unit, text)                                                           \
	if (has_bypass)                                                                            \
		json_out_count(out, object, #name, c->name);
#include "counters.def"
#undef COUNTER
	json_out_real(out, object, "miss_rate", counters_miss_rate(c));
	if (counters_are_classified(c))
		return;
	json_object_del(object, "cold");
	json_object_del(object, "coherence");
	json_object_del(object, "capacity");
	json_object_del(object, "conflict");
}

static json_t *counters_json(struct json_out *out, const struct counters *c, bool has_bypass)
{
	json_t *object = json_object();

	put_counters(out, object, c, has_bypass);
	return object;
}

static void put_l2(struct json_out *out, json_t *object, const struct l2_counters *c)
{
	json_out_count(out, object, "requests", l2_counters_requests(c));
#define L2_COUNTER(name, unit, text) json_out_count(out, object, #name, c->name);
#include "counters.def"
#undef L2_COUNTER
	json_out_real(out, object, "miss_rate", l2_counters_miss_rate(c));
}

static void put_dram(struct json_out *out, json_t *object, const struct dram_counters *c)
{
#define DRAM_COUNTER(name, unit, text) json_out_count(out, object, #name, c->name);
#include "counters.def"
#undef DRAM_COUNTER
}

static json_t *slices_json(struct json_out *out, const struct hierarchy_counts *c)
{
	json_t *array = json_array();

	for (size_t i = 0; i < c->slice_count; i++) {
		json_t *row = json_object();

		json_out_count(out, row, "slice", i);
		put_l2(out, row, &c->slices[i]);
		json_out_append(out, array, row);
	}
	return array;
}

static json_t *channels_json(struct json_out *out, const struct hierarchy_counts *c)
{
	json_t *array = json_array();

	for (size_t i = 0; i < c->channel_count; i++) {
		json_t *row = json_object();

		json_out_count(out, row, "channel", i);
		put_dram(out, row, &c->channels[i]);
		json_out_append(out, array, row);
	}
	return array;
}

static void put_below(struct json_out *out, json_t *object, const struct hierarchy_counts *c)
{
	json_t *l2, *dram;

	if (!c->is_on)
		return;
	l2 = json_object();
	dram = json_object();
	put_l2(out, l2, &c->l2);
	put_dram(out, dram, &c->dram);
	if (c->slices)
		json_out_value(out, l2, "slices", slices_json(out, c));
	if (c->channels)
		json_out_value(out, dram, "channels", channels_json(out, c));
	json_out_value(out, object, "l2", l2);
	json_out_value(out, object, "dram", dram);
}

static void put_below_site(struct json_out *out, json_t *site, const struct hierarchy_counts *c,
                           size_t i)
{
	json_t *l2;

	if (!c->sites)
		return;
	l2 = json_object();
	put_l2(out, l2, &c->sites[i]);
	json_out_value(out, site, "l2", l2);
}

bool replay_has_side(const struct replayed_launch *l, uint32_t space)
{
	uint32_t kernel = l->recording->launches[l->index].kernel;
	const struct kernel_table *t = &l->recording->kernels[kernel].table;

	for (size_t i = 0; i < t->site_count; i++)
		if (side_counts_take(&t->sites[i]) && t->sites[i].space == space)
			return true;
	return false;
}

static json_t *side_json(struct json_out *out, uint32_t space, const struct side_counts *c)
{
	json_t *object = json_object();

#define SIDE_COUNTER(name, memory, key, unit, text)                                                \
	if (space == SPACE_##memory)                                                               \
		json_out_count(out, object, key, c->name);
#include "side_counters.def"
#undef SIDE_COUNTER
	return object;
}

void replay_json_side(struct json_out *out, json_t *site, uint32_t space,
                      const struct side_counts *c)
{
	if (space == SPACE_LOCAL)
		json_out_value(out, site, "local_memory", side_json(out, space, c));
	else if (space == SPACE_CONSTANT)
		json_out_value(out, site, "constant_memory", side_json(out, space, c));
}

static void add_sample(struct json_out *out, json_t *object, const struct schedule_result *s)
{
	double error = side_counts_error(&s->side, side_sample_error(&s->side_sample));

	json_out_count(out, object, "groups", s->side_sample.of_groups);
	json_out_count(out, object, "groups_seen", s->side_sample.groups);
	json_out_real(out, object, "error", error);
}

static void put_sides(struct json_out *out, json_t *launch, const struct replayed_launch *l)
{
	const struct schedule_result *s = &l->result->schedule;

	if (replay_has_side(l, SPACE_LOCAL)) {
		json_t *object = side_json(out, SPACE_LOCAL, &s->side);

		add_sample(out, object, s);
		json_out_value(out, launch, "local_memory", object);
	}
	if (replay_has_side(l, SPACE_CONSTANT))
		replay_json_side(out, launch, SPACE_CONSTANT, &s->side);
}

static json_t *sites_json(struct json_out *out, const struct replayed_launch *l)
{
	const struct recorded_launch *facts = &l->recording->launches[l->index];
	const struct kernel_table *table = &l->recording->kernels[facts->kernel].table;
	json_t *array = json_array();

	for (size_t i = 0; i < l->result->site_count; i++) {
		const struct site *site = &table->sites[i];
		const struct counters *c = &l->result->sites[i];
		json_t *row;

		if (!site_kind_is_access(site->kind))
			continue;
		row = json_object();
		json_out_count(out, row, "site", i);
		json_out_text(out, row, "file", site->place.file);
		json_out_count(out, row, "line", site->place.line);
		json_out_count(out, row, "column", site->place.column);
		json_out_text(out, row, "function", site->function);
		json_out_text(out, row, "expression", site->expression);
		json_out_text(out, row, "kind", site_kind_name(site->kind));
		json_out_count(out, row, "requests", counters_requests(c));
		json_out_count(out, row, "misses", c->read_misses);
		put_counters(out, row, c, l->result->has_bypass);
		if (l->result->read_only_sites && l->result->read_only_sites[i].reads)
			json_out_value(out, row, "read_only",
			               counters_json(out, &l->result->read_only_sites[i], false));
		put_below_site(out, row, &l->result->below, i);
		replay_json_side(out, row, site->space, &l->result->schedule.sides[i]);
		json_out_append(out, array, row);
	}
	return array;
}

static json_t *sms_json(struct json_out *out, const struct replay_result *r)
{
	json_t *array = json_array();

	for (size_t i = 0; i < r->sm_count; i++) {
		json_t *row;

		if (!r->schedule.sm_is_played[i])
			continue;
		row = json_object();

		json_out_count(out, row, "sm", i);
		json_out_count(out, row, "groups", r->schedule.sm_groups[i]);
		json_out_count(out, row, "requests", counters_requests(&r->sms[i]));
		put_counters(out, row, &r->sms[i], r->has_bypass);
		json_out_append(out, array, row);
	}
	return array;
}

json_t *replay_json_object(struct replay_json *j, const struct replayed_launch *l)
{
	struct json_out *out = &j->document.out;
	const struct recorded_launch *facts = &l->recording->launches[l->index];
	const struct replay_result *r = l->result;
	json_t *row = json_object(), *residency = json_object(), *groups = json_object();

	json_out_count(out, residency, "groups", r->schedule.residency.groups);
	json_out_text(out, residency, "limit", occupancy_limit_text(r->schedule.residency.limit));
	json_out_count(out, row, "index", facts->number);
	json_out_text(out, row, "kernel", l->recording->kernels[facts->kernel].table.name);
	json_out_value(out, row, "global", json_out_size(out, facts->shape.global));
	json_out_value(out, row, "local", json_out_size(out, facts->shape.local));
	json_out_bool(out, row, "whole", r->is_whole);
	json_out_count(out, groups, "launched", launch_shape_group_count(&facts->shape));
	json_out_count(out, groups, "recorded", r->groups);
	json_out_count(out, groups, "played", r->schedule.groups);
	json_out_value(out, row, "groups", groups);
	json_out_value(out, row, "residency", residency);
	json_out_count(out, row, "lanes", r->schedule.lanes);
	json_out_count(out, row, "instructions", r->schedule.instructions);
	json_out_count(out, row, "requests", r->schedule.requests);
	json_out_count(out, row, "unmapped_lanes", r->schedule.unmapped_lanes);
	json_out_count(out, row, "cycles", r->schedule.cycles);
	json_out_value(out, row, "l1", counters_json(out, &r->total, r->has_bypass));
	if (r->read_only_sites)
		json_out_value(out, row, "read_only", counters_json(out, &r->read_only, false));
	put_below(out, row, &r->below);
	put_sides(out, row, l);
	json_out_value(out, row, "sms", sms_json(out, r));
	json_out_value(out, row, "sites", sites_json(out, l));
	return row;
}

static json_t *skipped_json(struct json_out *out, const struct recording *r, size_t launch,
                            const char *reason)
{
	json_t *row = json_object();

	json_out_count(out, row, "index", r->launches[launch].number);
	json_out_text(out, row, "kernel", r->kernels[r->launches[launch].kernel].table.name);
	json_out_text(out, row, "reason", reason);
	return row;
}

json_t *replay_json_total(struct replay_json *j, const struct replay_total *total)
{
	struct json_out *out = &j->document.out;
	json_t *row = json_object();

	json_out_count(out, row, "launches", total->launches);
	json_out_count(out, row, "lanes", total->lanes);
	json_out_count(out, row, "requests", total->requests);
	json_out_value(out, row, "l1", counters_json(out, &total->l1, total->has_bypass));
	if (total->has_read_only)
		json_out_value(out, row, "read_only", counters_json(out, &total->read_only, false));
	put_below(out, row, &total->below);
	return row;
}

static json_t *head_json(struct json_out *out, const struct gpu *gpu,
                         const struct replay_options *options)
{
	json_t *head = document_head(out, "replay/1");

	document_put_version(out, head);
	document_put_order(out, head, gpu, options);
	if (options->bypass)
		json_out_count(out, head, "bypass_rules", options->bypass->count);
	if (options->is_unclassified)
		json_out_text(out, head, "classes", "off");
	return head;
}

int replay_json_begin(struct replay_json *j, const char *name, const struct gpu *gpu,
                      const struct replay_options *options, struct err *err)
{
	int ret;

	*j = (struct replay_json){ 0 };
	array_init(&j->skipped, sizeof(struct skipped_launch), SIZE_MAX, "launches not replayed");
	ret = document_open(&j->document, name, err);
	if (ret)
		return ret;
	document_items(&j->document, head_json(&j->document.out, gpu, options));
	document_list(&j->document, "launches");
	return 0;
}

void replay_json_release(struct replay_json *j)
{
	struct skipped_launch *list = j->skipped.data;

	for (size_t i = 0; i < j->skipped.count; i++)
		free(list[i].reason);
	array_release(&j->skipped);
	document_release(&j->document);
}

bool replay_json_is_open(const struct replay_json *j)
{
	return j->document.file.stream;
}

void replay_json_launch(struct replay_json *j, json_t *launch)
{
	document_item(&j->document, NULL, launch);
}

int replay_json_skip(struct replay_json *j, size_t launch, const char *reason, struct err *err)
{
	bool is_same = j->reason && !strcmp(j->reason, reason);
	char *copy = is_same ? NULL : str_copy(reason, err);
	struct skipped_launch *row;

	if (!copy && !is_same)
		return ERR_NOMEM;
	row = array_push(&j->skipped, 1, err);
	if (!row) {
		free(copy);
		return err->code;
	}
	*row = (struct skipped_launch){ launch, copy };
	j->reason = copy ? copy : j->reason;
	return 0;
}

int replay_json_end(struct replay_json *j, const struct recording *r, bool is_complete,
                    json_t *total, struct err *err)
{
	const struct skipped_launch *list = j->skipped.data;
	const char *reason = NULL;
	json_t *tail = json_object();

	document_close(&j->document);
	document_list(&j->document, "skipped");
	for (size_t i = 0; i < j->skipped.count; i++) {
		reason = list[i].reason ? list[i].reason : reason;
		document_item(&j->document, NULL,
		              skipped_json(&j->document.out, r, list[i].launch, reason));
	}
	document_close(&j->document);
	json_out_value(&j->document.out, tail, "left_out",
	               launch_summary_tallies_json(&j->document.out, r));
	json_out_bool(&j->document.out, tail, "complete", is_complete);
	json_out_value(&j->document.out, tail, "total", total);
	document_items(&j->document, tail);
	return document_end(&j->document, err);
}
