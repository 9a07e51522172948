/* SPDX-License-Identifier: Apache-2.0 */
#include "coalesce.h"

#include "err.h"
#include "gpu.h"
#include "pattern_set.h"
#include "warp_former.h"

#include <inttypes.h>
#include <string.h>

enum { WORD_BITS = 64 };

/* The lines of a part are searched linearly up to the first limit, then through c->places up to the
 * second, which leaves free places there, then linearly again. */
enum { LINES_FEW = 6, LINES_MANY = LINE_PLACES * 3 / 4 };

/* The lanes served together, by gpu->coalescing. */
static const struct coalescing_rule rules[] = {
	[GPU_COALESCING_FERMI] = { 4, WARP_LANES_MAX, 128 },
	[GPU_COALESCING_MAXWELL] = { 4, 8, 32 },
	[GPU_COALESCING_VOLTA] = { 128, WARP_LANES_MAX, 1 },
};

/* Real accesses stay far below; this bounds the memory of a hostile one. */
static const size_t USES_LIMIT = (size_t)1 << 24;

void coalescer_init(struct coalescer *c, const struct gpu *gpu, const struct address_map *map)
{
	*c = (struct coalescer){
		.map = map,
		.counts_unmapped = !address_map_is_identity(map),
		.rule = rules[gpu->coalescing],
		.line_bytes = gpu->l1_line_bytes,
		.mask_words = (gpu->l1_line_bytes + WORD_BITS - 1) / WORD_BITS,
		.range = { 1, 0, 0, -1 }, /* holds nothing */
	};
	array_init(&c->uses, sizeof(struct line_use), USES_LIMIT, "lines of an access");
	array_init(&c->masks, c->mask_words * sizeof(uint64_t), USES_LIMIT, "masks of an access");
}

void coalescer_release(struct coalescer *c)
{
	array_release(&c->uses);
	array_release(&c->masks);
}

/* Returns the replay address of a recorded address; c->range has its buffer. */
static inline uint64_t translate(struct coalescer *c, uint64_t address)
{
	if (address < c->range.begin || address > c->range.last)
		c->range = address_map_range(c->map, address);
	return address + c->range.delta;
}

bool coalescer_is_steady(struct coalescer *c, const uint64_t *address, uint32_t lanes, int64_t way,
                         uint32_t bytes)
{
	for (uint32_t i = 0; i < lanes; i++) {
		uint64_t begin = translate(c, address[i]), end = begin + (uint64_t)way;
		uint64_t last = address[i] + (uint64_t)way;

		if (way < 0 ? last > address[i] || end > begin : last < address[i] || end < begin)
			return false;
		if (last < c->range.begin || last > c->range.last)
			return false;
		if (bytes && (way < 0 ? begin : end) > UINT64_MAX - (bytes - 1))
			return false;
	}
	return true;
}

/* Make room for `count` more uses, so that the loops below need no checks. */
static int reserve(struct coalescer *c, size_t count, struct err *err)
{
	if (c->uses.data && c->uses.capacity - c->uses.count >= count &&
	    c->masks.capacity - c->masks.count >= count)
		return 0;
	if (!array_push(&c->uses, count, err) || !array_push(&c->masks, count, err))
		return err && err->code ? err->code : ERR_NOMEM;
	c->uses.count -= count;
	c->masks.count -= count;
	return 0;
}

static uint64_t *mask_of(const struct coalescer *c, size_t use)
{
	return (uint64_t *)c->masks.data + use * c->mask_words;
}

/* Returns the place of a line of the part that begins with use `part`, or the free place for it.
 * The search begins at the top bits of a product with 2^64 / golden ratio (Knuth, 6.4). */
static inline uint8_t *find_place(struct coalescer *c, const struct line_use *part, uint64_t line)
{
	size_t at = (size_t)(line * 0x9e3779b97f4a7c15u >> 56);

	for (;; at++) {
		uint8_t *place = &c->places[at % LINE_PLACES];

		if (!*place || part[*place - 1].line == line)
			return place;
	}
}

/* Add a use for a line of the part that begins with use `part`; `piece` are its bytes. */
static size_t add_use(struct coalescer *c, size_t part, uint64_t line, uint32_t piece)
{
	struct line_use *uses = (struct line_use *)c->uses.data + part;
	size_t count = c->uses.count++ - part;

	c->masks.count++;
	uses[count] = (struct line_use){ line, 0, c->range.buffer, piece };
	for (uint32_t k = 0; k < c->mask_words; k++)
		mask_of(c, part + count)[k] = 0;
	if (count >= LINES_FEW && !c->has_places) {
		memset(c->places, 0, sizeof(c->places));
		for (size_t i = 0; i < count; i++)
			*find_place(c, uses, uses[i].line) = (uint8_t)(i + 1);
		c->has_places = true;
	}
	if (c->has_places && count < LINES_MANY)
		*find_place(c, uses, line) = (uint8_t)(count + 1);
	return part + count;
}

/* Returns the use of a line since use `part`, added if there is none, with `piece` added to it. */
static inline size_t find_use(struct coalescer *c, size_t part, uint64_t line, uint32_t piece)
{
	struct line_use *uses = c->uses.data;
	size_t i = c->uses.count;

	if (c->has_places && i - part <= LINES_MANY) {
		i = part + *find_place(c, uses + part, line);
		if (i-- == part)
			return add_use(c, part, line, piece);
	} else {
		while (i > part && uses[i - 1].line != line)
			i--;
		if (i-- == part)
			return add_use(c, part, line, piece);
	}
	if (uses[i].piece)
		(void)coalescer_mask(c, i);
	uses[i].piece = 0;
	return i;
}

/* Set `count` >= 1 bits from bit `from` on. */
static inline void set_bits(uint64_t *mask, uint32_t from, uint32_t count)
{
	uint32_t offset = from % WORD_BITS;

	mask += from / WORD_BITS;
	for (; offset + count > WORD_BITS; offset = 0) {
		*mask++ |= ~UINT64_C(0) << offset;
		count -= WORD_BITS - offset;
	}
	*mask |= ~UINT64_C(0) >> (WORD_BITS - count) << offset;
}

const uint64_t *coalescer_mask(struct coalescer *c, size_t use)
{
	uint32_t piece = ((const struct line_use *)c->uses.data)[use].piece;
	uint64_t *mask = mask_of(c, use);

	if (!piece)
		return mask;
	for (uint32_t k = 0; k < c->mask_words; k++)
		mask[k] = 0;
	set_bits(mask, pattern_piece_from(piece), pattern_piece_bytes(piece));
	return mask;
}

/* Add a lane's bytes to the part that begins with use `part`. */
static void add_lane(struct coalescer *c, size_t part, uint64_t address, uint64_t bytes)
{
	const uint64_t inside = c->line_bytes - 1;
	struct line_use *uses = c->uses.data;

	while (bytes) {
		uint64_t line = address & ~inside;
		uint64_t room = c->line_bytes - (address & inside);
		uint32_t here = (uint32_t)(bytes < room ? bytes : room);
		uint32_t from = (uint32_t)(address & inside);
		size_t use = find_use(c, part, line, pattern_piece(from, here));

		uses[use].lanes++; /* an access touches each of its lines once */
		set_bits(mask_of(c, use), from, here);
		address += here;
		bytes -= here;
	}
}

/* Add lanes that together touch `bytes` bytes of one line. */
static void add_alike(struct coalescer *c, size_t part, uint64_t address, uint64_t bytes,
                      uint32_t lanes)
{
	const uint64_t inside = c->line_bytes - 1;
	uint32_t from = (uint32_t)(address & inside), piece = pattern_piece(from, (uint32_t)bytes);
	size_t use = find_use(c, part, address & ~inside, piece);
	struct line_use *uses = c->uses.data;

	uses[use].lanes += lanes;
	set_bits(mask_of(c, use), from, (uint32_t)bytes);
}

/*
 * Returns how many active lanes from `first` on, before `end`, can be added at once, at least 1.
 * They are either all at the same address or each directly after the previous one, in one line and
 * in c->range.
 */
static uint32_t count_alike(const struct coalescer *c, const struct warp_step *step, uint32_t first,
                            uint32_t end)
{
	const uint64_t *address = step->address, begin = address[first];
	uint64_t room = c->line_bytes - ((begin + c->range.delta) & (c->line_bytes - 1));
	uint64_t stride, fit;
	uint32_t i = first + 1;

	if (step->is_mixed || !step->bytes || room < step->bytes || i == end)
		return 1;
	stride = address[i] == begin ? 0 : step->bytes;
	fit = room / (stride ? stride : 1);
	if (stride && fit < end - first)
		end = first + (uint32_t)fit;
	while (i < end && address[i] == begin + (i - first) * stride)
		i++;
	return begin + (i - first - 1) * stride > c->range.last ? 1 : i - first;
}

/* Whether the accesses from lane `first` on probably lie in different lines. */
static bool look_scattered(const struct coalescer *c, const struct warp_step *step, uint32_t first,
                           uint32_t end)
{
	uint64_t way = first + 1 < end ? step->address[first + 1] - step->address[first] : 0;

	return !step->is_mixed && step->bytes && step->bytes <= WORD_BITS &&
	       step->bytes <= c->line_bytes && !(step->bytes & (step->bytes - 1)) && way &&
	       way != step->bytes && end - first <= LINES_MANY;
}

/*
 * Whether lanes first..end - 1 are all in c->range, as the first is, and cross no line boundary,
 * which their alignment shows. Their size is a power of two.
 */
static bool are_whole(const struct coalescer *c, const struct warp_step *step, uint32_t first,
                      uint32_t end)
{
	uint64_t span = c->range.last - c->range.begin, odd = 0, outside = 0;

	for (uint32_t i = first; i < end; i++) {
		outside |= step->address[i] - c->range.begin > span;
		odd |= step->address[i] + c->range.delta;
	}
	return !outside && !(odd & (step->bytes - 1));
}

/* Add a lane's bytes to the use of its line. */
static void join_use(struct coalescer *c, size_t use, uint32_t from, uint32_t bytes)
{
	struct line_use *u = (struct line_use *)c->uses.data + use;

	if (u->piece)
		(void)coalescer_mask(c, use);
	u->piece = 0;
	u->lanes++;
	set_bits(mask_of(c, use), from, bytes);
}

/* Add lanes first..end - 1, which are a whole part and are_whole(). */
static void add_scattered(struct coalescer *c, const struct warp_step *step, uint32_t first,
                          uint32_t end)
{
	const uint64_t inside = c->line_bytes - 1, delta = c->range.delta;
	const size_t part = c->uses.count;
	struct line_use *uses = (struct line_use *)c->uses.data + part;
	uint32_t count = 0;

	memset(c->places, 0, sizeof(c->places));
	for (uint32_t i = first; i < end; i++) {
		uint64_t address = step->address[i] + delta, line = address & ~inside;
		uint32_t from = (uint32_t)(address & inside);
		uint8_t *place = find_place(c, uses, line);

		if (*place) {
			join_use(c, part + *place - 1, from, step->bytes);
			continue;
		}
		uses[count] = (struct line_use){ line, 1, c->range.buffer,
			                         pattern_piece(from, step->bytes) };
		*place = (uint8_t)++count;
	}
	c->uses.count += count;
	c->masks.count += count;
	if (c->counts_unmapped && c->range.buffer < 0)
		c->unmapped_lanes += end - first;
}

/* Add lanes first..end - 1, which are a part of the warp. */
static int add_part(struct coalescer *c, const struct warp_step *step, uint32_t first, uint32_t end,
                    struct err *err)
{
	size_t part = c->uses.count;

	if (reserve(c, (size_t)(end - first) * (step->bytes / c->line_bytes + 2), err))
		return err && err->code ? err->code : ERR_NOMEM;
	c->has_places = false;
	if (look_scattered(c, step, first, end)) {
		(void)translate(c, step->address[first]);
		if (are_whole(c, step, first, end)) {
			add_scattered(c, step, first, end);
			return 0;
		}
	}
	while (first < end) {
		uint64_t bytes = step->is_mixed ? step->sizes[first] : step->bytes;
		uint64_t address = translate(c, step->address[first]);
		uint32_t alike = count_alike(c, step, first, end);

		if (bytes && address > UINT64_MAX - (bytes - 1))
			return err_set(err, ERR_FORMAT,
			               "%" PRIu64 " bytes at 0x%" PRIx64 " leave the address space",
			               bytes, step->address[first]);
		if (alike > 1)
			add_alike(c, part, address,
			          step->address[first + alike - 1] - step->address[first] + bytes,
			          alike);
		else
			add_lane(c, part, address, bytes);
		if (c->counts_unmapped && c->range.buffer < 0)
			c->unmapped_lanes += alike;
		first += alike;
	}
	return 0;
}

uint32_t coalescer_part_lanes(const struct coalescer *c, uint32_t bytes)
{
	const struct coalescing_rule *r = &c->rule;

	if (bytes <= r->narrow_bytes)
		return r->narrow_lanes;
	return bytes < r->part_bytes ? r->part_bytes / bytes : 1;
}

int coalesce(struct coalescer *c, const struct warp_step *step, struct err *err)
{
	uint32_t lanes = coalescer_part_lanes(c, step->bytes), first = 0;
	int rc = 0;

	array_clear(&c->uses);
	array_clear(&c->masks);
	c->part_count = 0;
	while (!rc && first < step->lane_count) {
		uint32_t beyond = (step->lane[first] / lanes + 1) * lanes; /* end of the part */
		uint32_t end = first + 1;

		if (step->lane[step->lane_count - 1] < beyond)
			end = step->lane_count;
		while (end < step->lane_count && step->lane[end] < beyond)
			end++;
		rc = add_part(c, step, first, end, err);
		c->part_ends[c->part_count++] = (uint32_t)c->uses.count;
		first = end;
	}
	return rc;
}
