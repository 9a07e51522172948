/* SPDX-License-Identifier: Apache-2.0 */
/* The rules about what groups share: lines but no bytes, or bytes but no SM. */
#include "finding_spot.h"
#include "gpu.h"
#include "l1_stats.h"
#include "shape_text.h"
#include "str.h"

static bool shares_lines(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	return p->sums.sharing.lines && p->sums.l1.bytes_moved && !p->is_uncoalesced;
}

static uint64_t unused_bytes(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	return p->sums.l1.bytes_moved - p->sums.l1.bytes_used;
}

static void claim_false_reuse(const struct finding_scene *s, const struct finding_cause *cause,
                              struct finding_claim *c)
{
	const struct finding_spot *p = cause->spots[0];
	double apart = finding_ratio(p->sums.sharing.apart, p->sums.sharing.lines);
	double used = finding_ratio(p->sums.l1.bytes_used, p->sums.l1.bytes_moved);
	char what[FINDING_WORDS_BYTES], groups[FINDING_WORDS_BYTES];

	if (apart < finding_limit(FINDING_LIMIT_APART) ||
	    used > finding_limit(FINDING_LIMIT_BYTES_USED))
		return;
	c->is_found = true;
	finding_save(c, p, FINDING_BYTES, finding_turns(s, unused_bytes(s, p)));
	finding_show_limit(&c->f, "lines_apart", apart, FINDING_LIMIT_APART, false);
	finding_show_limit(&c->f, "bytes_used", used, FINDING_LIMIT_BYTES_USED, true);
	finding_show(&c->f, "groups_per_line", "groups",
	             finding_ratio(p->sums.sharing.apart_groups, p->sums.sharing.apart));
	c->said = str_format(
		NULL,
		"%s %s in lines that %s groups share, each its own bytes: %.0f%% of the bytes "
		"moved are used",
		finding_verb(p), finding_object(what, s, p),
		finding_number(groups,
	                       finding_ratio(p->sums.sharing.apart_groups, p->sums.sharing.apart)),
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
	return p->sums.l1.cold;
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
		l1_stats_add(&sum.l1, &cause->spots[i]->sums.l1);
		line_share_add(&sum.sharing, &cause->spots[i]->sums.sharing);
		sum.others += i && cause->spots[i]->sums.l1.cold;
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

	if (p->is_uncoalesced || !p->sums.l1.cold)
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
		                                        (double)cause->spots[i]->sums.l1.cold));
	finding_show_limit(&c->f, "sms_per_sector", sms, FINDING_LIMIT_SMS, false);
	finding_show_limit(&c->f, "cold_of_misses", cold, FINDING_LIMIT_COLD, false);
	finding_show_limit(&c->f, "miss_rate", rate, FINDING_LIMIT_FETCHES, false);
	finding_show(&c->f, "fetched_again", "share", again);
	finding_show(&c->f, "accesses_alike", "accesses", (double)sum.others);
	c->said = str_format(
		NULL,
		"%s %s in lines or sectors that each of %s SMs fetches: groups that share "
		"data run on different SMs%s%s",
		finding_verb(p), finding_object(what, s, p), finding_number(many, sms),
		finding_misses(misses, s, &sum.l1), finding_others(others, sum.others));
}

const struct finder finding_refetched = { is_read, finding_by_argument, cold_misses,
	                                  claim_refetched };
