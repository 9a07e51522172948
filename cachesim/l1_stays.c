/* SPDX-License-Identifier: Apache-2.0 */
#include "l1_stays.h"

#include "bits.h"
#include "request.h"

#include <string.h>

void l1_stays_init(struct l1_stays *s, const struct l1_observer *observer, uint32_t line_bytes,
                   uint32_t sector_bytes)
{
	*s = (struct l1_stays){ .observer = observer,
		                .words = line_bytes < 64 ? 1 : line_bytes / 64,
		                .sector_bytes = sector_bytes };
	array_init(&s->stays, sizeof(struct l1_residency), UINT32_MAX, "lines that are observed");
	array_init(&s->moved, sizeof(uint64_t), UINT32_MAX, "lines that are observed");
	array_init(&s->used, sizeof(uint64_t), SIZE_MAX, "lines that are observed");
}

void l1_stays_release(struct l1_stays *s)
{
	array_release(&s->stays);
	array_release(&s->used);
	array_release(&s->moved);
}

static struct l1_residency *stay_at(const struct l1_stays *s, uint32_t stay)
{
	return (struct l1_residency *)s->stays.data + stay;
}

static uint64_t *moved_at(const struct l1_stays *s, uint32_t stay)
{
	return (uint64_t *)s->moved.data + stay;
}

static uint64_t *used_at(const struct l1_stays *s, uint32_t stay)
{
	return (uint64_t *)s->used.data + (size_t)stay * s->words;
}

/* Returns an unused stay, adding the zeroed stay 0 before the first; 0 if out of memory. */
static uint32_t take_free(struct l1_stays *s)
{
	uint32_t stay = s->free;
	size_t count = s->stays.count ? 1 : 2;

	if (stay) {
		s->free = stay_at(s, stay)->set;
		return stay;
	}
	if (array_push(&s->used, count * s->words, NULL) && array_push(&s->moved, count, NULL) &&
	    array_push(&s->stays, count, NULL))
		return (uint32_t)s->stays.count - 1;
	s->is_failed = true;
	return 0;
}

uint32_t l1_stays_begin(struct l1_stays *s, const struct l1_residency *first)
{
	uint32_t stay = s->observer && !s->is_failed ? take_free(s) : 0;

	if (stay) {
		*stay_at(s, stay) = *first;
		memset(used_at(s, stay), 0, s->words * sizeof(uint64_t));
		*moved_at(s, stay) = 0;
	}
	return stay;
}

bool l1_stays_reserve(struct l1_stays *s, size_t count)
{
	s->is_failed = !array_push(&s->used, (count + 1) * s->words, NULL) ||
	               !array_push(&s->moved, count + 1, NULL) ||
	               !array_push(&s->stays, count + 1, NULL);
	return !s->is_failed;
}

void l1_stays_begin_at(struct l1_stays *s, uint32_t stay, const struct l1_residency *first)
{
	*stay_at(s, stay) = *first;
	memset(used_at(s, stay), 0, s->words * sizeof(uint64_t));
	*moved_at(s, stay) = 0;
}

static void use_bytes(struct l1_stays *s, uint32_t stay, const struct request *r)
{
	uint64_t *used = used_at(s, stay);

	for (uint32_t i = 0; i < s->words; i++)
		used[i] |= r->used[i];
}

void l1_stays_first(struct l1_stays *s, uint32_t stay, const struct request *r)
{
	if (!stay)
		return;
	if (r->kind == SITE_WRITE) {
		stay_at(s, stay)->writes++;
		return;
	}
	stay_at(s, stay)->first_bytes_used = r->bytes_used;
	use_bytes(s, stay, r);
}

void l1_stays_use(struct l1_stays *s, uint32_t stay, const struct request *r)
{
	if (!stay)
		return;
	if (r->kind == SITE_WRITE) {
		stay_at(s, stay)->writes++;
		return;
	}
	stay_at(s, stay)->uses++;
	use_bytes(s, stay, r);
}

void l1_stays_move(struct l1_stays *s, uint32_t stay, uint64_t sectors)
{
	if (!stay)
		return;
	stay_at(s, stay)->bytes_moved += bits_count(sectors) * s->sector_bytes;
	*moved_at(s, stay) |= sectors;
}

/* Returns the bytes of the line's word `word` that are in moved sectors. */
static uint64_t moved_bytes(const struct l1_stays *s, uint64_t sectors, uint32_t word)
{
	uint32_t bytes = s->sector_bytes, first;
	uint64_t mask = 0;

	if (bytes == s->words * 64) /* the line is one sector */
		return sectors ? UINT64_MAX : 0;
	first = word * 64 / bytes;
	if (bytes >= 64)
		return sectors >> first & 1 ? UINT64_MAX : 0;
	for (uint32_t i = 0; i < 64 / bytes; i++)
		if (sectors >> (first + i) & 1)
			mask |= ((UINT64_C(1) << bytes) - 1) << i * bytes;
	return mask;
}

void l1_stays_end(struct l1_stays *s, uint32_t stay, uint64_t now_cycles, enum l1_leave reason)
{
	struct l1_residency *x = stay ? stay_at(s, stay) : NULL;
	const uint64_t *used = stay ? used_at(s, stay) : NULL;

	if (!stay)
		return;
	for (uint32_t i = 0; i < s->words; i++)
		x->bytes_used += bits_count(used[i] & moved_bytes(s, *moved_at(s, stay), i));
	x->out_cycles = now_cycles;
	x->reason = reason;
	s->observer->left(s->observer->context, x);
	x->set = s->free;
	s->free = stay;
}
