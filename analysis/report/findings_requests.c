/* SPDX-License-Identifier: Apache-2.0 */
/* The rules about requests: more requests than the bytes of the lanes need. */
#include "finding_spot.h"
#include "gpu.h"
#include "l1_stats.h"
#include "shape_text.h"
#include "str.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Returns the requests, without those due only to a start within a line. */
static uint64_t requests_of(const struct finding_spot *p)
{
	return p->sums.pattern.requests - p->sums.pattern.misaligned_requests;
}

/* Returns the requests that could be saved. */
static double wasted_requests(const struct finding_spot *p)
{
	return (double)(requests_of(p) - p->sums.pattern.requests_least);
}

static double wasted_turns(const struct finding_scene *s, const struct finding_spot *p)
{
	return finding_turns(s, p->sums.l1.bytes_moved - p->sums.l1.bytes_used);
}

/* Returns the turns of requests that could be saved, and of bytes fetched for them and never read.
 */
static uint64_t cost_of(const struct finding_scene *s, const struct finding_spot *p)
{
	return (uint64_t)(wasted_requests(p) + wasted_turns(s, p));
}

/* Whether the spot accesses fields of contiguous structures: "p[i].x", "p->x"; or several fields by
 * one expression, "p[i]", which copies them. */
static bool is_of_structs(const struct finding_spot *p)
{
	const char *text = p->facts->expression ? p->facts->expression : "";

	if (finding_spot_shape(p) != STRIDE ||
	    (double)finding_spot_stride(p) > finding_limit(FINDING_LIMIT_STRUCT_BYTES))
		return false;
	if (p->site_count > 1 && p->site_count * p->facts->bytes <= finding_spot_stride(p))
		return true;
	for (const char *at = text; (at = strpbrk(at, ".>")); at++)
		if (at > text && (*at == '.' || at[-1] == '-') &&
		    (isalpha((unsigned char)at[1]) || at[1] == '_'))
			return true;
	return false;
}

static bool is_uncoalesced(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	return p->is_uncoalesced && !is_of_structs(p);
}

static bool is_uncoalesced_field(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	return p->is_uncoalesced && is_of_structs(p);
}

/* Spots have one cause if groups are too narrow, or if one argument has a stride. */
static int compare_shapes(const struct finding_spot *p, const struct finding_spot *q)
{
	enum lane_shape shape = finding_spot_shape(p), other = finding_spot_shape(q);
	int64_t stride = p->sums.pattern.strides[0].bytes,
		other_stride = q->sums.pattern.strides[0].bytes;

	if (shape != other)
		return shape < other ? -1 : 1;
	if (shape == SCATTERED)
		return finding_each_alone(p, q);
	if (shape == RUNS)
		return 0;
	return stride != other_stride ? stride < other_stride ? -1 : 1 : finding_by_argument(p, q);
}

/* The sums over spots of one cause. */
struct sum {
	uint64_t others;
	struct l1_stats_row l1;
};

static struct sum add_up(const struct finding_scene *s, const struct finding_cause *cause,
                         struct finding_claim *c)
{
	struct sum sum = { .others = cause->count - 1 };

	for (size_t i = 0; i < cause->count; i++) {
		const struct finding_spot *p = cause->spots[i];

		finding_save(c, p, FINDING_REQUESTS, wasted_requests(p));
		finding_save(c, p, FINDING_BYTES, wasted_turns(s, p));
		l1_stats_add(&sum.l1, &p->sums.l1);
	}
	return sum;
}

/* "with a lane stride of 2,048 bytes" */
static void describe(char text[FINDING_WORDS_BYTES], const struct finding_spot *p)
{
	const struct access_pattern *a = &p->sums.pattern;
	char count[COUNT_TEXT_BYTES];

	if (finding_spot_shape(p) == SCATTERED)
		snprintf(text, FINDING_WORDS_BYTES, "at scattered addresses");
	else if (!finding_spot_stride(p))
		snprintf(text, FINDING_WORDS_BYTES, "at one address for each %.0f lanes",
		         finding_spot_run_lanes(p));
	else if (finding_spot_shape(p) == RUNS)
		snprintf(text, FINDING_WORDS_BYTES, "in separate runs of %.0f lanes",
		         finding_spot_run_lanes(p));
	else
		snprintf(text, FINDING_WORDS_BYTES, "with a lane stride of %s%s bytes",
		         a->strides[0].bytes < 0 ? "-" : "",
		         count_text(count, finding_spot_stride(p)));
}

static void show(struct finding *f, const struct finding_spot *p, const struct sum *sum)
{
	const struct access_pattern *a = &p->sums.pattern;

	finding_show_limit(f, "sectors_over_least", finding_spot_sectors(p),
	                   FINDING_LIMIT_UNCOALESCED, false);
	finding_show(f, "requests_per_instruction", "requests",
	             finding_ratio(requests_of(p), a->instructions));
	finding_show(f, "least_per_instruction", "requests",
	             finding_ratio(a->requests_least, a->instructions));
	if (finding_spot_shape(p) != SCATTERED) {
		finding_show(f, "stride", "bytes", (double)a->strides[0].bytes);
		finding_show(f, "stride_share", "share",
		             finding_ratio(a->strides[0].pairs, a->pairs));
	}
	finding_show(f, "bytes_moved", "bytes", (double)sum->l1.bytes_moved);
	finding_show(f, "bytes_used", "bytes", (double)sum->l1.bytes_used);
	finding_show(f, "accesses_alike", "accesses", (double)sum->others);
}

/* Returns the advice for the layout of the lanes; NULL: that of the rule. */
static const char *shape_advice(const struct finding_spot *p)
{
	if (is_of_structs(p))
		return NULL;
	if (finding_spot_shape(p) == RUNS)
		return "make groups as wide as a warp along the rows of the data, so that a warp's "
		       "lanes lie in one row";
	if (finding_spot_shape(p) == STRIDE)
		return NULL;
	if (p->facts->kind == SITE_READ)
		return "the index comes from data: sort or group the work by it, keep what is "
		       "gathered small enough for a cache, or let the lanes of a warp read one row "
		       "together";
	return "the index comes from data: sort the work by it, or let each work-item gather what "
	       "belongs to one place";
}

static void claim_uncoalesced(const struct finding_scene *s, const struct finding_cause *cause,
                              struct finding_claim *c)
{
	const struct finding_spot *p = cause->spots[0];
	const struct access_pattern *a = &p->sums.pattern;
	const struct sum sum = add_up(s, cause, c);
	char how[FINDING_WORDS_BYTES], what[FINDING_WORDS_BYTES], misses[FINDING_WORDS_BYTES];
	char now[FINDING_WORDS_BYTES], least[FINDING_WORDS_BYTES], others[FINDING_WORDS_BYTES];

	c->is_found = true;
	c->f.advice = shape_advice(p);
	show(&c->f, p, &sum);
	describe(how, p);
	c->said =
		str_format(NULL, "%s %s %s: %s requests instead of %s%s%s", finding_verb(p),
	                   finding_object(what, s, p), how,
	                   finding_number(now, finding_ratio(requests_of(p), a->instructions)),
	                   finding_number(least, finding_ratio(a->requests_least, a->instructions)),
	                   finding_misses(misses, s, &sum.l1), finding_others(others, sum.others));
}

const struct finder finding_uncoalesced = { is_uncoalesced, compare_shapes, cost_of,
	                                    claim_uncoalesced };
const struct finder finding_struct_array = { is_uncoalesced_field, compare_shapes, cost_of,
	                                     claim_uncoalesced };

static double misaligned_ratio(const struct finding_spot *p)
{
	return finding_ratio(p->sums.pattern.misaligned_requests, p->sums.pattern.requests_least);
}

/* A window that slides over the data cannot always start at a line. */
static bool is_sliding(const struct finding_spot *p)
{
	return finding_ratio(p->sums.pattern.slides, p->sums.pattern.steps) >=
	       finding_limit(FINDING_LIMIT_SLIDES);
}

static bool has_requests(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	return p->sums.pattern.requests_least;
}

static int compare_kinds(const struct finding_spot *p, const struct finding_spot *q)
{
	int order = finding_by_argument(p, q);

	return order ? order
	             : (p->facts->kind > q->facts->kind) - (p->facts->kind < q->facts->kind);
}

static uint64_t misaligned_requests(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	return p->sums.pattern.misaligned_requests;
}

/* Whether an access to the argument starts at its lines: then the data does, and none is
 * misaligned. */
static bool has_aligned(const struct finding_cause *cause)
{
	for (size_t i = 1; i < cause->count; i++)
		if (misaligned_ratio(cause->spots[i]) < finding_limit(FINDING_LIMIT_ALIGNED))
			return true;
	return false;
}

/* Lanes that data lets through, packed side by side, start where the data says. */
static bool is_packed(const struct finding_spot *p)
{
	return finding_ratio(p->sums.pattern.lanes, p->sums.pattern.lanes_possible) <
	       finding_limit(FINDING_LIMIT_FULL);
}

/* Returns the turns of bytes fetched and never read at the ends of contiguous pieces. */
static double wasted_ends(const struct finding_scene *s, const struct finding_spot *p)
{
	return p->is_uncoalesced ? 0 : wasted_turns(s, p);
}

static void claim_misaligned(const struct finding_scene *s, const struct finding_cause *cause,
                             struct finding_claim *c)
{
	const struct finding_spot *p = cause->spots[0];
	const struct access_pattern *a = &p->sums.pattern;
	double ratio = misaligned_ratio(p);
	char what[FINDING_WORDS_BYTES], now[FINDING_WORDS_BYTES], least[FINDING_WORDS_BYTES];
	char others[FINDING_WORDS_BYTES];
	uint64_t alike = cause->count - 1;

	if (ratio < finding_limit(FINDING_LIMIT_MISALIGNED) || is_sliding(p) || is_packed(p) ||
	    has_aligned(cause))
		return;
	for (size_t i = 0; i < cause->count; i++) {
		const struct finding_spot *q = cause->spots[i];

		finding_save(c, q, FINDING_REQUESTS, (double)q->sums.pattern.misaligned_requests);
		finding_save(c, q, FINDING_BYTES, wasted_ends(s, q));
	}
	c->is_found = true;
	finding_show_limit(&c->f, "misaligned_over_least", ratio, FINDING_LIMIT_MISALIGNED, false);
	finding_show(&c->f, "misaligned_requests", "requests", (double)a->misaligned_requests);
	finding_show(&c->f, "slides", "share", finding_ratio(a->slides, a->steps));
	finding_show(&c->f, "accesses_alike", "accesses", (double)alike);
	c->said =
		str_format(NULL, "%s %s starting inside a line: %s requests instead of %s%s",
	                   finding_verb(p), finding_object(what, s, p),
	                   finding_number(now, finding_ratio(a->requests, a->instructions)),
	                   finding_number(least, finding_ratio(a->requests_least, a->instructions)),
	                   finding_others(others, alike));
}

const struct finder finding_misaligned = { has_requests, compare_kinds, misaligned_requests,
	                                   claim_misaligned };

/* Whether each lane accesses a byte or half a word, contiguously. */
static bool is_narrow(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	return p->sums.pattern.requests && p->facts->bytes &&
	       p->facts->bytes < (uint64_t)finding_limit(FINDING_LIMIT_WORD_BYTES) &&
	       p->facts->kind != SITE_ATOMIC && !p->is_uncoalesced &&
	       finding_spot_shape(p) == RUNS && finding_spot_stride(p) == p->facts->bytes;
}

static uint64_t requests(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	return p->sums.pattern.requests;
}

static void claim_narrow(const struct finding_scene *s, const struct finding_cause *cause,
                         struct finding_claim *c)
{
	const struct finding_spot *p = cause->spots[0];
	double word = finding_limit(FINDING_LIMIT_WORD_BYTES);
	char what[FINDING_WORDS_BYTES], others[FINDING_WORDS_BYTES], bytes[FINDING_WORDS_BYTES];

	c->is_found = true;
	for (size_t i = 0; i < cause->count; i++)
		finding_save(c, cause->spots[i], FINDING_REQUESTS,
		             (double)cause->spots[i]->sums.pattern.requests *
		                     (1 - (double)cause->spots[i]->facts->bytes / word));
	finding_show_limit(&c->f, "bytes_a_lane", (double)p->facts->bytes, FINDING_LIMIT_WORD_BYTES,
	                   true);
	finding_show(&c->f, "accesses_alike", "accesses", (double)(cause->count - 1));
	c->said = str_format(
		NULL, "%s %s %s a lane: a request carries a quarter or half of what it could%s",
		finding_verb(p), finding_object(what, s, p),
		p->facts->bytes == 1
			? "a byte"
			: (snprintf(bytes, sizeof(bytes), "%u bytes", (unsigned)p->facts->bytes),
	                   bytes),
		finding_others(others, cause->count - 1));
}

const struct finder finding_narrow = { is_narrow, finding_all_alike, requests, claim_narrow };

/* If there is much of it, a tile is better: no-reuse reports that. */
static bool is_uniform(const struct finding_scene *s, const struct finding_spot *p)
{
	return finding_spot_is_uniform(s, p) && !finding_spot_is_reused(s, p);
}

static void claim_uniform(const struct finding_scene *s, const struct finding_cause *cause,
                          struct finding_claim *c)
{
	const struct finding_spot *p = cause->spots[0];
	const struct access_pattern *a = &p->sums.pattern;
	char what[FINDING_WORDS_BYTES], others[FINDING_WORDS_BYTES];

	c->is_found = true;
	for (size_t i = 0; i < cause->count; i++)
		finding_save(c, cause->spots[i], FINDING_REQUESTS,
		             (double)cause->spots[i]->sums.pattern.requests -
		                     (double)cause->spots[i]->sums.l1.lines);
	finding_show_limit(&c->f, "lanes_at_one_address",
	                   finding_ratio(a->strides[0].pairs, a->pairs), FINDING_LIMIT_UNIFORM,
	                   false);
	finding_show(&c->f, "requests", "requests", (double)a->requests);
	finding_show(&c->f, "accesses_alike", "accesses", (double)(cause->count - 1));
	c->said = str_format(
		NULL, "%s %s, which is never written, at one address for all lanes of a warp%s",
		finding_verb(p), finding_object(what, s, p),
		finding_others(others, cause->count - 1));
}

const struct finder finding_uniform = { is_uniform, finding_by_argument, requests, claim_uniform };
