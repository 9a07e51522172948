/* SPDX-License-Identifier: Apache-2.0 */
/* The rules about data that is accessed again: by a work-group, and by a single work-item. */
#include "coalesce.h"
#include "finding_spot.h"
#include "gpu.h"
#include "l1_stats.h"
#include "recording.h"
#include "shape_text.h"
#include "str.h"

/* The accesses of a kernel through one argument, or, if that is unknown, at one spot. */
struct traffic {
	struct line_share sharing;
	uint64_t reads, bytes_from_l2; /* read requests, and the bytes fetched for them */
	struct item_reuse read, written;
};

static struct traffic traffic_of(const struct finding_scene *s, const struct finding_spot *p)
{
	struct traffic t = { 0 };

	for (size_t i = 0; i < s->spot_count; i++) {
		const struct finding_spot *q = &s->spots[i];
		const struct item_reuse *items = &q->sums.pattern.items;
		struct item_reuse *sum = q->facts->kind == SITE_READ ? &t.read : &t.written;

		if (finding_by_argument(p, q) || q->facts->kind == SITE_ATOMIC)
			continue;
		sum->accesses += items->accesses;
		sum->rereads += items->rereads;
		sum->overwritten += items->overwritten;
		if (q->facts->kind != SITE_READ)
			continue;
		line_share_add(&t.sharing, &q->sums.sharing);
		t.reads += q->sums.l1.reads;
		t.bytes_from_l2 += q->sums.l1.bytes_from_l2;
	}
	return t;
}

/* Returns the share of reads that repeat what the same work-item has just accessed. */
static double rereads_share(const struct traffic *t)
{
	return finding_ratio(t->read.rereads, t->read.accesses);
}

static double overwritten_share(const struct traffic *t)
{
	return finding_ratio(t->written.overwritten, t->written.accesses);
}

/* Returns how often the lanes of a group read each byte that the group reads. */
static double reads_per_byte(const struct traffic *t)
{
	return finding_ratio(t->sharing.lane_bytes, t->sharing.group_bytes);
}

/* Returns the bytes of a request of neighbouring lanes that access a word each. */
static uint64_t request_bytes(const struct finding_scene *s)
{
	enum { WORD = 4 };
	struct coalescer c;
	uint64_t bytes;

	coalescer_init(&c, s->gpu, NULL);
	bytes = (uint64_t)WORD * coalescer_part_lanes(&c, WORD);
	return bytes < s->gpu->l1_line_bytes ? bytes : s->gpu->l1_line_bytes;
}

static uint64_t sector_bytes(const struct finding_scene *s)
{
	return s->gpu->l1_sector_bytes ? s->gpu->l1_sector_bytes : s->gpu->l1_line_bytes;
}

/* Returns the share of its requests that a group would still make if it read each sector once, in
 * full requests. */
static double requests_left(const struct finding_scene *s, const struct traffic *t)
{
	double once = (double)t->sharing.group_sectors * (double)sector_bytes(s) /
	              (double)request_bytes(s);

	return t->sharing.requests ? once / (double)t->sharing.requests : 1;
}

/* Returns the same share for the bytes from L2; 1 or more: each is fetched only once. */
static double bytes_left(const struct finding_scene *s, const struct traffic *t)
{
	double looked_at = finding_ratio(t->sharing.requests, t->reads);
	double once = (double)t->sharing.group_sectors * (double)sector_bytes(s);

	return t->bytes_from_l2 && looked_at > 0 ? once / looked_at / (double)t->bytes_from_l2 : 1;
}

/* Returns the distinct bytes that a group reads. */
static double tile_bytes(const struct finding_scene *s, const struct traffic *t)
{
	double looked_at = finding_ratio(t->sharing.requests, t->reads);

	return looked_at > 0
	               ? finding_ratio(t->sharing.group_bytes, s->kernel->counts.groups) / looked_at
	               : 0;
}

/* Whether these bytes are worth a tile: they fill a request, and, if all lanes read one address at
 * a time, which constant memory serves as well, each work-item has an element to load. */
static bool is_tile(const struct finding_scene *s, const struct finding_spot *p,
                    const struct traffic *t)
{
	double bytes = tile_bytes(s, t);

	if (finding_spot_is_uniform(s, p) &&
	    bytes < (double)finding_group_items(s) * p->facts->bytes)
		return false;
	return bytes >= (double)request_bytes(s);
}

bool finding_spot_is_reused(const struct finding_scene *s, const struct finding_spot *p)
{
	struct traffic t;

	if (p->facts->kind != SITE_READ || !p->sums.l1.reads)
		return false;
	t = traffic_of(s, p);
	return reads_per_byte(&t) >= finding_limit(FINDING_LIMIT_REUSE) &&
	       requests_left(s, &t) <= finding_limit(FINDING_LIMIT_READ_AGAIN) &&
	       rereads_share(&t) < finding_limit(FINDING_LIMIT_OWN) && is_tile(s, p, &t);
}

/* Returns the requests that are not needed if each byte is read once. */
static double requests_saved(const struct finding_scene *s, const struct finding_spot *p)
{
	const struct traffic t = traffic_of(s, p);

	return p->stock[FINDING_REQUESTS] * (1 - requests_left(s, &t));
}

static uint64_t weigh_reads(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	return l1_stats_requests(&p->sums.l1);
}

static void claim_no_reuse(const struct finding_scene *s, const struct finding_cause *cause,
                           struct finding_claim *c)
{
	const struct finding_spot *p = cause->spots[0];
	const struct traffic t = traffic_of(s, p);
	double groups = (double)s->kernel->counts.groups, now = 0, saved = 0;
	char what[FINDING_WORDS_BYTES], often[FINDING_WORDS_BYTES], requests[FINDING_WORDS_BYTES];
	char once[FINDING_WORDS_BYTES], others[FINDING_WORDS_BYTES];

	for (size_t i = 0; i < cause->count; i++) {
		const struct finding_spot *q = cause->spots[i];
		const struct traffic own = traffic_of(s, q);
		double left = bytes_left(s, &own);

		finding_save(c, q, FINDING_REQUESTS, requests_saved(s, q));
		finding_save(c, q, FINDING_BYTES, q->stock[FINDING_BYTES] * (1 - left));
		now += q->stock[FINDING_REQUESTS] / groups;
		saved += requests_saved(s, q) / groups;
	}
	c->is_found = true;
	finding_show_limit(&c->f, "reads_per_byte", reads_per_byte(&t), FINDING_LIMIT_REUSE, false);
	finding_show_limit(&c->f, "requests_left", requests_left(s, &t), FINDING_LIMIT_READ_AGAIN,
	                   true);
	finding_show(&c->f, "lanes_per_byte", "lanes",
	             finding_ratio(t.sharing.lane_bytes, t.sharing.request_bytes));
	finding_show(&c->f, "requests_per_byte", "requests",
	             finding_ratio(t.sharing.request_bytes, t.sharing.group_bytes));
	finding_show(&c->f, "requests_per_group", "requests", now);
	finding_show(&c->f, "requests_looked_at", "requests", (double)t.sharing.requests);
	finding_show(&c->f, "accesses_alike", "accesses", (double)(cause->count - 1));
	c->said = str_format(
		NULL,
		"reads each byte of %s %s times in a group: %s requests a group; %s would bring it "
		"once, besides what reading the tile costs%s",
		finding_object(what, s, p), finding_number(often, reads_per_byte(&t)),
		finding_number(requests, now), finding_number(once, now - saved),
		finding_others(others, cause->count - 1));
}

const struct finder finding_no_reuse = { finding_spot_is_reused, finding_all_alike, weigh_reads,
	                                 claim_no_reuse };

static bool is_accumulated(const struct finding_scene *s, const struct finding_spot *p)
{
	struct traffic t;

	if (p->facts->kind == SITE_ATOMIC || !p->sums.pattern.items.accesses)
		return false;
	t = traffic_of(s, p);
	return overwritten_share(&t) >= finding_limit(FINDING_LIMIT_OWN);
}

/* Returns the share of an access that a register would serve. */
static double held_share(const struct finding_spot *p)
{
	const struct item_reuse *items = &p->sums.pattern.items;

	return finding_ratio(items->rereads + items->overwritten, items->accesses);
}

static uint64_t weigh_held(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	return (uint64_t)((double)l1_stats_requests(&p->sums.l1) * held_share(p));
}

/* Returns the turns of the bytes moved, except those fetched for the first time. */
static double bytes_again(const struct finding_scene *s, const struct finding_spot *p)
{
	if (p->facts->kind == SITE_WRITE)
		return p->stock[FINDING_BYTES];
	return finding_miss_turns(s, p, (double)(p->sums.l1.read_misses - p->sums.l1.cold));
}

static void claim_accumulates(const struct finding_scene *s, const struct finding_cause *cause,
                              struct finding_claim *c)
{
	const struct finding_spot *p = cause->spots[0];
	const struct traffic t = traffic_of(s, p);
	char what[FINDING_WORDS_BYTES], others[FINDING_WORDS_BYTES];

	for (size_t i = 0; i < cause->count; i++) {
		const struct finding_spot *q = cause->spots[i];

		finding_save(c, q, FINDING_REQUESTS, q->stock[FINDING_REQUESTS] * held_share(q));
		finding_save(c, q, FINDING_BYTES, bytes_again(s, q) * held_share(q));
	}
	c->is_found = true;
	finding_show_limit(&c->f, "overwritten", overwritten_share(&t), FINDING_LIMIT_OWN, false);
	finding_show(&c->f, "reread", "share", rereads_share(&t));
	finding_show(&c->f, "writes_looked_at", "accesses", (double)t.written.accesses);
	finding_show(&c->f, "accesses_alike", "accesses", (double)(cause->count - 1));
	c->said = str_format(NULL,
	                     "keeps a running value in %s, in global memory: %.0f%% of the writes "
	                     "are replaced by the same work-item's next one%s",
	                     finding_object(what, s, p), 100 * overwritten_share(&t),
	                     finding_others(others, cause->count - 1));
}

const struct finder finding_accumulates = { is_accumulated, finding_by_argument, weigh_held,
	                                    claim_accumulates };

/* Returns all atomics through the argument; `reads` are their requests. */
static struct traffic updates_of(const struct finding_scene *s, const struct finding_spot *p)
{
	struct traffic t = { 0 };

	for (size_t i = 0; i < s->spot_count; i++) {
		const struct finding_spot *q = &s->spots[i];

		if (finding_by_argument(p, q) || q->facts->kind != SITE_ATOMIC)
			continue;
		line_share_add(&t.sharing, &q->sums.sharing);
		t.reads += l1_stats_requests(&q->sums.l1);
	}
	return t;
}

/* If few lines have most of them, hot-line reports that. What does not fit in local memory must
 * stay where it is. */
static bool is_updated_again(const struct finding_scene *s, const struct finding_spot *p)
{
	struct traffic t;

	if (p->facts->kind != SITE_ATOMIC || !l1_stats_requests(&p->sums.l1) ||
	    (p->hot_turns && finding_is_hot(s)))
		return false;
	t = updates_of(s, p);
	return reads_per_byte(&t) >= finding_limit(FINDING_LIMIT_UPDATES) &&
	       requests_left(s, &t) <= finding_limit(FINDING_LIMIT_READ_AGAIN) &&
	       tile_bytes(s, &t) <= (double)s->gpu->local_bytes;
}

static void claim_group_atomics(const struct finding_scene *s, const struct finding_cause *cause,
                                struct finding_claim *c)
{
	const struct finding_spot *p = cause->spots[0];
	const struct traffic t = updates_of(s, p);
	double groups = (double)s->kernel->counts.groups, now = 0, left = requests_left(s, &t);
	char what[FINDING_WORDS_BYTES], often[FINDING_WORDS_BYTES], requests[FINDING_WORDS_BYTES];
	char once[FINDING_WORDS_BYTES], others[FINDING_WORDS_BYTES];

	for (size_t i = 0; i < cause->count; i++) {
		const struct finding_spot *q = cause->spots[i];

		finding_save(c, q, FINDING_REQUESTS, q->stock[FINDING_REQUESTS] * (1 - left));
		finding_save(c, q, FINDING_BYTES, q->stock[FINDING_BYTES] * (1 - left));
		finding_save(c, q, FINDING_LANES, q->stock[FINDING_LANES] * (1 - left));
		now += q->stock[FINDING_REQUESTS] / groups;
	}
	c->is_found = true;
	finding_show_limit(&c->f, "updates_per_byte", reads_per_byte(&t), FINDING_LIMIT_UPDATES,
	                   false);
	finding_show_limit(&c->f, "requests_left", left, FINDING_LIMIT_READ_AGAIN, true);
	finding_show(&c->f, "bytes_per_group", "bytes", tile_bytes(s, &t));
	finding_show(&c->f, "requests_per_group", "requests", now);
	finding_show(&c->f, "accesses_alike", "accesses", (double)(cause->count - 1));
	c->said = str_format(NULL,
	                     "updates each word of %s %s times in a group: %s requests a group; "
	                     "%s would add sums of its own%s",
	                     finding_object(what, s, p), finding_number(often, reads_per_byte(&t)),
	                     finding_number(requests, now), finding_number(once, now * left),
	                     finding_others(others, cause->count - 1));
}

const struct finder finding_group_atomics = { is_updated_again, finding_by_argument, weigh_reads,
	                                      claim_group_atomics };

/* The rules about sharing between groups: lines but no bytes, or bytes but not the SM. */

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

/* The sharing of the reads through one argument. */
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
