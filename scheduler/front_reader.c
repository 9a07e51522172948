/* SPDX-License-Identifier: Apache-2.0 */
#include "warp_former_private.h"

#include "err.h"
#include "loop_path.h"

#include <inttypes.h>

/* Add to `why` whose event it was. */
static int refuse(const struct warp_former *f, uint32_t lane, const struct err *why,
                  struct err *err)
{
	uint64_t event = f->before[lane] + (uint64_t)(f->next[lane] - f->begin[lane]);

	return err_set(err, why->code ? (enum err_code)why->code : ERR_FORMAT,
	               "work-item %" PRIu32 ", event %" PRIu64 ": %s", f->first_item + lane, event,
	               why->msg);
}

/* Whether all lanes of a front have ended, or have the same event next. */
static enum outcome compare_lanes(const struct warp_former *f, const struct front *fr)
{
	const struct event *first = f->next[fr->lane[0]];
	uint64_t differs = 0;

	if (first == f->end[fr->lane[0]]) {
		for (uint32_t i = 1; i < fr->lane_count; i++)
			if (f->next[fr->lane[i]] != f->end[fr->lane[i]])
				return APART;
		return ENDED;
	}
	for (uint32_t i = 1; i < fr->lane_count; i++) {
		const struct event *e = f->next[fr->lane[i]];

		if (e == f->end[fr->lane[i]])
			return APART;
		differs |= (e->point ^ first->point) | (e->iteration ^ first->iteration);
	}
	return differs ? APART : AT_SITE;
}

/* EVENT_LOOP and EVENT_EPOCH, which all lanes of the front have next. */
static int take_loop_event(struct warp_former *f, uint32_t number, enum outcome *outcome,
                           struct err *err)
{
	const struct front *fr = &f->fronts[number];
	const struct event *first = f->next[fr->lane[0]];
	uint32_t loop = first->point & EVENT_ID_MASK;
	struct err why = { 0 };
	int rc;

	for (uint32_t i = 1; i < fr->lane_count; i++)
		if (f->next[fr->lane[i]]->value != first->value) {
			*outcome = APART;
			return 0;
		}
	if ((first->point & EVENT_KIND_MASK) == EVENT_LOOP)
		rc = loop_path_enter(path_of(f, number), f->levels, f->table, loop, first->value,
		                     &why);
	else
		rc = loop_path_epoch(path_of(f, number), f->levels, f->table, loop, first->value,
		                     &why);
	if (rc)
		return refuse(f, fr->lane[0], &why, err);
	return front_advance(f, fr, err);
}

/* EVENT_SIZE, which all lanes of the front have next: each has its own size. */
static int take_sizes(struct warp_former *f, const struct front *fr, struct err *err)
{
	uint32_t site = f->next[fr->lane[0]]->point & EVENT_ID_MASK;
	struct err why = { 0 };

	for (uint32_t i = 0; i < fr->lane_count; i++) {
		uint32_t lane = fr->lane[i];
		const struct event *e = f->next[lane];

		if (e + 1 == f->end[lane] || e[1].point != site) /* EVENT_SITE is 0 */
			err_set(&why, ERR_FORMAT, "a size for site %" PRIu32 " without its access",
			        site);
		else if (e->value > WARP_ACCESS_LIMIT_BYTES)
			err_set(&why, ERR_LIMIT,
			        "an access of %" PRIu64 " bytes: at most %u are "
			        "replayed",
			        e->value, WARP_ACCESS_LIMIT_BYTES);
		if (why.code)
			return refuse(f, lane, &why, err);
		f->size[lane] = e->value;
		f->next[lane]++; /* to its access, which is there */
	}
	return 0;
}

/* The front's lanes have the event of a site next: check it, and put the front there. */
static int stand_at_site(struct warp_former *f, uint32_t number, struct err *err)
{
	struct front *fr = &f->fronts[number];
	const struct event *e = f->next[fr->lane[0]];
	struct err why = { 0 };
	const struct site *site;

	fr->site = e->point;
	if (fr->site >= f->table->site_count) {
		err_set(&why, ERR_FORMAT, "there is no site %" PRIu32 ": the kernel has %zu",
		        fr->site, f->table->site_count);
		return refuse(f, fr->lane[0], &why, err);
	}
	if (loop_path_stand(path_of(f, number), f->levels, f->table, fr->site, e->iteration, &why))
		return refuse(f, fr->lane[0], &why, err);
	site = &f->table->sites[fr->site];
	if (site->bytes > WARP_ACCESS_LIMIT_BYTES) {
		err_set(&why, ERR_LIMIT, "an access of %" PRIu32 " bytes: at most %u are replayed",
		        site->bytes, WARP_ACCESS_LIMIT_BYTES);
		return refuse(f, fr->lane[0], &why, err);
	}
	if (site->bytes || !site_kind_is_access(site->kind))
		return 0;
	for (uint32_t i = 0; i < fr->lane_count; i++)
		if (f->size[fr->lane[i]] == SIZE_NONE) {
			err_set(&why, ERR_FORMAT, "an access of site %" PRIu32 " without its size",
			        fr->site);
			return refuse(f, fr->lane[i], &why, err);
		}
	return 0;
}

int front_read_on(struct warp_former *f, uint32_t number, enum outcome *outcome, struct err *err)
{
	static const struct err packed = { .msg = "a part of a run or grid without its beginning" };
	struct front *fr = &f->fronts[number];
	int rc = 0;

	while (!rc) {
		*outcome = compare_lanes(f, fr);
		if (*outcome != AT_SITE)
			return 0;
		switch (f->next[fr->lane[0]]->point & EVENT_KIND_MASK) {
		case EVENT_SITE:
			return stand_at_site(f, number, err);
		case EVENT_SIZE:
			rc = take_sizes(f, fr, err);
			break;
		case EVENT_LOOP:
		case EVENT_EPOCH:
			rc = take_loop_event(f, number, outcome, err);
			if (*outcome == APART)
				return rc;
			break;
		default:
			rc = refuse(f, fr->lane[0], &packed, err);
		}
	}
	return rc;
}
