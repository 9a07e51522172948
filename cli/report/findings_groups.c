/* SPDX-License-Identifier: Apache-2.0 */
/* The rules about what groups share: lines but no bytes, or bytes but no SM. */
#include "finding_spot.h"
#include "gpu.h"
#include "recording.h"
#include "shape_text.h"
#include "stats_row.h"
#include "str.h"

#include <inttypes.h>

static bool shares_lines(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	return p->sharing.lines && p->l1.bytes_moved && !p->is_uncoalesced;
}

static uint64_t unused_bytes(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	return p->l1.bytes_moved - p->l1.bytes_used;
}

static void claim_false_reuse(const struct finding_scene *s, const struct finding_cause *cause,
                              struct finding_claim *c)
{
	const struct finding_spot *p = cause->spots[0];
	double apart = finding_ratio(p->sharing.apart, p->sharing.lines);
	double used = finding_ratio(p->l1.bytes_used, p->l1.bytes_moved);
	char what[FINDING_WORDS_BYTES], groups[FINDING_WORDS_BYTES];

	if (apart < finding_limit(FINDING_LIMIT_APART) ||
	    used > finding_limit(FINDING_LIMIT_BYTES_USED))
		return;
	c->is_found = true;
	finding_save(c, p, FINDING_BYTES, finding_turns(s, unused_bytes(s, p)));
	finding_show_limit(&c->f, "lines_apart", apart, FINDING_LIMIT_APART, false);
	finding_show_limit(&c->f, "bytes_used", used, FINDING_LIMIT_BYTES_USED, true);
	finding_show(&c->f, "groups_per_line", "groups",
	             finding_ratio(p->sharing.apart_groups, p->sharing.apart));
	c->said = str_format(
		NULL,
		"%s %s in lines that %s groups share, each its own bytes: %.0f%% of the bytes "
		"moved are used",
		finding_verb(p), finding_object(what, s, p),
		finding_number(groups, finding_ratio(p->sharing.apart_groups, p->sharing.apart)),
		100 * used);
}

const struct finder finding_false_reuse = { shares_lines, finding_each_alone, unused_bytes,
	                                    claim_false_reuse };

static bool is_read(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	return p->facts->kind == SITE_READ;
}

static uint64_t cold_misses(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	return p->l1.cold;
}

/* What the reads through one argument share. */
struct shared_reads {
	struct l1_stats_row l1;
	struct line_share sharing;
	uint64_t others;
};

static struct shared_reads add_up(const struct finding_cause *cause)
{
	struct shared_reads sum = { 0 };

	for (size_t i = 0; i < cause->count; i++) {
		l1_stats_add(&sum.l1, &cause->spots[i]->l1);
		line_share_add(&sum.sharing, &cause->spots[i]->sharing);
		sum.others += i && cause->spots[i]->l1.cold;
	}
	return sum;
}

static void claim_refetched(const struct finding_scene *s, const struct finding_cause *cause,
                            struct finding_claim *c)
{
	const struct finding_spot *p = cause->spots[0];
	const struct shared_reads sum = add_up(cause);
	double sms, cold, rate, again;
	char what[FINDING_WORDS_BYTES], many[FINDING_WORDS_BYTES], misses[FINDING_WORDS_BYTES];
	char others[FINDING_WORDS_BYTES];

	if (p->is_uncoalesced || !p->l1.cold)
		return;
	sms = finding_ratio(sum.sharing.sm_sectors, sum.sharing.sectors);
	cold = finding_ratio(sum.l1.cold, sum.l1.read_misses);
	rate = finding_ratio(sum.l1.read_misses, sum.l1.reads);
	if (sms < finding_limit(FINDING_LIMIT_SMS) || cold < finding_limit(FINDING_LIMIT_COLD) ||
	    rate < finding_limit(FINDING_LIMIT_FETCHES))
		return;
	c->is_found = true;
	again = 1 - 1 / sms;
	for (size_t i = 0; i < cause->count; i++)
		finding_save(c, cause->spots[i], FINDING_BYTES,
		             again * finding_miss_turns(s, cause->spots[i],
		                                        (double)cause->spots[i]->l1.cold));
	finding_show_limit(&c->f, "sms_per_sector", sms, FINDING_LIMIT_SMS, false);
	finding_show_limit(&c->f, "cold_of_misses", cold, FINDING_LIMIT_COLD, false);
	finding_show_limit(&c->f, "miss_rate", rate, FINDING_LIMIT_FETCHES, false);
	finding_show(&c->f, "fetched_again", "share", again);
	finding_show(&c->f, "accesses_alike", "accesses", (double)sum.others);
	c->said = str_format(
		NULL,
		"%s %s in lines or sectors that %s SMs fetch, each for itself: groups that share "
		"data run on different SMs%s%s",
		finding_verb(p), finding_object(what, s, p), finding_number(many, sms),
		finding_misses(misses, s, &sum.l1), finding_others(others, sum.others));
}

const struct finder finding_refetched = { is_read, finding_by_argument, cold_misses,
	                                  claim_refetched };

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

/* What the launches of a kernel leave SMs without. */
struct idle {
	double turns, idle_turns, most;
	uint64_t groups; /* of the launch with most turns on idle SMs */
};

static struct idle idle_of(const struct finding_scene *s)
{
	struct idle idle = { 0 };

	for (size_t i = 0; i < s->data->launch_count; i++) {
		const struct report_launch *l = &s->data->launches[i];
		uint64_t groups =
			launch_shape_group_count(&s->data->recording->launches[l->launch].shape);
		double busy = finding_ratio(groups, s->gpu->sm_count);
		double turns = (double)stats_row_requests(&l->counts.l1), lost;

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
