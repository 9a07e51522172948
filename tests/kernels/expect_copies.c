/* SPDX-License-Identifier: Apache-2.0 */
#include "expect.h"

/* One side of an async copy: item e of the `count` is work-item e modulo the group's size. */
static void copies(struct expect *e, const struct work_item *w, enum site_kind kind, int argument,
                   int64_t first, const int64_t shape[3])
{
	int64_t count = shape[0], stride = shape[1], bytes = shape[2];

	EACH(i, w->local[0], i < count, 8)
		emit(e, kind, argument, (first + i * stride) * bytes, bytes);
}

static void async_in(struct expect *e, const struct work_item *w)
{
	copies(e, w, SITE_READ, 0, 8 * w->group[0], (int64_t[]){ 8, 1, 4 });
	writes(e, 1, w->id[0], 4);
}

static void async_out(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 4);
	meets(e);
	copies(e, w, SITE_WRITE, 1, 8 * w->group[0], (int64_t[]){ 8, 1, 4 });
}

static void async_strided(struct expect *e, const struct work_item *w)
{
	copies(e, w, SITE_READ, 0, 32 * w->group[0], (int64_t[]){ 8, 4, 4 });
	meets(e);
	meets(e);
	copies(e, w, SITE_WRITE, 1, 24 * w->group[0], (int64_t[]){ 8, 3, 4 });
}

static void async_both(struct expect *e, const struct work_item *w)
{
	copies(e, w, SITE_READ, 0, 8 * w->group[0], (int64_t[]){ 8, 1, 16 });
	meets(e);
	copies(e, w, SITE_WRITE, 1, 8 * w->group[0], (int64_t[]){ 8, 1, 16 });
}

static void prefetched(struct expect *e, const struct work_item *w)
{
	int64_t i = w->id[0];

	emit(e, SITE_PREFETCH, 0, 4 * i, 16);
	emit(e, SITE_PREFETCH, 0, 128, 4 * ((i & 3) + 1));
	reads(e, 0, i, 4);
	reads(e, 0, 63 - i, 4);
	writes(e, 1, i, 4);
}

const struct expectation expectations[] = { { "async_in", async_in },
	                                    { "async_out", async_out },
	                                    { "async_strided", async_strided },
	                                    { "async_both", async_both },
	                                    { "prefetched", prefetched },
	                                    { "async_unset", async_in },
	                                    { NULL, NULL } };
