/* SPDX-License-Identifier: Apache-2.0 */
#include "occupancy_report.h"

#include "err.h"
#include "gpu.h"
#include "gpu_choice.h"
#include "json_out.h"
#include "shape_text.h"

#include <inttypes.h>

const char *occupancy_limit_text(enum residency_limit limit)
{
	static const char *const texts[] = {
		[RESIDENCY_GROUPS_TO_RUN] = "groups to run",
		[RESIDENCY_MAX_GROUPS] = "groups of an SM",
		[RESIDENCY_MAX_WARPS] = "warps of an SM",
		[RESIDENCY_REGISTERS] = "registers",
		[RESIDENCY_LOCAL] = "local memory",
	};

	return texts[limit];
}

int occupancy_fill(struct occupancy *o, const struct gpu *gpu, struct err *err)
{
	struct residency_need need = o->need;
	struct err why = { 0 };
	int ret;

	array_init(&o->points, sizeof(struct residency_point), gpu->work_item_registers,
	           "critical points");
	need.groups = 0;
	if (residency_compute(gpu, &need, &o->full, &why)) {
		o->full = o->used = (struct residency){ 0, RESIDENCY_GROUPS_TO_RUN };
		snprintf(o->refusal, sizeof(o->refusal), "%.159s", why.msg);
	} else {
		(void)residency_compute(gpu, &o->need, &o->used, NULL);
	}
	ret = residency_points(gpu, &need, 1, gpu->work_item_registers, &o->points, err);
	return ret == ERR_CONFIG ? 0 : ret;
}

void occupancy_release(struct occupancy *o)
{
	array_release(&o->points);
}

void occupancy_text_head(FILE *out, const struct gpu *gpu)
{
	char registers[COUNT_TEXT_BYTES], local[COUNT_TEXT_BYTES];

	fprintf(out, "%s%s%s%s\n", gpu->title, *gpu->l1 ? ", L1 " : "", gpu->l1,
	        gpu_choice_origin(gpu));
	fprintf(out,
	        "SMs: %u, each with room for %u groups, %u warps of %u work-items, %s registers,\n"
	        "%s bytes of local memory\n",
	        gpu->sm_count, gpu->max_groups, gpu->max_warps, gpu->warp_lanes,
	        count_text(registers, gpu->registers), count_text(local, gpu->local_bytes));
}

static uint64_t warps(const struct occupancy *o, const struct gpu *gpu, uint32_t groups)
{
	return groups * residency_warps(gpu, &o->need);
}

static void print_need(FILE *out, const struct occupancy *o, const struct gpu *gpu)
{
	char items[COUNT_TEXT_BYTES], local[COUNT_TEXT_BYTES], launches[COUNT_TEXT_BYTES];
	char warp_count[SHAPE_TEXT_BYTES];

	fprintf(out, "\n%s%sgroups of %s work-items (%s), %s bytes of local memory, ",
	        o->kernel ? o->kernel : "", o->kernel ? ": " : "", count_text(items, o->need.items),
	        amount_text(warp_count, residency_warps(gpu, &o->need), "warp"),
	        count_text(local, o->need.local_bytes));
	if (o->need.registers)
		fprintf(out, "%u registers a work-item", o->need.registers);
	else
		fprintf(out, "registers not known");
	if (o->kernel)
		fprintf(out, "; launches: %s", count_text(launches, o->launches));
	fputc('\n', out);
}

static void print_points(FILE *out, const struct occupancy *o, const struct gpu *gpu)
{
	const struct residency_point *points = o->points.data;
	char share[COUNT_TEXT_BYTES];

	if (o->points.count)
		fprintf(out, "  %-27s %6s %6s %10s  %s\n", "registers of a work-item", "groups",
		        "warps", "occupancy", "limit");
	for (size_t i = 0; i < o->points.count; i++) {
		const struct residency *r = &points[i].residency;
		uint64_t resident = warps(o, gpu, r->groups);

		fprintf(out, "    up to %-19u %6u %6" PRIu64 " %10s  %s\n", points[i].registers,
		        r->groups, resident, share_text(share, resident, gpu->max_warps),
		        occupancy_limit_text(r->limit));
	}
}

void occupancy_text(FILE *out, const struct occupancy *o, const struct gpu *gpu)
{
	uint64_t resident = warps(o, gpu, o->full.groups);
	char share[COUNT_TEXT_BYTES], groups[SHAPE_TEXT_BYTES];

	print_need(out, o, gpu);
	if (*o->refusal) {
		fprintf(out, "  does not fit: %s\n", o->refusal);
	} else {
		fprintf(out, "  resident: %s, %" PRIu64 " of %u warps (%s); limit: %s\n",
		        amount_text(groups, o->full.groups, "group"), resident, gpu->max_warps,
		        share_text(share, resident, gpu->max_warps),
		        occupancy_limit_text(o->full.limit));
		if (o->need.groups && o->used.groups < o->full.groups)
			fprintf(out, "  its largest launch has %s: at most %u of these on an SM\n",
			        amount_text(groups, o->need.groups, "group"), o->used.groups);
	}
	print_points(out, o, gpu);
}

static json_t *residency_json(struct json_out *out, const struct occupancy *o,
                              const struct gpu *gpu, const struct residency *r)
{
	uint64_t resident = warps(o, gpu, r->groups);
	json_t *row = json_object();

	json_out_count(out, row, "groups", r->groups);
	json_out_count(out, row, "warps", resident);
	json_out_real(out, row, "occupancy", (double)resident / gpu->max_warps);
	json_out_text(out, row, "limit", occupancy_limit_text(r->limit));
	return row;
}

json_t *occupancy_json(struct json_out *out, const struct occupancy *o, const struct gpu *gpu)
{
	const struct residency_point *points = o->points.data;
	json_t *row = json_object(), *list = json_array();

	json_out_text(out, row, "kernel", o->kernel);
	json_out_count(out, row, "launches", o->launches);
	json_out_count(out, row, "group_items", o->need.items);
	json_out_count(out, row, "group_warps", residency_warps(gpu, &o->need));
	json_out_count(out, row, "local_bytes", o->need.local_bytes);
	json_out_value(out, row, "registers",
	               o->need.registers ? json_integer(o->need.registers) : json_null());
	json_out_text(out, row, "refusal", *o->refusal ? o->refusal : NULL);
	json_out_value(out, row, "full",
	               *o->refusal ? json_null() : residency_json(out, o, gpu, &o->full));
	json_out_value(out, row, "used",
	               *o->refusal || !o->need.groups ? json_null()
	                                              : residency_json(out, o, gpu, &o->used));
	for (size_t i = 0; i < o->points.count; i++) {
		json_t *point = residency_json(out, o, gpu, &points[i].residency);

		json_out_count(out, point, "registers", points[i].registers);
		json_out_append(out, list, point);
	}
	json_out_value(out, row, "points", list);
	return row;
}
