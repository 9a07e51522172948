/* SPDX-License-Identifier: Apache-2.0 */
#include "curve_json.h"

#include "curve_report.h"
#include "curve_set.h"
#include "document.h"
#include "recording.h"
#include "reuse_counts.h"
#include "sweep_axes.h"

static json_t *points_json(struct json_out *out, const struct curve_set *c, size_t curve)
{
	struct curve_walk walk = curve_walk_begin(c, curve);
	json_t *list = json_array();

	while (curve_walk_next(&walk)) {
		const struct curve_mark *mark = curve_set_mark(c, curve, walk.ways);
		json_t *point = json_object();

		json_out_count(out, point, "ways", walk.ways);
		json_out_count(out, point, "bytes", curve_set_bytes(c, curve, walk.ways));
		json_out_count(out, point, "misses", walk.misses);
		json_out_real(out, point, "misses_error", walk.error);
		json_out_real(out, point, "bytes_error",
		              walk.ways_error * (double)curve_set_bytes(c, curve, 1));
		json_out_real(out, point, "miss_rate", curve_walk_ratio(&walk));
		json_out_text(out, point, "mark", mark ? mark->name : NULL);
		json_out_append(out, list, point);
	}
	return list;
}

/* The largest cache of a curve whose misses are counted; null: all are. */
static json_t *exact_bytes(const struct curve_set *c, size_t curve)
{
	const struct reuse_counts *counts = miss_curve_counts(c->counts, curve);

	return counts->unknown ? json_integer((json_int_t)curve_set_bytes(c, curve, counts->limit))
	                       : json_null();
}

static json_t *curve_json(struct json_out *out, const struct curve_set *c, size_t i)
{
	json_t *curve = json_object();
	char index[SWEEP_INDEX_BYTES];

	json_out_text(out, curve, "index",
	              i ? sweep_axes_index(index, c->curves[i].index.kind) : "full");
	json_out_count(out, curve, "sets", c->curves[i].sets);
	json_out_value(out, curve, "exact_bytes", exact_bytes(c, i));
	json_out_value(out, curve, "points", points_json(out, c, i));
	return curve;
}

int curve_json_write(const struct curve_set *c, const struct recording *r,
                     const struct curve_facts *f, const char *file, struct err *err)
{
	double replay_rate = f->replay_rate;
	char other[CURVE_OTHER_BYTES];
	struct json_out out = { false };
	json_t *root = document_head(&out, "curve/1"), *curves = json_array();

	for (size_t i = 0; i < c->curve_count; i++)
		json_out_append(&out, curves, curve_json(&out, c, i));
	document_put_version(&out, root);
	document_put_gpu(&out, root, &c->gpu);
	json_out_count(&out, root, "line_bytes", c->gpu.l1_line_bytes);
	json_out_bool(&out, root, "exact", curve_set_is_exact(c));
	curve_set_other_cache(other, &c->gpu, replay_rate, curve_set_own_rate(c));
	json_out_text(&out, root, "other_cache", *other ? other : NULL);
	json_out_real(&out, root, "replay_miss_rate", replay_rate);
	json_out_real(&out, root, "mark_miss_rate", curve_set_own_rate(c));
	json_out_count(&out, root, "launches", c->launches);
	json_out_count(&out, root, "reads", reuse_counts_reads(miss_curve_counts(c->counts, 0)));
	json_out_value(&out, root, "curves", curves);
	json_out_bool(&out, root, "complete", f->is_whole && recording_is_complete(r, NULL));
	return json_out_write(&out, root, file, err);
}
