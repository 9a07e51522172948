/* SPDX-License-Identifier: Apache-2.0 */
#include "import_warps.h"

#include "err.h"
#include "import_recording.h"
#include "kernel_table.h"
#include "str.h"
#include "warp_group.h"

#include <inttypes.h>
#include <stdlib.h>

static char no_text[] = "";

/* The tables of a trace's kernels, and what else the recording needs before its launches. */
struct warp_tables {
	struct kernel_table *tables;
	struct loop *loops; /* one for each */
	char **reasons;
	size_t count;
};

static void release_tables(struct warp_tables *t)
{
	for (size_t i = 0; t->tables && i < t->count; i++) {
		for (size_t s = 0; t->tables[i].sites && s < t->tables[i].site_count; s++)
			free(t->tables[i].sites[s].expression);
		free(t->tables[i].sites);
	}
	for (size_t i = 0; t->reasons && i < t->count; i++)
		free(t->reasons[i]);
	free(t->tables);
	free(t->loops);
	free(t->reasons);
}

/* "0x00a0 LDG.E.128", or without a place. */
static char *expression(const struct warp_site *s, struct err *err)
{
	return s->pc == WARP_NO_PC ? str_copy(s->opcode, err)
	                           : str_format(err, "0x%04" PRIx64 " %s", s->pc, s->opcode);
}

static int make_sites(const struct warp_kernel *k, struct kernel_table *t, struct err *err)
{
	const struct warp_site *sites = k->sites.data;

	t->sites = array_alloc(k->sites.count, sizeof(*t->sites), "sites", err);
	if (!t->sites)
		return ERR_NOMEM;
	t->site_count = k->sites.count;
	for (size_t i = 0; i < t->site_count; i++) {
		struct site *s = &t->sites[sites[i].number];

		*s = (struct site){ .kind = sites[i].kind,
			            .bytes = sites[i].bytes,
			            .space = SPACE_GLOBAL,
			            .argument = -1,
			            .place.line = sites[i].line,
			            .expression = expression(&sites[i], err) };
		if (!s->expression)
			return ERR_NOMEM;
	}
	return 0;
}

/* "left out: 12 of shared memory, 3 of local memory", or NULL; *ret as usual. */
static char *reason_of(const struct warp_kernel *k, int *ret, struct err *err)
{
	struct str text;
	const char *head = "left out: ";

	str_init(&text, 4096);
	for (int c = 0; !*ret && c < WARP_CLASS_COUNT; c++) {
		if (!k->left_out[c])
			continue;
		*ret = str_printf(&text, err, "%s%" PRIu64 " of %s", head, k->left_out[c],
		                  warp_opcode_class_text((enum warp_opcode_class)c));
		head = ", ";
	}
	return str_take(&text);
}

static int make_tables(const struct warp_trace *trace, struct warp_tables *t, struct err *err)
{
	const struct warp_kernel *kernels = trace->kernels.data;
	int ret = 0;

	t->count = trace->kernels.count;
	t->tables = array_alloc(t->count, sizeof(*t->tables), "kernels", err);
	t->loops = array_alloc(t->count, sizeof(*t->loops), "kernels", err);
	t->reasons = array_alloc(t->count, sizeof(*t->reasons), "kernels", err);
	if (!t->tables || !t->loops || !t->reasons)
		return ERR_NOMEM;
	for (size_t i = 0; !ret && i < t->count; i++) {
		t->loops[i] = (struct loop){ .parent = -1, .depth = 1 };
		t->tables[i] = (struct kernel_table){ .name = kernels[i].name,
			                              .loops = &t->loops[i],
			                              .loop_count = kernels[i].sites.count > 0,
			                              .records = no_text };
		ret = make_sites(&kernels[i], &t->tables[i], err);
		t->reasons[i] = ret ? NULL : reason_of(&kernels[i], &ret, err);
	}
	return ret;
}

/* Launches being written. */
struct warp_writing {
	struct warp_trace *trace;
	const struct import_warps_source *source;
	const struct warp_tables *tables;
};

static int write_groups(struct launch_writer *w, struct warp_group *g, uint32_t launch,
                        struct err *err)
{
	struct group_events events;
	uint64_t group;
	int ret;

	while ((ret = warp_group_next(g, launch, &group, &events, err)) > 0) {
		ret = launch_writer_add(w, group, &events, err);
		if (ret)
			break;
	}
	return ret;
}

static int write_launch(struct recording_writer *w, const struct warp_writing *in, uint32_t number,
                        struct warp_group *g, struct err *err)
{
	static char named[] = "with an access";
	const struct warp_launch *launches = in->trace->launches.data, *l = &launches[number];
	struct recorded_launch launch = { .kernel = l->kernel,
		                          .shape = l->shape,
		                          .local_bytes = l->local_bytes,
		                          .fate = LAUNCH_TRACED };
	struct launch_writer *file = NULL;
	uint32_t id;
	int ret;

	if (!in->source->names_all_groups)
		launch.groups_selected = named;
	ret = recording_writer_launch(w, &launch, &id, err);
	if (!ret)
		ret = recording_writer_open_launch(w, id, &l->shape, &in->tables->tables[l->kernel],
		                                   &file, err);
	if (ret)
		return ret;
	if (!in->source->names_all_groups)
		launch_writer_select(file);
	ret = write_groups(file, g, number, err);
	if (launch_writer_close(file, !ret, &launch.totals, err) && !ret)
		ret = err->code;
	return ret ? ret : recording_writer_fate(w, id, &launch, err);
}

/* What may have touched global memory and is not in the recording. */
static int write_notes(struct recording_writer *w, const struct warp_trace *t, struct err *err)
{
	const struct warp_unknown *u = t->unknown.data;
	int ret = 0;

	for (size_t i = 0; !ret && i < t->unknown.count; i++) {
		char *what = str_format(err, "instruction %s", u[i].opcode);
		char *reason = str_format(err, "of %s: the import leaves it out",
		                          warp_opcode_class_text(u[i].class));

		ret = what && reason ? recording_writer_note(w, what, reason, u[i].count, err)
		                     : ERR_NOMEM;
		free(what);
		free(reason);
	}
	if (!ret && t->stray_lanes)
		ret = recording_writer_note(w, "address of a lane that its group does not have",
		                            "the import leaves it out", t->stray_lanes, err);
	return ret;
}

static int write_launches(struct recording_writer *w, const void *input, struct err *err)
{
	const struct warp_writing *in = input;
	struct warp_group group;
	int ret = 0;

	warp_group_init(&group, in->trace, in->source->has_slots);
	for (size_t i = 0; !ret && i < in->trace->launches.count; i++)
		ret = write_launch(w, in, (uint32_t)i, &group, err);
	warp_group_release(&group);
	return ret ? ret : write_notes(w, in->trace, err);
}

int import_warps(struct warp_trace *trace, const struct import_warps_source *source,
                 const char *dir, struct err *err)
{
	struct warp_tables tables = { 0 };
	const struct warp_writing writing = { trace, source, &tables };
	int ret = warp_sort_finish(trace->sort, err);

	if (!ret) {
		warp_trace_number(trace);
		ret = make_tables(trace, &tables, err);
	}
	if (!ret) {
		const struct import_head head = { tables.tables, tables.count, tables.reasons,
			                          source->platform, 64 };

		ret = import_recording_make(dir, &head, write_launches, &writing, err);
	}
	release_tables(&tables);
	return ret;
}
