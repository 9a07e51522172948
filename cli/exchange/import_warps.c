/* SPDX-License-Identifier: Apache-2.0 */
#include "import_warps.h"

#include "err.h"
#include "event.h"
#include "import_recording.h"
#include "kernel_table.h"
#include "str.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static char no_text[] = "";

/* --- kernels --------------------------------------------------------------------------------- */

/* The tables of a trace's kernels, and the other data that the recording needs before its launches.
 */
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

/* --- groups ---------------------------------------------------------------------------------- */

/* The events of a work-group, from its warps' instructions; owns their memory. */
struct warp_group {
	struct warp_trace *trace;
	bool has_slots; /* import_warps_source */
	uint32_t launch;
	uint32_t items;         /* of a group */
	struct array kept;      /* struct warp_kept: the instructions */
	struct array addresses; /* uint64_t: of their lanes */
	struct array events, first;
};

enum { EVENTS_MAX = 1 << 28 };

struct warp_kept {
	uint32_t warp, site, mask; /* mask is 0 for a barrier */
	size_t address;            /* of its first lane */
};

static void warp_group_init(struct warp_group *g, struct warp_trace *trace, bool has_slots)
{
	*g = (struct warp_group){ .trace = trace, .has_slots = has_slots };
	array_init(&g->kept, sizeof(struct warp_kept), EVENTS_MAX, "instructions of a group");
	array_init(&g->addresses, sizeof(uint64_t), EVENTS_MAX, "addresses of a group");
	array_init(&g->events, sizeof(struct event), EVENTS_MAX, "events of a group");
	array_init(&g->first, sizeof(uint64_t), (size_t)1 << 21, "work-items of a group");
}

static void warp_group_release(struct warp_group *g)
{
	array_release(&g->kept);
	array_release(&g->addresses);
	array_release(&g->events);
	array_release(&g->first);
}

static uint32_t warp_count(const struct warp_group *g)
{
	return (g->items + WARP_LANES - 1) / WARP_LANES;
}

/* Returns the work-items of a warp. */
static uint32_t lanes_of(const struct warp_group *g, uint32_t warp)
{
	uint32_t left = g->items - warp * WARP_LANES;

	return left < WARP_LANES ? left : WARP_LANES;
}

static int keep(struct warp_group *g, const struct warp_request *r, struct err *err)
{
	struct warp_kept *kept = array_push(&g->kept, 1, err);
	uint64_t *addresses;
	size_t count = (size_t)__builtin_popcount(r->mask);

	if (!kept)
		return err->code;
	*kept = (struct warp_kept){ r->warp, r->site, r->mask, g->addresses.count };
	if (!count)
		return 0;
	addresses = array_push(&g->addresses, count, err);
	if (!addresses)
		return err->code;
	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		if (r->mask >> lane & 1)
			*addresses++ = r->addresses[lane];
	}
	return 0;
}

/* Take all instructions of the next group. */
static int gather(struct warp_group *g, uint64_t group, struct err *err)
{
	const struct warp_request *r;
	int ret = 0;

	array_clear(&g->kept);
	array_clear(&g->addresses);
	while (!ret && (r = warp_sort_peek(g->trace->sort)) && r->launch == g->launch &&
	       r->group == group) {
		if (r->site != WARP_SITE_EMPTY)
			ret = keep(g, r, err);
		if (!ret)
			ret = warp_sort_next(g->trace->sort, err);
	}
	return ret;
}

/* If warps have the numbers of slots, and one of them cannot be a number in the group: number them
 * in the order of the slots. The instructions are in the order of the warps. */
static int number_warps(struct warp_group *g, uint64_t group, struct err *err)
{
	struct warp_kept *kept = g->kept.data;
	uint32_t count = warp_count(g), before = 0, number = 0;

	if (!g->has_slots || !g->kept.count || kept[g->kept.count - 1].warp < count)
		return 0;
	for (size_t i = 0; i < g->kept.count; i++) {
		number += i && kept[i].warp != before;
		before = kept[i].warp;
		kept[i].warp = number;
	}
	if (number < count)
		return 0;
	return err_set(err, ERR_FORMAT,
	               "launch %" PRIu32 " of the trace: group %" PRIu64
	               " has instructions of %u warps: expected at most %u, as its size says",
	               g->launch, group, number + 1, count);
}

/* Count the events of work-item i in first[i + 1]; removes lanes that do not exist. */
static uint64_t count_events(struct warp_group *g, uint64_t *first)
{
	struct warp_kept *kept = g->kept.data;
	uint64_t total = 0;

	for (size_t i = 0; i < g->kept.count; i++) {
		uint32_t lanes = lanes_of(g, kept[i].warp);

		for (unsigned lane = 0; lane < WARP_LANES; lane++) {
			bool is_active = !kept[i].mask || kept[i].mask >> lane & 1;

			if (is_active && lane < lanes) {
				first[(size_t)kept[i].warp * WARP_LANES + lane + 1]++;
				total++;
			} else if (is_active && kept[i].mask) {
				g->trace->stray_lanes++;
			}
		}
	}
	return total;
}

/* The number of a site in the table of the launch's kernel. */
static uint32_t site_number(const struct warp_group *g, uint32_t site)
{
	const struct warp_launch *launches = g->trace->launches.data;
	const struct warp_kernel *kernels = g->trace->kernels.data;
	const struct warp_site *sites = kernels[launches[g->launch].kernel].sites.data;

	return sites[site].number;
}

/* Append the events of an instruction to those of its work-items, which end at next[item]. */
static void put_events(const struct warp_group *g, const struct warp_kept *k, uint32_t iteration,
                       uint64_t *next)
{
	const uint64_t *addresses = (const uint64_t *)g->addresses.data + k->address;
	uint32_t lanes = lanes_of(g, k->warp), point = EVENT_SITE | site_number(g, k->site);
	struct event *events = g->events.data;

	for (unsigned lane = 0; lane < lanes; lane++) {
		uint64_t *at = &next[(size_t)k->warp * WARP_LANES + lane];

		if (!k->mask)
			events[(*at)++] = (struct event){ 0, point, iteration };
		else if (k->mask >> lane & 1)
			events[(*at)++] = (struct event){ *addresses++, point, iteration };
	}
}

/* next[i] becomes the end of the events of work-item i, which is where those of the next begin. */
static void fill(struct warp_group *g, uint64_t *next)
{
	const struct warp_kept *kept = g->kept.data;
	uint32_t iteration = 0;

	for (size_t i = 0; i < g->kept.count; i++) {
		iteration = i && kept[i].warp == kept[i - 1].warp ? iteration + 1 : 0;
		put_events(g, &kept[i], iteration, next);
	}
}

static int make(struct warp_group *g, struct group_events *out, struct err *err)
{
	static const struct event none;
	uint64_t *first, total;

	array_clear(&g->first);
	array_clear(&g->events);
	first = array_push(&g->first, (size_t)g->items + 2, err);
	if (!first)
		return err->code;
	/* one ahead: while events are added, first[i + 1] moves from the begin of item i to its end
	 */
	total = count_events(g, first + 1);
	for (uint32_t i = 0; i < g->items; i++)
		first[i + 2] += first[i + 1];
	if (total && !array_push(&g->events, total, err))
		return err->code;
	fill(g, first + 1);
	*out = (struct group_events){ g->items, first, total ? g->events.data : &none };
	return 0;
}

/*
 * Take the next group of launch `launch` from the trace. Returns 1 with its number and events,
 * borrowed until the next call; 0 if the launch has no more; ERR_FORMAT for instructions of more
 * warps than a group has; ERR_LIMIT for too many events; ERR_IO; ERR_NOMEM.
 */
static int warp_group_next(struct warp_group *g, uint32_t launch, uint64_t *group,
                           struct group_events *out, struct err *err)
{
	const struct warp_request *r = warp_sort_peek(g->trace->sort);
	const struct warp_launch *launches = g->trace->launches.data;
	uint32_t size[3];
	int ret;

	if (!r || r->launch != launch)
		return 0;
	*group = r->group;
	g->launch = launch;
	g->items = launch_shape_group_size(&launches[launch].shape, r->group, size);
	ret = gather(g, *group, err);
	if (!ret)
		ret = number_warps(g, *group, err);
	if (!ret)
		ret = make(g, out, err);
	return ret ? ret : 1;
}

/* --- the recording --------------------------------------------------------------------------- */

/* Launches being written. */
struct warp_writing {
	struct warp_trace *trace;
	const struct import_warps_source *source;
	const struct warp_tables *tables;
};

/* A launch being written. */
struct launch_writing {
	const struct import_warps_source *source;
	struct warp_group *group;
	uint32_t number;
};

/* Writes the groups for import_recording_launch(). */
static int write_groups(struct launch_writer *w, void *input, struct err *err)
{
	const struct launch_writing *in = input;
	struct group_events events;
	uint64_t group;
	int ret;

	if (!in->source->names_all_groups)
		launch_writer_select(w);
	while ((ret = warp_group_next(in->group, in->number, &group, &events, err)) > 0) {
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
	struct launch_writing writing = { in->source, g, number };
	struct recorded_launch launch = { .kernel = l->kernel,
		                          .shape = l->shape,
		                          .local_bytes = l->local_bytes,
		                          .fate = LAUNCH_TRACED };

	if (!in->source->names_all_groups)
		launch.groups_selected = named;
	return import_recording_launch(w, &launch, &in->tables->tables[l->kernel], write_groups,
	                               &writing, err);
}

/* Write notes of instructions that may have accessed global memory and are not in the recording. */
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
