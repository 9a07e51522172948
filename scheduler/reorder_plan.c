/* SPDX-License-Identifier: Apache-2.0 */
#include "reorder_plan.h"

#include "array.h"
#include "err.h"
#include "gpu.h"
#include "group_stream.h"
#include "reorder_config.h"
#include "stream_maker.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A code place in an iteration of its loops, which are in plan.paths. */
struct plan_place {
	uint64_t phase; /* barriers before it */
	uint32_t site;
};

struct plan {
	const struct schedule_input *input;
	struct reorder_config *config;
	struct stream_maker maker;
	struct group_stream stream;
	struct side_counts *sides; /* not used */
	uint32_t levels;           /* of a path */
	struct array places;       /* struct plan_place, in static order */
	struct array paths;        /* struct loop_level, `levels` for each */
};

/* An access of the current warp. */
struct step {
	const struct stream_instruction *instruction;
	const struct stream_request *requests;
	struct plan_place place;
};

typedef int step_fn(struct plan *p, const struct step *s, size_t *at, struct err *err);

static struct loop_level *path_of(const struct plan *p, size_t place)
{
	return (struct loop_level *)p->paths.data + place * p->levels;
}

static int compare(const struct plan *p, const struct step *s, size_t place)
{
	const struct plan_place *other = (const struct plan_place *)p->places.data + place;

	if (s->place.phase != other->phase)
		return s->place.phase < other->phase ? -1 : 1;
	return loop_path_compare(p->maker.table, group_stream_path(&p->stream, s->instruction),
	                         s->place.site, path_of(p, place), other->site);
}

static int unordered(const struct plan *p, struct err *err)
{
	return err_set(err, ERR_UNSUPPORTED,
	               "group %" PRIu64
	               ": a warp makes accesses that are in no static order, as may be where the "
	               "kernel's flow is irreducible",
	               p->stream.group);
}

/* Advance *at to the step's place. Returns false if there is none; *at is then the place before
 * which it belongs. */
static bool find_place(const struct plan *p, const struct step *s, size_t *at)
{
	while (*at < p->places.count) {
		int order = compare(p, s, *at);

		if (order <= 0)
			return order == 0;
		++*at;
	}
	return false;
}

/* Add the step's place if it is missing. */
static int add_place(struct plan *p, const struct step *s, size_t *at, struct err *err)
{
	size_t behind;

	if (!find_place(p, s, at)) {
		if (*at && compare(p, s, *at - 1) <= 0)
			return unordered(p, err);
		if (!array_push(&p->places, 1, err) || !array_push(&p->paths, p->levels, err))
			return err && err->code ? err->code : ERR_NOMEM;
		behind = p->places.count - *at - 1;
		memmove((struct plan_place *)p->places.data + *at + 1,
		        (struct plan_place *)p->places.data + *at,
		        behind * sizeof(struct plan_place));
		memmove(path_of(p, *at + 1), path_of(p, *at),
		        behind * p->levels * sizeof(struct loop_level));
		((struct plan_place *)p->places.data)[*at] = s->place;
		memcpy(path_of(p, *at), group_stream_path(&p->stream, s->instruction),
		       p->levels * sizeof(struct loop_level));
	}
	++*at;
	return 0;
}

static char letter_of(enum site_kind kind)
{
	if (kind == SITE_READ)
		return 'L';
	return kind == SITE_WRITE ? 'S' : 'A';
}

/* Add the lines of an access. */
static int add_lines(struct reorder_config *c, const struct step *s, struct err *err)
{
	for (uint32_t i = 0; s->requests && i < s->instruction->request_count; i++) {
		uint64_t *line = array_push(&c->lines, 1, err);

		if (!line)
			return err && err->code ? err->code : ERR_NOMEM;
		*line = s->requests[i].line;
	}
	return 0;
}

/* Add the step to the configuration, at its place. */
static int add_access(struct plan *p, const struct step *s, size_t *at, struct err *err)
{
	struct reorder_access a = { .line_count = s->instruction->request_count,
		                    .first_line = p->config->lines.count,
		                    .kind = letter_of(p->maker.table->sites[s->place.site].kind) };
	int rc;

	if (!find_place(p, s, at))
		return unordered(p, err);
	rc = add_lines(p->config, s, err);
	if (rc)
		return rc;
	a.place = (uint32_t)*at;
	++*at;
	return reorder_config_add_access(p->config, &a, err);
}

static int walk_warp(struct plan *p, uint32_t warp, step_fn *step, struct err *err)
{
	const struct stream_warp *warps = p->stream.warps.data;
	struct step s = { .requests = group_stream_request(&p->stream, warps[warp].first_request) };
	size_t at = 0;
	int rc = 0;

	for (size_t i = warps[warp].first_instruction; !rc && i < warps[warp + 1].first_instruction;
	     i++) {
		s.instruction = group_stream_instruction(&p->stream, i);
		s.place.site = s.instruction->site;
		if (p->maker.table->sites[s.place.site].kind == SITE_BARRIER) {
			s.place.phase++;
			continue;
		}
		rc = step(p, &s, &at, err);
		s.requests += s.instruction->request_count;
	}
	return rc;
}

/* Form each group, and call `step` for each access of each warp. */
static int walk(struct plan *p, step_fn *step, struct err *err)
{
	uint64_t groups = launch_shape_group_count(p->input->shape);
	int rc = 0;

	for (uint64_t g = 0; !rc && g < groups; g++) {
		struct group_items items = { 0 };

		rc = p->input->groups.read(p->input->groups.context, g, &items, err);
		if (!rc)
			rc = group_stream_form(&p->stream, &p->maker, g, &items, err);
		group_items_release(&items);
		if (!rc && step == add_access)
			rc = reorder_config_add_group(p->config, err);
		for (uint32_t w = 0; !rc && w < p->stream.warp_count; w++) {
			if (step == add_access)
				rc = reorder_config_add_warp(p->config, err);
			if (!rc)
				rc = walk_warp(p, w, step, err);
		}
	}
	return rc;
}

static int add_head(struct plan *p, struct err *err)
{
	const struct plan_place *places = p->places.data;
	uint64_t *out = array_push(&p->config->places, p->places.count, err);

	if (p->places.count && !out)
		return err && err->code ? err->code : ERR_NOMEM;
	for (size_t i = 0; i < p->places.count; i++)
		out[i] = places[i].site;
	for (int d = 0; d < 3; d++) {
		p->config->groups[d] = launch_shape_groups(p->input->shape, d);
		p->config->items[d] = p->input->shape->local[d];
	}
	return 0;
}

/* Checked before any group is read: the launch may have far more groups than the file. */
static int check_warps(const struct gpu *gpu, const struct launch_shape *shape, struct err *err)
{
	uint64_t items = shape->local[0] * shape->local[1] * shape->local[2];
	uint64_t warps = (items + gpu->warp_lanes - 1) / gpu->warp_lanes;
	uint64_t groups = launch_shape_group_count(shape);

	return groups <= REORDER_WARPS_MAX / warps
	               ? 0
	               : err_set(err, ERR_LIMIT,
	                         "%" PRIu64 " groups of %" PRIu64
	                         " warps are more than a configuration has: at most %d warps",
	                         groups, warps, REORDER_WARPS_MAX);
}

static int check(const struct gpu *gpu, const struct schedule_input *input, struct err *err)
{
	int rc = gpu_check(gpu, err);

	if (!rc)
		rc = launch_shape_check(input->shape, err);
	if (!rc)
		rc = kernel_table_check(input->table, err);
	return rc ? rc : check_warps(gpu, input->shape, err);
}

int reorder_plan_make(struct reorder_config *out, const struct gpu *gpu,
                      const struct schedule_input *input, struct err *err)
{
	const struct issue_order order = { .kind = ISSUE_ORDER_reorder };
	struct plan *p = array_alloc(1, sizeof(*p), "reorder plan", err);
	int rc;

	reorder_config_init(out);
	if (!p)
		return ERR_NOMEM;
	p->input = input;
	p->config = out;
	rc = check(gpu, input, err);
	if (rc)
		goto out;
	p->levels = loop_path_levels(input->table);
	array_init(&p->places, sizeof(struct plan_place), REORDER_PLACES_MAX,
	           "accesses of a kernel");
	array_init(&p->paths, sizeof(struct loop_level), (size_t)REORDER_PLACES_MAX * p->levels,
	           "loops of accesses of a kernel");
	p->sides = array_alloc(input->table->site_count, sizeof(*p->sides), "counters", err);
	rc = p->sides ? stream_maker_init(&p->maker, gpu, input->table, input->map, p->sides, err)
	              : ERR_NOMEM;
	stream_maker_set_order(&p->maker, &order);
	group_stream_init(&p->stream, p->maker.coalescer.mask_words);
	if (!rc)
		rc = walk(p, add_place, err);
	if (!rc)
		rc = add_head(p, err);
	if (!rc)
		rc = walk(p, add_access, err);
out:
	group_stream_release(&p->stream);
	stream_maker_release(&p->maker);
	array_release(&p->places);
	array_release(&p->paths);
	free(p->sides);
	free(p);
	return rc;
}
