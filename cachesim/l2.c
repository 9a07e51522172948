/* SPDX-License-Identifier: Apache-2.0 */
#include "l2.h"

#include "array.h"
#include "cache_array.h"
#include "err.h"
#include "gpu.h"
#include "sector_masks.h"

#include <stdlib.h>
#include <string.h>

/* The state of a slot whose tag is in use. Sectors are bits. */
struct l2_line {
	uint64_t valid;  /* in L2 or on their way */
	uint64_t dirty;  /* sectors of `valid` and of slice->parts that are newer than DRAM */
	uint32_t writer; /* the site of the last write */
};

/* The request being served. */
struct service {
	struct l2_slice *slice;
	const struct l2_request *r;
	struct l2_reply *reply;
	struct l2_counters *site;
};

/* Add n to a counter of a slice and of a site. */
#define TALLY(slice_, site_, name, n) ((slice_)->total.name += (n), (site_)->name += (n))
#define COUNT(s, name, n)             TALLY((s)->slice, (s)->site, name, n)

/* Free what it owns. Accepts a zeroed struct. */
static void l2_slice_release(struct l2_slice *slice)
{
	cache_array_release(&slice->tags);
	free(slice->lines);
	free(slice->ready);
	free(slice->sharers);
	free(slice->left_sharers);
	free(slice->parts);
	free(slice->written);
	free(slice->changed);
	free(slice->dirty_counts);
	slice->lines = NULL;
	slice->ready = slice->sharers = slice->left_sharers = NULL;
	slice->parts = slice->written = slice->changed = NULL;
	slice->dirty_counts = NULL;
}

static int create_lines(struct l2_slice *slice, struct err *err)
{
	size_t slots = slice->slot_count, words = slice->shape->sharer_words;

	slice->lines = array_alloc(slots, sizeof(*slice->lines), "lines of L2", err);
	slice->ready = array_alloc(slots * slice->shape->sectors, sizeof(*slice->ready),
	                           "sectors of L2", err);
	slice->sharers = array_alloc(slots * words, sizeof(*slice->sharers), "L1s below", err);
	slice->left_sharers = array_alloc(words, sizeof(*slice->sharers), "L1s below", err);
	return slice->lines && slice->ready && slice->sharers && slice->left_sharers ? 0
	                                                                             : ERR_NOMEM;
}

/* The words of a mask with one bit for each byte of a line. */
static size_t line_words(const struct l2_slice *slice)
{
	return slice->shape->line_bytes < 64 ? 1 : slice->shape->line_bytes / 64;
}

static int create_parts(struct l2_slice *slice, struct err *err)
{
	size_t slots = slice->slot_count;

	slice->parts = array_alloc(slots, sizeof(*slice->parts), "lines of L2", err);
	slice->written =
		array_alloc(slots * line_words(slice), sizeof(*slice->written), "lines of L2", err);
	return slice->parts && slice->written ? 0 : ERR_NOMEM;
}

static int create_changed(struct l2_slice *slice, struct err *err)
{
	slice->changed =
		array_alloc(slice->slot_count, sizeof(*slice->changed), "lines of L2", err);
	slice->dirty_counts =
		array_alloc(slice->tags.sets, sizeof(*slice->dirty_counts), "sets of L2", err);
	if (!slice->changed || !slice->dirty_counts)
		return ERR_NOMEM;
	for (uint32_t slot = 0; slot < slice->slot_count; slot++)
		slice->changed[slot] = UINT64_MAX;
	return 0;
}

/* An empty slice with the sets, ways and policy of the GPU's L2; `number` seeds a random one. All
 * pointers are borrowed. Returns 0, ERR_CONFIG or ERR_NOMEM; release it in every case. */
static int l2_slice_init(struct l2_slice *slice, const struct gpu *gpu, uint32_t number,
                         struct err *err)
{
	const struct cache_array_setup setup = {
		.sets = gpu->l2_sets,
		.ways = gpu->l2_ways,
		.policy = &gpu->l2_policy,
		.stream = number,
	};
	int ret = cache_array_init(&slice->tags, &setup, err);

	slice->slot_count = gpu->l2_sets * gpu->l2_ways;
	if (!ret)
		ret = create_lines(slice, err);
	if (!ret && slice->shape->keeps_parts)
		ret = create_parts(slice, err);
	if (!ret && slice->shape->max_dirty)
		ret = create_changed(slice, err);
	return ret;
}

static void write_to_dram(struct l2_slice *slice, struct l2_counters *site, uint64_t line,
                          uint64_t sectors)
{
	TALLY(slice, site, bytes_to_dram,
	      (uint64_t)sector_runs_bits(sectors) * slice->shape->sector_bytes);
	while (sectors) {
		uint64_t bytes, at = sector_runs_cut(&sectors, slice->shape->sector_bytes, &bytes);

		dram_write(slice->dram, line * slice->shape->line_bytes + at, bytes);
	}
}

/* Record that the line of a slot is clean. */
static void count_clean(struct l2_slice *slice, uint32_t slot)
{
	if (!slice->shape->max_dirty)
		return;
	slice->changed[slot] = UINT64_MAX;
	slice->dirty_counts[cache_array_set(&slice->tags, slot)]--;
}

/* Write the dirty ones of `sectors` to DRAM; they become clean. */
static void write_back(struct l2_slice *slice, uint32_t slot, uint64_t sectors)
{
	struct l2_line *l = &slice->lines[slot];
	struct l2_counters *writer = &slice->sites[l->writer];

	sectors &= l->dirty;
	if (!sectors)
		return;
	l->dirty &= ~sectors;
	if (!l->dirty)
		count_clean(slice, slot);
	TALLY(slice, writer, write_backs, 1);
	write_to_dram(slice, writer, cache_array_key(&slice->tags, slot), sectors);
}

/* Returns the cycle in which the last of these sectors arrives, or `cycle` if later. */
static uint64_t ready_cycle(const struct l2_slice *slice, uint32_t slot, uint64_t sectors,
                            uint64_t cycle)
{
	const uint64_t *ready = slice->ready + (size_t)slot * slice->shape->sectors;

	for (; sectors; sectors &= sectors - 1)
		if (ready[__builtin_ctzll(sectors)] > cycle)
			cycle = ready[__builtin_ctzll(sectors)];
	return cycle;
}

/* Make those of `sectors` valid that are not; they arrive in this cycle. */
static void bring_sectors(struct l2_slice *slice, uint32_t slot, uint64_t sectors, uint64_t cycle)
{
	uint64_t *ready = slice->ready + (size_t)slot * slice->shape->sectors;
	uint64_t more = sectors & ~slice->lines[slot].valid;

	slice->lines[slot].valid |= more;
	for (; more; more &= more - 1)
		ready[__builtin_ctzll(more)] = cycle;
}

/* Read sectors of the line from DRAM. */
static void fetch(const struct service *s, uint64_t sectors)
{
	const struct l2_shape *shape = s->slice->shape;

	COUNT(s, bytes_from_dram, (uint64_t)sector_runs_bits(sectors) * shape->sector_bytes);
	while (sectors) {
		uint64_t bytes, at = sector_runs_cut(&sectors, shape->sector_bytes, &bytes);

		dram_read(s->slice->dram, s->r->line * shape->line_bytes + at, bytes);
	}
}

/* Report the sharers of a slot's line, which is being replaced. */
static void report_sharers(const struct service *s, uint32_t slot)
{
	struct l2_slice *slice = s->slice;
	size_t words = slice->shape->sharer_words;
	uint64_t *sharers = slice->sharers + slot * words;

	if (!words)
		return;
	s->reply->has_left = true;
	s->reply->left_line = cache_array_key(&slice->tags, slot);
	s->reply->left_cycle = ready_cycle(slice, slot, slice->lines[slot].valid, s->r->cycle);
	memcpy(slice->left_sharers, sharers, words * sizeof(*sharers));
	memset(sharers, 0, words * sizeof(*sharers));
	for (size_t i = 0; i < words; i++)
		COUNT(s, invalidations, sector_runs_bits(slice->left_sharers[i]));
}

/* Bring the line in, without sectors, replacing another line if needed. */
static uint32_t bring_line(const struct service *s)
{
	struct l2_slice *slice = s->slice;
	uint32_t slot = cache_array_victim(&slice->tags, s->r->set);

	if (cache_array_is_used(&slice->tags, slot)) {
		COUNT(s, evictions, 1);
		write_back(slice, slot, UINT64_MAX);
		report_sharers(s, slot);
	}
	cache_array_put(&slice->tags, slot, s->r->line);
	slice->lines[slot] = (struct l2_line){ 0 };
	if (slice->parts)
		slice->parts[slot] = 0;
	return slot;
}

static uint32_t find_line(const struct service *s)
{
	return cache_array_find(&s->slice->tags, s->r->set, s->r->line);
}

/* Use the line in `slot`, or bring it in if there is none. */
static uint32_t take_line(const struct service *s, uint32_t slot)
{
	if (slot == CACHE_ARRAY_NONE)
		return bring_line(s);
	cache_array_use(&s->slice->tags, slot);
	return slot;
}

/* Fetch the missing ones of `sectors` of a line in L2; false if none were missing. */
static bool fetch_missing(const struct service *s, uint32_t slot, uint64_t sectors)
{
	uint64_t missing = sectors & ~s->slice->lines[slot].valid;

	if (!missing)
		return false;
	fetch(s, missing);
	bring_sectors(s->slice, slot, missing, s->r->cycle + s->slice->shape->dram_cycles);
	return true;
}

/* Clean the dirty line of this set that was changed least recently. */
static void clean_one(struct l2_slice *slice, uint32_t set)
{
	uint32_t first = set * slice->tags.ways, oldest = first;

	for (uint32_t slot = first; slot < first + slice->tags.ways; slot++)
		if (slice->changed[slot] < slice->changed[oldest])
			oldest = slot;
	write_back(slice, oldest, UINT64_MAX);
}

/* Record that the line in a slot is changed now. */
static void count_change(const struct service *s, uint32_t slot, bool was_dirty)
{
	struct l2_slice *slice = s->slice;
	uint32_t max_dirty = slice->shape->max_dirty;

	if (!max_dirty)
		return;
	slice->changed[slot] = slice->changes++;
	slice->dirty_counts[s->r->set] += !was_dirty;
	if (slice->dirty_counts[s->r->set] > max_dirty)
		clean_one(slice, s->r->set);
}

/* Record changed sectors, valid or written in part: they become dirty, or are written to DRAM. */
static void change(const struct service *s, uint32_t slot, uint64_t sectors)
{
	struct l2_line *l = &s->slice->lines[slot];
	bool was_dirty;

	if (!s->slice->shape->is_write_back) {
		write_to_dram(s->slice, s->site, s->r->line, sectors);
		return;
	}
	was_dirty = l->dirty != 0;
	l->dirty |= sectors;
	l->writer = s->r->site;
	count_change(s, slot, was_dirty);
}

/* Count a read by its outcome. */
static void count_read(const struct service *s, bool has_line, bool has_missed)
{
	if (has_missed) {
		COUNT(s, read_misses, 1);
		COUNT(s, sector_misses, has_line);
	} else if (s->reply->cycle > s->r->cycle) {
		COUNT(s, pending_hits, 1);
	} else {
		COUNT(s, read_hits, 1);
	}
}

/* Count the sectors of a read; these are missing. */
static void count_sectors(const struct service *s, uint64_t missing)
{
	uint32_t missed = sector_runs_bits(missing);

	COUNT(s, sectors_missed, missed);
	COUNT(s, sectors_hit, sector_runs_bits(s->r->sectors) - missed);
}

static void share(const struct service *s, uint32_t slot)
{
	size_t words = s->slice->shape->sharer_words;

	if (words)
		s->slice->sharers[slot * words + s->r->sm / 64] |= (uint64_t)1 << s->r->sm % 64;
}

static void read_line(const struct service *s)
{
	uint32_t found = find_line(s), slot = take_line(s, found);
	bool has_missed;

	count_sectors(s, s->r->sectors & ~s->slice->lines[slot].valid);
	has_missed = fetch_missing(s, slot, s->r->sectors);
	s->reply->cycle = ready_cycle(s->slice, slot, s->r->sectors, s->r->cycle);
	if (s->r->kind == MESSAGE_READ)
		share(s, slot);
	count_read(s, found != CACHE_ARRAY_NONE, has_missed);
}

/* Move sectors to an L1. */
static void give_up(struct l2_slice *slice, uint32_t slot, uint64_t sectors)
{
	write_back(slice, slot, sectors);
	slice->lines[slot].valid &= ~sectors;
	if (slice->lines[slot].valid)
		cache_array_use(&slice->tags, slot);
	else
		cache_array_take(&slice->tags, slot);
}

static void read_exclusive(const struct service *s)
{
	uint32_t slot = find_line(s);
	bool has_line = slot != CACHE_ARRAY_NONE;
	uint64_t there = has_line ? s->slice->lines[slot].valid & s->r->sectors : 0;
	uint64_t missing = s->r->sectors & ~there;

	if (has_line) {
		s->reply->cycle = ready_cycle(s->slice, slot, there, s->r->cycle);
		give_up(s->slice, slot, there);
	}
	if (missing) {
		uint64_t ready = s->r->cycle + s->slice->shape->dram_cycles;

		fetch(s, missing);
		s->reply->cycle = ready > s->reply->cycle ? ready : s->reply->cycle;
	}
	count_sectors(s, missing);
	count_read(s, has_line, missing != 0);
}

/* Whether bytes [first, first + count) of a line are all set; count is a power of two that divides
 * first. */
static bool has_bytes(const uint64_t *bytes, uint32_t first, uint32_t count)
{
	uint64_t all = count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;

	for (uint32_t at = first; at < first + count; at += 64)
		if ((bytes[at / 64] >> at % 64 & all) != all)
			return false;
	return true;
}

static void clear_bytes(uint64_t *bytes, uint32_t first, uint32_t count)
{
	uint64_t all = count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;

	for (uint32_t at = first; at < first + count; at += 64)
		bytes[at / 64] &= ~(all << at % 64);
}

/* Record which bytes of `sectors`, which are not valid, are written. Sectors whose bytes are all
 * written become valid. */
static void keep_parts(const struct service *s, uint32_t slot, uint64_t sectors)
{
	struct l2_slice *slice = s->slice;
	const struct l2_request *r = s->r;
	uint32_t size = slice->shape->sector_bytes, step = r->byte_count < 64 ? r->byte_count : 64;
	uint64_t *bytes = slice->written + slot * line_words(slice), full = 0;

	for (uint64_t left = sectors & ~slice->parts[slot]; left; left &= left - 1)
		clear_bytes(bytes, (uint32_t)__builtin_ctzll(left) * size, size);
	for (uint32_t i = 0; i < r->byte_count; i += step)
		bytes[(r->first_byte + i) / 64] |= r->written[i / 64] << (r->first_byte + i) % 64;
	slice->parts[slot] |= sectors;
	for (uint64_t left = sectors; left; left &= left - 1) {
		uint32_t sector = (uint32_t)__builtin_ctzll(left);

		if (has_bytes(bytes, sector * size, size))
			full |= UINT64_C(1) << sector;
	}
	bring_sectors(slice, slot, full, r->cycle);
}

/* Serve a write that brings its line in. */
static void write_allocating(const struct service *s, uint32_t found)
{
	uint32_t slot = take_line(s, found);

	uint64_t missing;

	bring_sectors(s->slice, slot, s->r->whole, s->r->cycle);
	missing = s->r->sectors & ~s->slice->lines[slot].valid;
	if (missing && s->r->written) {
		keep_parts(s, slot, missing);
	} else {
		fetch_missing(s, slot, missing);
		COUNT(s, write_sectors_missed, sector_runs_bits(missing));
		COUNT(s, write_sectors_hit, 0 - (uint64_t)sector_runs_bits(missing));
	}
	change(s, slot, s->r->sectors);
}

/* Serve a write through to DRAM; in a line that is in L2, whole sectors become valid. */
static void write_through(const struct service *s, uint32_t found)
{
	write_to_dram(s->slice, s->site, s->r->line, s->r->sectors);
	if (found == CACHE_ARRAY_NONE)
		return;
	cache_array_use(&s->slice->tags, found);
	if (!s->slice->shape->is_exclusive)
		bring_sectors(s->slice, found, s->r->whole, s->r->cycle);
}

static void write_exclusive(const struct service *s, uint32_t found)
{
	uint64_t there = 0;

	if (found != CACHE_ARRAY_NONE) {
		there = s->slice->lines[found].valid & s->r->sectors;
		cache_array_use(&s->slice->tags, found);
		if (there)
			change(s, found, there);
	}
	write_to_dram(s->slice, s->site, s->r->line, s->r->sectors & ~there);
}

static void write_line(const struct service *s)
{
	uint32_t found = find_line(s);

	COUNT(s, write_hits, found != CACHE_ARRAY_NONE);
	COUNT(s, write_sectors_hit, sector_runs_bits(s->r->sectors));
	if (!s->slice->shape->is_write_back)
		write_through(s, found);
	else if (s->slice->shape->is_exclusive)
		write_exclusive(s, found);
	else
		write_allocating(s, found);
}

static void change_line(const struct service *s)
{
	uint32_t slot = take_line(s, find_line(s));
	bool has_missed = fetch_missing(s, slot, s->r->sectors);

	COUNT(s, atomic_misses, has_missed);
	s->reply->cycle = ready_cycle(s->slice, slot, s->r->sectors, s->r->cycle);
	change(s, slot, s->r->sectors);
}

static void take_victim(const struct service *s)
{
	uint32_t slot = take_line(s, find_line(s));

	bring_sectors(s->slice, slot, s->r->sectors, s->r->cycle);
}

static void serve_read(const struct service *s)
{
	COUNT(s, reads, 1);
	COUNT(s, bytes_to_l1, s->r->bytes);
	if (s->slice->shape->is_exclusive && s->r->kind == MESSAGE_READ)
		read_exclusive(s);
	else
		read_line(s);
}

void l2_slice_serve(struct l2_slice *slice, const struct l2_request *r, struct l2_reply *reply)
{
	const struct service s = { slice, r, reply, &slice->sites[r->site] };

	reply->cycle = r->cycle;
	reply->has_left = false;
	if (r->kind == MESSAGE_READ || r->kind == MESSAGE_READ_PAST) {
		serve_read(&s);
		return;
	}
	COUNT(&s, bytes_from_l1, r->bytes);
	if (r->kind == MESSAGE_ATOMIC) {
		COUNT(&s, atomics, 1);
		change_line(&s);
	} else if (r->kind == MESSAGE_VICTIM) {
		COUNT(&s, victims, 1);
		take_victim(&s);
	} else {
		COUNT(&s, writes, 1);
		write_line(&s);
	}
}

void l2_slice_fetch_set(const struct l2_slice *slice, uint32_t set, uint64_t line)
{
	cache_array_fetch_ahead(&slice->tags, set, line);
}

void l2_slice_fetch_line(const struct l2_slice *slice, uint32_t set, uint64_t line)
{
	uint32_t slot = cache_array_find(&slice->tags, set, line);

	if (slot == CACHE_ARRAY_NONE)
		slot = cache_array_oldest(&slice->tags, set);
	if (slot == CACHE_ARRAY_NONE)
		return;
	if (slice->tags.is_wide && slice->tags.links)
		__builtin_prefetch(&slice->tags.links[slot], 1);
	__builtin_prefetch(&slice->lines[slot], 1);
	__builtin_prefetch(&slice->ready[(size_t)slot * slice->shape->sectors], 1);
}

/* Write all dirty sectors to DRAM; lines stay, clean. */
static void l2_slice_flush(struct l2_slice *slice)
{
	for (uint32_t slot = 0; slot < slice->slot_count; slot++) {
		const struct l2_line *l = &slice->lines[slot];

		if (!cache_array_is_used(&slice->tags, slot))
			continue;
		TALLY(slice, &slice->sites[l->writer], bytes_left,
		      (uint64_t)sector_runs_bits(l->dirty) * slice->shape->sector_bytes);
		write_back(slice, slot, UINT64_MAX);
	}
}

enum { SMS_OF_A_WORD = 64 };

/* log2, rounded up. */
static uint32_t bits_of(uint32_t count)
{
	return count > 1 ? 32 - (uint32_t)__builtin_clz(count - 1) : 0;
}

/* The most dirty lines of a set; 0: no limit. */
static uint32_t max_dirty(const struct gpu *gpu)
{
	uint32_t lines = gpu->l2_ways * gpu->l2_dirty_percent / 100;

	return lines ? lines : 1;
}

static void take_shape(struct l2 *l2, const struct gpu *gpu)
{
	uint32_t sector = gpu->l2_sector_bytes ? gpu->l2_sector_bytes : gpu->l2_line_bytes;

	l2->shape = (struct l2_shape){
		.line_bytes = gpu->l2_line_bytes,
		.line_shift = (uint32_t)__builtin_ctz(gpu->l2_line_bytes),
		.sector_bytes = sector,
		.sectors = gpu->l2_line_bytes / sector,
		.dram_cycles = gpu->latency == GPU_LATENCY_OFF ? 0 : gpu->dram_cycles,
		.is_write_back = gpu->l2_write == GPU_L2_WRITE_BACK_ALLOCATE,
		.is_exclusive = gpu->l2_inclusion == GPU_L2_INCLUSION_EXCLUSIVE,
		.keeps_parts = gpu->l2_partial_write == GPU_L2_PARTIAL_WRITE_MASK,
	};
	if (gpu->l2_dirty_percent && gpu->l2_dirty_percent < 100)
		l2->shape.max_dirty = max_dirty(gpu);
	if (gpu->l2_inclusion == GPU_L2_INCLUSION_INCLUSIVE)
		l2->shape.sharer_words = (gpu->sm_count + SMS_OF_A_WORD - 1) / SMS_OF_A_WORD;
	l2->is_by_address = gpu->l2_index.kind == GPU_L1_INDEX_BITS;
	if (gpu->l2_slice_index == GPU_SLICE_INDEX_XOR)
		l2->fold_bits = bits_of(gpu->l2_slices);
}

static int create_slices(struct l2 *l2, const struct gpu *gpu, struct err *err)
{
	int ret = 0;

	l2->slices = array_alloc(gpu->l2_slices, sizeof(*l2->slices), "L2 slices", err);
	l2->sites = array_alloc(l2->site_count, sizeof(*l2->sites), "L2 counters of sites", err);
	if (!l2->slices || !l2->sites)
		return ERR_NOMEM;
	l2->slice_count = gpu->l2_slices;
	for (uint32_t i = 0; i < l2->slice_count && !ret; i++) {
		struct l2_slice *slice = &l2->slices[i];

		slice->shape = &l2->shape;
		slice->dram = &l2->dram;
		slice->sites = l2->sites;
		ret = l2_slice_init(slice, gpu, i, err);
	}
	return ret;
}

int l2_init(struct l2 *l2, const struct gpu *gpu, size_t site_count, struct err *err)
{
	int ret;

	*l2 = (struct l2){ .site_count = site_count };
	ret = gpu_check(gpu, err);
	if (ret)
		return ret;
	take_shape(l2, gpu);
	ret = set_index_init_for(&l2->set_index, &gpu->l2_index, gpu->l2_sets, gpu->l2_line_bytes,
	                         "l2", err);
	if (!ret)
		ret = dram_init(&l2->dram, gpu->dram_channels, gpu->dram_interleave_bytes, err);
	if (!ret)
		ret = create_slices(l2, gpu, err);
	return ret;
}

void l2_release(struct l2 *l2)
{
	for (uint32_t i = 0; i < l2->slice_count; i++)
		l2_slice_release(&l2->slices[i]);
	free(l2->slices);
	free(l2->sites);
	dram_release(&l2->dram);
	*l2 = (struct l2){ 0 };
}

/* The line XORed with itself shifted right by one, two, three ... times `bits`. In the ring of
 * polynomials the sum of all powers of the shift is the product of one plus its 1st, 2nd, 4th, 8th
 * ... power. */
static uint64_t fold(uint64_t line, uint32_t bits)
{
	for (; bits < 64; bits *= 2)
		line ^= line >> bits;
	return line;
}

static uint64_t modulo(uint64_t n, uint32_t count)
{
	return count & (count - 1) ? n % count : n & (count - 1);
}

struct l2_place l2_find(const struct l2 *l2, uint64_t line)
{
	uint64_t folded = l2->fold_bits ? fold(line, l2->fold_bits) : line;
	uint64_t inside = l2->is_by_address ? line : line / l2->slice_count;

	return (struct l2_place){ &l2->slices[modulo(folded, l2->slice_count)],
		                  set_index_find(&l2->set_index, inside) };
}

void l2_flush(struct l2 *l2)
{
	for (uint32_t i = 0; i < l2->slice_count; i++)
		l2_slice_flush(&l2->slices[i]);
}
