/* SPDX-License-Identifier: Apache-2.0 */
/* The rules about launches: idle SMs, and repeated work. */
#include "cuda_words.h"
#include "finding_spot.h"
#include "gpu.h"
#include "l1_stats.h"
#include "recording.h"
#include "shape_text.h"
#include "str.h"

#include <inttypes.h>

/* The first spot stands for the kernel. */
static bool is_first(const struct finding_scene *s, const struct finding_spot *p)
{
	return p == s->spots;
}

static uint64_t once(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	(void)p;
	return 1;
}

/* The idle SMs of a kernel's launches. */
struct idle {
	double turns, idle_turns, most;
	uint64_t groups; /* of the launch with the most turns on idle SMs */
};

static struct idle idle_of(const struct finding_scene *s)
{
	struct idle idle = { 0 };

	for (size_t i = 0; i < s->data->launch_count; i++) {
		const struct report_launch *l = &s->data->launches[i];
		uint64_t groups =
			launch_shape_group_count(&s->data->recording->launches[l->launch].shape);
		double busy = finding_ratio(groups, s->gpu->sm_count);
		double turns = (double)l1_stats_requests(&l->counts.l1), lost;

		if (l->kernel != s->kernel->kernel || !l->is_played)
			continue;
		lost = busy < 1 ? turns * (1 - busy) : 0;
		idle.turns += turns;
		idle.idle_turns += lost;
		if (lost > idle.most) {
			idle.most = lost;
			idle.groups = groups;
		}
	}
	return idle;
}

static void claim_few_groups(const struct finding_scene *s, const struct finding_cause *cause,
                             struct finding_claim *c)
{
	const struct idle idle = idle_of(s);
	double share = idle.turns > 0 ? idle.idle_turns / idle.turns : 0;
	char groups[SHAPE_TEXT_BYTES];

	if (share < finding_limit(FINDING_LIMIT_IDLE_SMS))
		return;
	c->is_found = true;
	c->f.whole = FINDING_OF_SMS;
	finding_save(c, cause->spots[0], FINDING_TIME,
	             share * cause->spots[0]->stock[FINDING_TIME]);
	finding_show_limit(&c->f, "idle_sms", share, FINDING_LIMIT_IDLE_SMS, false);
	finding_show(&c->f, "groups", "groups", (double)idle.groups);
	finding_show(&c->f, "sms", "SMs", s->gpu->sm_count);
	c->said = str_format(NULL, "a launch of %s leaves %" PRIu64 " of %u SMs without work",
	                     amount_text(groups, idle.groups, "group"),
	                     s->gpu->sm_count - idle.groups, s->gpu->sm_count);
}

const struct finder finding_few_groups = { is_first, finding_all_alike, once, claim_few_groups };

static bool is_had_before(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	return p->sums.l1.bytes_from_l2 &&
	       p->sums.again.bytes >=
	               finding_limit(FINDING_LIMIT_HAD_BEFORE) * (double)p->sums.l1.bytes_from_l2;
}

static uint64_t again_turns(const struct finding_scene *s, const struct finding_spot *p)
{
	return (uint64_t)(p->sums.again.requests + p->sums.again.bytes / (double)s->fill_bytes);
}

/* Claim the writes that only this kernel reads. Returns their bytes. */
static double save_writes(const struct finding_scene *s, struct finding_claim *c)
{
	const struct report_kernel *k = s->kernel;
	double bytes = 0;

	for (size_t i = 0; i < k->link_count; i++) {
		const struct finding_spot *p = s->spot_of[k->links[i].site];
		struct launch_saving sum = { 0 };
		size_t n = 0;

		while (n < i && s->spot_of[k->links[n].site] != p)
			n++;
		for (; n >= i && n < k->link_count; n++)
			if (s->spot_of[k->links[n].site] == p) {
				sum.requests += k->links[n].writes.requests;
				sum.bytes += k->links[n].writes.bytes;
			}
		finding_save(c, p, FINDING_REQUESTS, sum.requests);
		finding_save(c, p, FINDING_BYTES, sum.bytes / (double)s->fill_bytes);
		bytes += sum.bytes;
	}
	return bytes;
}

/* Returns the site whose data the kernel reads again most. */
static const struct report_site *source_of(const struct finding_scene *s)
{
	const struct report_kernel *k = s->kernel;
	const struct launch_link *most = k->links;

	for (size_t i = 1; i < k->link_count; i++)
		if (k->links[i].bytes_read > most->bytes_read)
			most = &k->links[i];
	return &s->data->sites[most->site];
}

static void claim_relaunched(const struct finding_scene *s, const struct finding_cause *cause,
                             struct finding_claim *c)
{
	const struct finding_spot *p = cause->spots[0];
	const struct report_site *source;
	char what[FINDING_WORDS_BYTES], others[FINDING_WORDS_BYTES];
	double share = p->sums.again.bytes / (double)p->sums.l1.bytes_from_l2, again = 0, written;

	if (!s->kernel->link_count)
		return;
	for (size_t i = 0; i < cause->count; i++) {
		const struct finding_spot *q = cause->spots[i];

		finding_save(c, q, FINDING_REQUESTS, q->sums.again.requests);
		finding_save(c, q, FINDING_BYTES, q->sums.again.bytes / (double)s->fill_bytes);
		again += q->sums.again.bytes;
	}
	written = save_writes(s, c);
	source = source_of(s);
	c->is_found = true;
	finding_show_limit(&c->f, "had_before", share, FINDING_LIMIT_HAD_BEFORE, false);
	finding_show(&c->f, "bytes_again", "bytes", again);
	finding_show(&c->f, "bytes_written_for_it", "bytes", written);
	finding_show(&c->f, "accesses_alike", "accesses", (double)(cause->count - 1));
	c->said = str_format(NULL,
	                     "%s %s, which " CUDA_WORDS_QUOTE "%s" CUDA_WORDS_QUOTE
	                     " %s just before, in the same groups: %.0f%% of the bytes that it "
	                     "brings in%s",
	                     finding_verb(p), finding_object(what, s, p),
	                     s->data->recording->kernels[source->kernel].table.name,
	                     source->facts->kind == SITE_READ ? "read" : "wrote", 100 * share,
	                     finding_others(others, cause->count - 1));
}

const struct finder finding_relaunched = { is_had_before, finding_all_alike, again_turns,
	                                   claim_relaunched };
