/* SPDX-License-Identifier: Apache-2.0 */
#include "l1.h"

#include "array.h"
#include "err.h"
#include "gpu.h"
#include "miss_classes.h"
#include "set_index.h"

#include <assert.h>
#include <stdlib.h>

/* A set is an array of ways, most recently read first, empty ones last: the last way is the one
 * to replace. */
struct way {
	uint64_t key;          /* line + 1; 0: empty */
	uint64_t ready_cycles; /* when its fill comes, or came */
};

struct l1 {
	struct way *ways; /* sets * way_count */
	struct set_index index;
	uint32_t way_count;
	uint32_t line_shift; /* log2(line_bytes) */
	uint32_t line_bytes;
	uint64_t hit_cycles;
	uint64_t miss_cycles;
	bool is_evicting; /* a write hit takes the line out */
	struct miss_classes classes;
};

/* What the GPU can say and this L1 does not do yet: 0 or ERR_CONFIG. */
static int check_modelled(const struct gpu *gpu, struct err *err)
{
	const struct {
		const char *key;
		bool is_set;
	} rows[] = {
		{ "l1_policy", gpu->l1_policy.kind != GPU_POLICY_LRU },
		{ "l1_sector_bytes", gpu->l1_sector_bytes != 0 },
		{ "l1_write", gpu->l1_write > GPU_L1_WRITE_THROUGH_UPDATE },
		{ "l1_allocation", gpu->l1_allocation != GPU_L1_ALLOCATION_AT_MISS },
		{ "l1_mshr_entries", gpu->l1_mshr_entries != 0 },
		{ "l1_mshr_merge", gpu->l1_mshr_merge != 0 },
		{ "l2", gpu->l2 != GPU_L2_OFF },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].is_set)
			return err_set(err, ERR_CONFIG, "%s: what %s says is not modelled yet",
			               gpu->name, rows[i].key);
	return 0;
}

/* The set-independent part: 0 or ERR_CONFIG. */
static int take_config(struct l1 *l1, const struct gpu *gpu, struct err *err)
{
	uint64_t lines = (uint64_t)gpu->l1_sets * gpu->l1_ways;

	if (!lines || lines > 1u << 30)
		return err_set(err, ERR_CONFIG, "%s: l1_sets * l1_ways is outside 1..2^30",
		               gpu->name);
	if (gpu->l1_line_bytes < 16 || gpu->l1_line_bytes & (gpu->l1_line_bytes - 1))
		return err_set(err, ERR_CONFIG,
		               "%s: l1_line_bytes = %u is not a power of two of at least 16",
		               gpu->name, gpu->l1_line_bytes);
	l1->way_count = gpu->l1_ways;
	l1->line_bytes = gpu->l1_line_bytes;
	l1->line_shift = (uint32_t)__builtin_ctz(gpu->l1_line_bytes);
	l1->hit_cycles = gpu->l1_hit_cycles;
	l1->miss_cycles = l1->hit_cycles + gpu->l2_cycles;
	if (gpu->latency == GPU_LATENCY_OFF)
		l1->hit_cycles = l1->miss_cycles = 0;
	l1->is_evicting = gpu->l1_write == GPU_L1_WRITE_THROUGH_EVICT;
	return set_index_init(&l1->index, gpu, err);
}

int l1_create(struct l1 **out, const struct gpu *gpu, const struct l1_setup *setup, struct err *err)
{
	struct l1 *l1 = array_alloc(1, sizeof(*l1), "L1", err);
	size_t lines;
	int ret;

	if (!l1)
		return ERR_NOMEM;
	ret = check_modelled(gpu, err);
	if (!ret)
		ret = take_config(l1, gpu, err);
	if (ret)
		goto out;
	lines = (size_t)gpu->l1_sets * gpu->l1_ways;
	ret = miss_classes_init(&l1->classes, (uint32_t)lines, err);
	if (ret)
		goto out;
	l1->ways = array_alloc(lines, sizeof(*l1->ways), "L1", err);
	if (!l1->ways) {
		ret = ERR_NOMEM;
		goto out;
	}
	*out = l1;
	l1 = NULL;
out:
	l1_free(l1);
	return ret;
}

void l1_free(struct l1 *l1)
{
	if (!l1)
		return;
	miss_classes_release(&l1->classes);
	free(l1->ways);
	free(l1);
}

/* Where in its set a line is; count when it is not there. */
static uint32_t find_way(const struct way *set, uint32_t count, uint64_t key)
{
	uint32_t at = 0;

	while (at < count && set[at].key != key)
		at++;
	return at;
}

/* Put `way` first; those before `at` move one place back over what was at `at`. */
static void put_first(struct way *set, uint32_t at, struct way way)
{
	for (; at > 0; at--)
		set[at] = set[at - 1];
	set[0] = way;
}

/* Empty the way at `at`; those behind it move one place forward. */
static void take_out(struct way *set, uint32_t count, uint32_t at)
{
	for (; at + 1 < count; at++)
		set[at] = set[at + 1];
	set[at] = (struct way){ 0 };
}

static void count_miss(enum miss_class class, struct counters *c)
{
	switch (class) {
	case MISS_COLD:
		c->cold++;
		break;
	case MISS_COHERENCE:
		c->coherence++;
		break;
	case MISS_CAPACITY:
		c->capacity++;
		break;
	case MISS_CONFLICT:
		c->conflict++;
		break;
	}
}

static uint64_t miss(struct l1 *l1, struct way *set, uint64_t line, uint64_t now_cycles,
                     struct counters *c)
{
	uint64_t ready_cycles = now_cycles + l1->miss_cycles;
	uint32_t last = l1->way_count - 1;

	c->read_misses++;
	c->bytes_from_l2 += l1->line_bytes;
	c->evictions += set[last].key != 0;
	put_first(set, last, (struct way){ line + 1, ready_cycles });
	count_miss(miss_classes_miss(&l1->classes, line), c);
	return ready_cycles;
}

static uint64_t read_line(struct l1 *l1, struct way *set, uint64_t line, uint64_t now_cycles,
                          struct counters *c)
{
	uint64_t ready_cycles = now_cycles + l1->hit_cycles;
	uint32_t at = find_way(set, l1->way_count, line + 1);
	struct way way;

	c->reads++;
	if (at == l1->way_count)
		return miss(l1, set, line, now_cycles, c);
	way = set[at];
	put_first(set, at, way);
	miss_classes_hit(&l1->classes, line);
	if (way.ready_cycles <= now_cycles) {
		c->read_hits++;
		return ready_cycles;
	}
	c->pending_hits++;
	return way.ready_cycles > ready_cycles ? way.ready_cycles : ready_cycles;
}

static uint64_t write_line(struct l1 *l1, struct way *set, uint64_t line, uint64_t now_cycles,
                           struct counters *c)
{
	uint32_t at = find_way(set, l1->way_count, line + 1);

	c->writes++;
	if (at == l1->way_count)
		return now_cycles;
	c->write_hits++;
	if (l1->is_evicting) {
		take_out(set, l1->way_count, at);
		miss_classes_take(&l1->classes, line);
	}
	return now_cycles;
}

static uint64_t change_line(struct l1 *l1, struct way *set, uint64_t line, uint64_t now_cycles,
                            struct counters *c)
{
	uint32_t at = find_way(set, l1->way_count, line + 1);

	c->atomics++;
	if (at < l1->way_count) {
		take_out(set, l1->way_count, at);
		miss_classes_take(&l1->classes, line);
	}
	return now_cycles + l1->miss_cycles;
}

uint64_t l1_request(struct l1 *l1, const struct request *r, uint64_t now_cycles,
                    struct counters *counters)
{
	uint64_t line = r->line >> l1->line_shift;
	struct way *set = l1->ways + (size_t)set_index_find(&l1->index, line) * l1->way_count;

	assert(r->kind <= SITE_ATOMIC);
	counters->lanes += r->lanes;
	counters->bytes_asked += r->bytes_used;
	if (r->kind == SITE_READ)
		return read_line(l1, set, line, now_cycles, counters);
	counters->bytes_to_l2 += r->bytes_used;
	if (r->kind == SITE_WRITE)
		return write_line(l1, set, line, now_cycles, counters);
	return change_line(l1, set, line, now_cycles, counters);
}

int l1_status(const struct l1 *l1, struct err *err)
{
	return miss_classes_status(&l1->classes, err);
}

uint64_t l1_port_free(const struct l1 *l1)
{
	return 0;
}

void l1_advance(struct l1 *l1, uint64_t until)
{
}

void l1_settle(struct l1 *l1, const struct below_answer *answers, size_t count)
{
}

bool l1_next_answer(struct l1 *l1, struct memory_answer *out)
{
	return false;
}

void l1_end(struct l1 *l1, uint64_t now_cycles)
{
}
