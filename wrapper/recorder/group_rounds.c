/* SPDX-License-Identifier: Apache-2.0 */
#include "group_rounds.h"

#include "array.h"
#include "err.h"
#include "word_decoder.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define MOST_STATE_BYTES (UINT64_C(4) << 20)

int group_rounds_init(struct group_rounds *g, const struct kernel_table *table, uint32_t items,
                      struct err *err)
{
	*g = (struct group_rounds){ .item_count = items,
		                    .state_bytes = word_decoder_state_bytes(table) };
	if (g->state_bytes > MOST_STATE_BYTES / items)
		return err_set(err, ERR_LIMIT, "the states of %u work-items are too large", items);
	g->skips = array_alloc(items, sizeof(*g->skips), "rounds of a group", err);
	g->items = array_alloc(items, sizeof(*g->items), "rounds of a group", err);
	g->states = array_alloc(items, g->state_bytes, "rounds of a group", err);
	return g->skips && g->items && g->states ? 0 : ERR_NOMEM;
}

void group_rounds_release(struct group_rounds *g)
{
	free(g->skips);
	free(g->items);
	free(g->states);
	memset(g, 0, sizeof(*g));
}

bool group_rounds_next(struct group_rounds *g)
{
	uint64_t before = g->chunks;

	g->chunks = 0;
	for (uint32_t i = 0; i < g->item_count; i++) {
		g->chunks += g->items[i].chunks;
		g->skips[i] = g->items[i].chunks ? g->items[i].chunks - 1 : 0;
	}
	g->round++;
	return g->chunks > before;
}

unsigned char *group_rounds_state(const struct group_rounds *g, uint32_t item)
{
	return g->states + item * g->state_bytes;
}

void group_rounds_keep(struct group_rounds *g, uint32_t item, const uint64_t *chunk, uint32_t words)
{
	g->items[item].words = words;
	g->items[item].sum = XXH64(chunk, words * sizeof(*chunk), 0);
}

bool group_rounds_is_same(const struct group_rounds *g, uint32_t item, const uint64_t *chunk)
{
	const struct round_item *kept = &g->items[item];

	return XXH64(chunk, kept->words * sizeof(*chunk), 0) == kept->sum;
}
