/* SPDX-License-Identifier: Apache-2.0 */
/* The rules about what groups share: lines but no bytes, or bytes but no SM. */
#include "finding_spot.h"
#include "gpu.h"
#include "str.h"

void finding_false_reuse(const struct finding_scene *s, size_t spot, struct finding_claim *c)
{
	const struct finding_spot *p = &s->spots[spot];
	double apart = finding_ratio(p->sharing.apart, p->sharing.lines);
	double used = finding_ratio(p->l1.bytes_used, p->l1.bytes_moved);
	char what[FINDING_WORDS_BYTES], groups[FINDING_WORDS_BYTES];

	if (!p->sharing.lines || p->is_uncoalesced || !p->l1.bytes_moved ||
	    apart < finding_limit(FINDING_LIMIT_APART) ||
	    used > finding_limit(FINDING_LIMIT_BYTES_USED))
		return;
	c->is_found = true;
	c->f.cost_turns = finding_turns(s, p->l1.bytes_moved - p->l1.bytes_used);
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

/* Bytes that so many misses fetched, each as many as the spot's. */
static uint64_t miss_bytes(const struct finding_spot *p, uint64_t misses)
{
	return (uint64_t)((double)misses * finding_ratio(p->l1.bytes_from_l2, p->l1.read_misses));
}

/* What the reads through one argument share. */
struct shared_reads {
	struct l1_stats_row l1;
	struct line_share sharing;
	uint64_t others;
};

/* Add up the reads through a spot's argument; false: another one of them has more cold misses, and
 * stands for all. */
static bool gather_reads(const struct finding_scene *s, size_t spot, struct shared_reads *sum)
{
	const struct finding_spot *p = &s->spots[spot];

	*sum = (struct shared_reads){ .l1 = p->l1, .sharing = p->sharing };
	for (size_t i = 0; i < s->spot_count; i++) {
		const struct finding_spot *q = &s->spots[i];

		if (i == spot || q->facts->kind != SITE_READ || p->facts->argument < 0 ||
		    q->facts->argument != p->facts->argument)
			continue;
		if (q->l1.cold > p->l1.cold || (q->l1.cold == p->l1.cold && i < spot))
			return false;
		l1_stats_add(&sum->l1, &q->l1);
		line_share_add(&sum->sharing, &q->sharing);
		sum->others += q->l1.cold > 0;
	}
	return true;
}

void finding_refetched(const struct finding_scene *s, size_t spot, struct finding_claim *c)
{
	const struct finding_spot *p = &s->spots[spot];
	struct shared_reads sum;
	double sms, cold, rate;
	char what[FINDING_WORDS_BYTES], many[FINDING_WORDS_BYTES], misses[FINDING_WORDS_BYTES];
	char others[FINDING_WORDS_BYTES];

	if (p->facts->kind != SITE_READ || p->is_uncoalesced || !p->l1.cold ||
	    !gather_reads(s, spot, &sum))
		return;
	sms = finding_ratio(sum.sharing.shared_sms + (sum.sharing.lines - sum.sharing.shared),
	                    sum.sharing.lines);
	cold = finding_ratio(sum.l1.cold, sum.l1.read_misses);
	rate = finding_ratio(sum.l1.read_misses, sum.l1.reads);
	if (sms < finding_limit(FINDING_LIMIT_SMS) || cold < finding_limit(FINDING_LIMIT_COLD) ||
	    rate < finding_limit(FINDING_LIMIT_FETCHES))
		return;
	c->is_found = true;
	c->f.cost_turns =
		finding_turns(s, miss_bytes(p, (uint64_t)((double)sum.l1.cold * (1 - 1 / sms))));
	finding_show_limit(&c->f, "sms_per_line", sms, FINDING_LIMIT_SMS, false);
	finding_show_limit(&c->f, "cold_of_misses", cold, FINDING_LIMIT_COLD, false);
	finding_show_limit(&c->f, "miss_rate", rate, FINDING_LIMIT_FETCHES, false);
	finding_show(&c->f, "accesses_alike", "accesses", (double)sum.others);
	c->said =
		str_format(NULL,
	                   "%s %s in lines that %s SMs fetch, each for itself: groups that share "
	                   "data run on different SMs%s%s",
	                   finding_verb(p), finding_object(what, s, p), finding_number(many, sms),
	                   finding_misses(misses, s, &sum.l1), finding_others(others, sum.others));
}
