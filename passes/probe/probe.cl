/* SPDX-License-Identifier: Apache-2.0 */
/*
 * probe - the device side of probe_abi.h: what a probed kernel calls.
 *
 * Compiled to IR when Warpline is built, once for each PROBE_LANES, and linked into each program.
 * What a kernel calls is inlined, so that its struct probe_item is in registers; what remains a
 * function (warpline_put_...) takes and returns it by value and reads no work-item ids, which some
 * runtimes know only in kernels. The forms ..._apart, and what writes into slots, have no control
 * flow, so that a CPU's compiler can vectorise over work-items. Only 32-bit atomics of OpenCL 1.1
 * are used.
 */
#include "probe_abi.h"
#ifdef __NVPTX__
#include "probe_nvptx.h"
#endif
#define INLINE __attribute__((always_inline))
#define APART  __attribute__((noinline))
#define LANES  ((uint)PROBE_LANES)
typedef __global struct probe_header *header_pointer;
typedef volatile __global uint *counter_pointer;

/* Where a work-item writes, as word offsets from the header. */
struct probe_item {
	uint next; /* the next word to write */
	uint end;  /* after its last word */
	uint step; /* distance between words */
	uint item; /* linear local id */
	ulong group;
	ulong first;  /* the first word of its place */
	ulong stride; /* the distance between words of its place, like step */
};

/* Makes the module define the type: kernels have variables of it (insertion.c). */
__constant struct probe_item warpline_item_shape = { 0 };

/* Rows of a grid, not yet written; 0 rows: none. All fields have 64 bits: ROW_WORDS of
 * insert_runs.c. */
struct probe_rows {
	ulong rows, first_row;
	ulong count, address, stride; /* of the first row */
	ulong row_stride;
};

#define MAX_ROWS 0xfffffffful

/* next and end in one number, to be passed between functions. */
typedef ulong state;

static state pack(uint next, uint end)
{
	return next | (ulong)end << 32;
}

static __global ulong *words_of(header_pointer header)
{
	return (__global ulong *)header;
}

static __global uchar *bytes_of(header_pointer header)
{
	return (__global uchar *)header;
}

static uint has_room(state s, uint step, uint words)
{
	return (uint)(s >> 32) - (uint)s >= words * step;
}

/* Mark the end of what was written. */
static void terminate(header_pointer header, state s)
{
	if ((uint)s != (uint)(s >> 32))
		words_of(header)[(uint)s] = 0;
}

static void lose(header_pointer header, ulong accesses)
{
	uint low = (uint)accesses, old;

	atomic_inc((counter_pointer)&header->lost_records);
	old = atomic_add((counter_pointer)&header->lost_low, low);
	low = (uint)(accesses >> 32) + (old > 0xffffffffu - low);
	if (low)
		atomic_add((counter_pointer)&header->lost_high, low);
}

/* The index of a free chunk. Looks before it increments, so that next_chunk cannot wrap. */
static uint take_chunk(header_pointer header)
{
	uint index = *(counter_pointer)&header->next_chunk;

	if (index < header->chunk_count)
		index = atomic_inc((counter_pointer)&header->next_chunk);
	return index < header->chunk_count ? index : PROBE_NO_CHUNK;
}

/* Offset of a chunk's first word from the header. */
static uint chunk_first(header_pointer header, uint index)
{
	return (uint)(header->chunks_offset / 8 + 2 +
	              index * (2ul + (ulong)header->chunk_words * LANES));
}

static __global struct probe_chunk *chunk_at(header_pointer header, uint first)
{
	return (__global struct probe_chunk *)(words_of(header) + first) - 1;
}

/* Prepare a chunk for the `LANES` work-items starting at `item`: none has written anything yet. */
static void begin_chunk(header_pointer header, uint first, ulong group, uint item, uint order)
{
	__global struct probe_chunk *chunk = chunk_at(header, first);

	chunk->group = group;
	chunk->item = item;
	chunk->order = order;
	for (uint i = 0; i < LANES; i++)
		words_of(header)[first + i] = 0;
}

#if PROBE_LANES == 1
static uint find_chunk(header_pointer header, ulong group, uint item, uint order)
{
	uint index = take_chunk(header);

	if (index != PROBE_NO_CHUNK)
		begin_chunk(header, chunk_first(header, index), group, item, order);
	return index;
}
#else
/*
 * The first lane to arrive takes the chunk for all; the others wait. It does not wait itself, and
 * it works inside the loop: so lanes that run in lock-step do not wait forever.
 */
static uint find_chunk(header_pointer header, ulong group, uint item, uint order)
{
	ulong row = (group - header->slice_begin) * (header->group_items / LANES) + item / LANES;
	counter_pointer entry = (counter_pointer)(bytes_of(header) + header->directory_offset) +
	                        row * header->lane_chunks + order;
	uint found, index;

	if (order >= header->lane_chunks)
		return PROBE_NO_CHUNK;
	do {
		found = atomic_cmpxchg(entry, 0, PROBE_CHUNK_TAKEN);
		if (found == 0) {
			index = take_chunk(header);
			found = PROBE_NO_CHUNK;
			if (index != PROBE_NO_CHUNK) {
				begin_chunk(header, chunk_first(header, index), group,
				            item / LANES * LANES, order);
				found = index + 1;
			}
			mem_fence(CLK_GLOBAL_MEM_FENCE);
			atomic_xchg(entry, found);
		}
	} while (found == PROBE_CHUNK_TAKEN);
	return found == PROBE_NO_CHUNK ? found : found - 1;
}
#endif

static uint is_selected(header_pointer header, ulong group)
{
	__global const uint *bits =
		(__global const uint *)(bytes_of(header) + header->selection_offset);
	ulong g = group - header->slice_begin;

	return !header->selection_offset || bits[g / 32] >> g % 32 & 1;
}

static state discard_area(header_pointer header, ulong group, uint item)
{
	uint first = (uint)((header->discard_offset +
	                     group % PROBE_DISCARD_AREAS * PROBE_DISCARD_BYTES) /
	                    8);

	return pack(first + item % LANES, first + item % LANES + PROBE_DISCARD_BYTES / 8);
}

#if PROBE_LANES == 1
/* The chunks that a work-item skips, because it fills one again and again. */
static uint skipped(header_pointer header, uint item)
{
	__global const uint *skips =
		(__global const uint *)(bytes_of(header) + header->skips_offset);

	return header->skips_offset ? skips[item] : 0;
}
#endif

/* The next chunk; if there is none, a state without room. */
static state reserve(header_pointer header, state s, ulong group, uint item)
{
	uint index, first = 0, order = 0, end = (uint)(s >> 32);

	if (!is_selected(header, group))
		return discard_area(header, group, item);
	if (end > header->chunks_offset / 8) {
		first = end - item % LANES - header->chunk_words * LANES;
		order = chunk_at(header, first)->order + 1;
	}
#if PROBE_LANES == 1
	if (order && order <= skipped(header, item)) {
		chunk_at(header, first)->order = order;
		return pack(first, end);
	}
#endif
	index = find_chunk(header, group, item, order);
	terminate(header, s);
	if (index == PROBE_NO_CHUNK)
		return pack(end, end);
	first = chunk_first(header, index) + item % LANES;
	return pack(first, first + header->chunk_words * LANES);
}

/* The state with room for that many words, if there is room. */
static state make_room(header_pointer header, state s, uint step, ulong group, uint item,
                       uint words)
{
	if (has_room(s, step, words) || !header->chunk_count || words > header->chunk_words)
		return s;
	return reserve(header, s, group, item);
}

/* The step between words of the present place, or of the previous one. */
static uint step_in(state s, state before, uint step)
{
	return s >> 32 == before >> 32 ? step : LANES;
}

/* Whether local memory of the group with that number in the slice is recorded. */
static uint has_sample(header_pointer header, ulong g)
{
	__global const uint *bits =
		(__global const uint *)(bytes_of(header) + header->sample_offset);

	return bits[g / 32] >> g % 32 & 1;
}

static ulong kind_word(enum probe_word kind, ulong payload)
{
	return (ulong)kind << PROBE_RUN_SHIFT | payload;
}

/* Write a record of the `count` words that stands for that many accesses. */
#define PUT_WORDS(count, accesses, ...)                                                            \
	do {                                                                                       \
		const ulong record[] = { __VA_ARGS__ };                                            \
		state before = s;                                                                  \
                                                                                                   \
		s = make_room(header, s, step, group, item, count);                                \
		step = step_in(s, before, step);                                                   \
		if (!has_room(s, step, count)) {                                                   \
			lose(header, accesses);                                                    \
			return s;                                                                  \
		}                                                                                  \
		for (uint w = 0; w < (count); w++)                                                 \
			words_of(header)[(uint)s + w * step] = record[w];                          \
		return s + (ulong)(count)*step;                                                    \
	} while (0)

static uint is_wide(uint point, ulong address, ulong run)
{
	return ((address >> PROBE_RUN_SHIFT) | (run > PROBE_MAX_RUN) | (point > PROBE_MAX_POINT)) !=
	       0;
}

static ulong point_word(uint point, ulong address, ulong run)
{
	return (ulong)(point + 1) << PROBE_CODE_SHIFT | run << PROBE_RUN_SHIFT | address;
}

APART state warpline_put_point(header_pointer header, state s, uint step, ulong group, uint item,
                               uint point, ulong address, ulong run)
{
	if (point == PROBE_NO_POINT)
		return s;
	if (is_wide(point, address, run))
		PUT_WORDS(3, 1, kind_word(WORD_WIDE, point), address, run);
	PUT_WORDS(1, 1, point_word(point, address, run));
}

APART state warpline_put_sized(header_pointer header, state s, uint step, ulong group, uint item,
                               uint point, ulong address, ulong run, ulong bytes)
{
	if (point == PROBE_NO_POINT)
		return s;
	if (is_wide(point, address, run))
		PUT_WORDS(4, 1, kind_word(WORD_WIDE, point), address, run, bytes);
	PUT_WORDS(2, 1, point_word(point, address, run), bytes);
}

APART state warpline_put_run(header_pointer header, state s, uint step, ulong group, uint item,
                             uint site, ulong first, ulong count, ulong address, ulong stride)
{
	if (!count)
		return s;
	if (first || count > PROBE_COUNT_MAX)
		PUT_WORDS(5, count, kind_word(WORD_RUN_LONG, site), address, stride, count, first);
	PUT_WORDS(3, count, kind_word(WORD_RUN, site | count << PROBE_COUNT_SHIFT), address,
	          stride);
}

APART state warpline_put_grid(header_pointer header, state s, uint step, ulong group, uint item,
                              uint site, ulong first_row, ulong rows, ulong row_stride, ulong count,
                              ulong address, ulong stride)
{
	if (!count || !rows)
		return s;
	PUT_WORDS(7, count * rows, kind_word(WORD_GRID, site), address, stride, count, row_stride,
	          rows, first_row);
}

APART state warpline_put_count(header_pointer header, state s, uint step, ulong group, uint item,
                               uint site, ulong count)
{
	if (!count)
		return s;
	PUT_WORDS(2, count, kind_word(WORD_COUNT, site), count);
}

/* A point in a slot that has `room` words for it, times the factor for wide addresses. */
APART void warpline_put_slot_point(header_pointer header, ulong at, uint stride, uint room,
                                   uint point, ulong address, ulong run)
{
	__global ulong *to = words_of(header) + at;

	if (point == PROBE_NO_POINT) {
		to[0] = 0;
	} else if (!is_wide(point, address, run)) {
		to[0] = point_word(point, address, run);
	} else if (room < 3) {
		lose(header, 1);
	} else {
		to[0] = kind_word(WORD_WIDE, point);
		to[stride] = address;
		to[2ul * stride] = run;
	}
}

/* The same, followed by its size. */
APART void warpline_put_slot_sized(header_pointer header, ulong at, uint stride, uint room,
                                   uint point, ulong address, ulong run, ulong bytes)
{
	__global ulong *to = words_of(header) + at;

	if (point == PROBE_NO_POINT) {
		to[0] = to[stride] = 0;
	} else if (!is_wide(point, address, run)) {
		to[0] = point_word(point, address, run);
		to[stride] = bytes;
	} else if (room < 4) {
		lose(header, 1);
	} else {
		to[0] = kind_word(WORD_WIDE, point);
		to[stride] = address;
		to[2ul * stride] = run;
		to[3ul * stride] = bytes;
	}
}

/* Clear `words` words. */
APART void warpline_put_clear(header_pointer header, ulong first, uint stride, uint words)
{
	for (uint w = 0; w < words; w++)
		words_of(header)[first + (ulong)w * stride] = 0;
}

APART void warpline_put_end(header_pointer header, state s)
{
	terminate(header, s);
}

/* The first work-item of the slice writes the value of an argument. */
APART void warpline_put_argument(header_pointer header, uint is_first, uint index, ulong value)
{
	if (is_first)
		words_of(header)[PROBE_ARGUMENTS_OFFSET / 8 + index] = value;
}

static INLINE state state_of(const struct probe_item *item)
{
	return pack(item->next, item->end);
}

/* The state after a call that may have moved to another place. */
static INLINE void set_state(struct probe_item *item, state s)
{
	item->step = step_in(s, state_of(item), item->step);
	item->next = (uint)s;
	item->end = (uint)(s >> 32);
}

/* Number of the slice's work-items in groups with lower numbers. */
static INLINE ulong items_before(void)
{
	ulong x = get_global_id(0) - get_global_offset(0) - get_local_id(0);
	ulong y = get_global_id(1) - get_global_offset(1) - get_local_id(1);
	ulong z = get_global_id(2) - get_global_offset(2) - get_local_id(2);

	return x * get_local_size(1) * get_local_size(2) +
	       get_global_size(0) * (y * get_local_size(2) + get_global_size(1) * z);
}

static INLINE ulong local_number(void)
{
	return get_local_id(0) +
	       get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
}

/*
 * Start of a kernel with slots. `words`: of a slot; `places`: words from the header to the slots.
 */
INLINE void warpline_enter_slot(struct probe_item *item, header_pointer header, uint places,
                                uint words)
{
	item->item = (uint)local_number();
	item->stride = (ulong)get_local_size(0) * get_local_size(1) * get_local_size(2);
	item->first = places + items_before() * words + local_number();
}

/* The same when addresses may be wide: the header has the size of slots. All are cleared. */
INLINE void warpline_enter_wide(struct probe_item *item, header_pointer header, uint places,
                                uint words)
{
	warpline_enter_slot(item, header, places, header->place_words);
	warpline_put_clear(header, item->first, (uint)item->stride, header->place_words);
	item->end = header->place_words / words;
}

/* Start of a kernel with chunks. */
INLINE void warpline_enter(struct probe_item *item, header_pointer header, uint places)
{
	warpline_enter_slot(item, header, places, header->place_words);
	item->step = (uint)item->stride;
	item->next = (uint)item->first;
	item->end = item->next + item->step * header->place_words;
	item->group = header->slice_begin + get_group_id(0) +
	              get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2));
}

/* End of a kernel with chunks, at each return. */
INLINE void warpline_leave(struct probe_item *item, header_pointer header)
{
	terminate(header, state_of(item));
}

INLINE void warpline_leave_apart(struct probe_item *item, header_pointer header)
{
	warpline_put_end(header, state_of(item));
}

/* Whether sampled sites are recorded: the same for all of a group. */
INLINE uint warpline_in_sample_alike(struct probe_item *item, header_pointer header)
{
	ulong g = get_group_id(0) +
	          get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2));

	return has_sample(header, g);
}

/*
 * The same, as an answer that compilers cannot assume work-items share: when code in loops asks,
 * POCL would let one work-item answer for all, at a barrier of its own.
 */
INLINE uint warpline_in_sample(struct probe_item *item, header_pointer header)
{
	return warpline_in_sample_alike(item, header) & ~(item->item >> 31);
}

/* Whether this work-item records the kernel's arguments. */
INLINE uint warpline_is_first(struct probe_item *item, header_pointer header)
{
	return (get_group_id(0) | get_group_id(1) | get_group_id(2) | item->item) == 0;
}

INLINE void warpline_argument(struct probe_item *item, header_pointer header, uint index,
                              ulong value)
{
	words_of(header)[PROBE_ARGUMENTS_OFFSET / 8 + index] = value;
}

INLINE void warpline_argument_apart(struct probe_item *item, header_pointer header, uint index,
                                    ulong value)
{
	warpline_put_argument(header, warpline_is_first(item, header), index, value);
}

INLINE void warpline_point_apart(struct probe_item *item, header_pointer header, uint point,
                                 ulong address, ulong run)
{
	set_state(item, warpline_put_point(header, state_of(item), item->step, item->group,
	                                   item->item, point, address, run));
}

/* All exceptional cases share one branch. */
INLINE void warpline_point(struct probe_item *item, header_pointer header, uint point,
                           ulong address, ulong run)
{
	if (point == PROBE_NO_POINT)
		return;
	if (is_wide(point, address, run) | (item->next == item->end)) {
		warpline_point_apart(item, header, point, address, run);
		return;
	}
	words_of(header)[item->next] = point_word(point, address, run);
	item->next += item->step;
}

/* The same for an address of at most 48 bits, with a run of 0 or 1: only the lack of room is
 * exceptional. */
INLINE void warpline_point_narrow(struct probe_item *item, header_pointer header, uint point,
                                  ulong address, ulong run)
{
	if (point == PROBE_NO_POINT)
		return;
	if (item->next == item->end) {
		warpline_point_apart(item, header, point, address, run);
		return;
	}
	words_of(header)[item->next] = point_word(point, address, run);
	item->next += item->step;
}

/* A point in word `word` of the slot. */
INLINE void warpline_slot_point(struct probe_item *item, header_pointer header, ulong word,
                                uint point, ulong address, ulong run)
{
	words_of(header)[item->first + word * item->stride] =
		point == PROBE_NO_POINT ? 0 : point_word(point, address, run);
}

/* The same, with a size. */
INLINE void warpline_slot_sized(struct probe_item *item, header_pointer header, ulong word,
                                uint room, uint point, ulong address, ulong run, ulong bytes)
{
	warpline_put_slot_sized(header, item->first + word * item->stride, (uint)item->stride, room,
	                        point, address, run, bytes);
}

/* A point that may be WORD_WIDE in a slot for narrow addresses. */
INLINE void warpline_slot_long(struct probe_item *item, header_pointer header, ulong word,
                               uint room, uint point, ulong address, ulong run)
{
	warpline_put_slot_point(header, item->first + word * item->stride, (uint)item->stride, room,
	                        point, address, run);
}

/* A point where addresses may be wide. */
INLINE void warpline_wide_point_apart(struct probe_item *item, header_pointer header, ulong word,
                                      uint room, uint point, ulong address, ulong run)
{
	warpline_slot_long(item, header, word * item->end, room * item->end, point, address, run);
}

INLINE void warpline_wide_point(struct probe_item *item, header_pointer header, ulong word,
                                uint room, uint point, ulong address, ulong run)
{
	if (point != PROBE_NO_POINT && is_wide(point, address, run))
		warpline_wide_point_apart(item, header, word, room, point, address, run);
	else
		warpline_slot_point(item, header, word * item->end, point, address, run);
}

INLINE void warpline_wide_sized(struct probe_item *item, header_pointer header, ulong word,
                                uint room, uint point, ulong address, ulong run, ulong bytes)
{
	warpline_slot_sized(item, header, word * item->end, room * item->end, point, address, run,
	                    bytes);
}

/* Clear a word of the slot. */
INLINE void warpline_slot_clear(struct probe_item *item, header_pointer header, ulong word)
{
	words_of(header)[item->first + word * item->stride] = 0;
}

/* A point whose size is known only at run time. */
INLINE void warpline_sized(struct probe_item *item, header_pointer header, uint point,
                           ulong address, ulong run, ulong bytes)
{
	set_state(item, warpline_put_sized(header, state_of(item), item->step, item->group,
	                                   item->item, point, address, run, bytes));
}

INLINE void warpline_run_apart(struct probe_item *item, header_pointer header, uint site,
                               ulong first, ulong count, ulong address, ulong stride)
{
	set_state(item, warpline_put_run(header, state_of(item), item->step, item->group,
	                                 item->item, site, first, count, address, stride));
}

/*
 * `count` accesses of a site, in the iterations starting at `first` of its loop's activation: the
 * first at `address`, then every `stride` bytes. Nothing if there are none.
 */
INLINE void warpline_run(struct probe_item *item, header_pointer header, uint site, ulong first,
                         ulong count, ulong address, ulong stride)
{
	__global ulong *to = words_of(header) + item->next;

	if (first || count - 1 >= PROBE_COUNT_MAX || item->end - item->next < 3 * item->step) {
		warpline_run_apart(item, header, site, first, count, address, stride);
		return;
	}
	to[0] = kind_word(WORD_RUN, site | count << PROBE_COUNT_SHIFT);
	to[item->step] = address;
	to[2ul * item->step] = stride;
	item->next += 3 * item->step;
}

/*
 * In each of `rows` iterations, starting at `first_row`, of the activation of the loop L around the
 * site's loop C: accesses in iterations 0 .. count - 1 of C, `stride` bytes apart, with
 * `row_stride` between rows. count < 2^32. Nothing if there are none.
 */
INLINE void warpline_grid(struct probe_item *item, header_pointer header, uint site,
                          ulong first_row, ulong rows, ulong row_stride, ulong count, ulong address,
                          ulong stride)
{
	set_state(item,
	          warpline_put_grid(header, state_of(item), item->step, item->group, item->item,
	                            site, first_row, rows, row_stride, count, address, stride));
}

/* Write the collected rows, and start with none. */
INLINE void warpline_rows(struct probe_item *item, header_pointer header, struct probe_rows *rows,
                          uint site)
{
	if (!rows->rows)
		return;
	warpline_grid(item, header, site, rows->first_row, rows->rows, rows->row_stride,
	              rows->count, rows->address, rows->stride);
	rows->rows = 0;
}

/*
 * One more row of a grid, in iteration `row` of the outer loop: it continues the previous ones, or
 * they are written and it is the first.
 */
INLINE void warpline_row(struct probe_item *item, header_pointer header, struct probe_rows *rows,
                         uint site, ulong row, ulong count, ulong address, ulong stride)
{
	if (rows->rows && rows->rows < MAX_ROWS && row == rows->first_row + rows->rows &&
	    count == rows->count && stride == rows->stride) {
		if (rows->rows == 1)
			rows->row_stride = address - rows->address;
		if (address == rows->address + rows->rows * rows->row_stride) {
			rows->rows++;
			return;
		}
	}
	warpline_rows(item, header, rows, site);
	rows->rows = 1;
	rows->first_row = row;
	rows->row_stride = 0;
	rows->count = count;
	rows->address = address;
	rows->stride = stride;
}

/* Count mode without slots: the count of a cell. Nothing if it is 0. */
INLINE void warpline_count(struct probe_item *item, header_pointer header, uint cell, ulong count)
{
	set_state(item, warpline_put_count(header, state_of(item), item->step, item->group,
	                                   item->item, cell, count));
}

/* Count mode with slots: start of a kernel whose slot size is in the header. */
INLINE void warpline_enter_cells(struct probe_item *item, header_pointer header, uint places)
{
	warpline_enter_slot(item, header, places, header->place_words);
}

/* Count mode with slots: a counter. */
INLINE void warpline_counter(struct probe_item *item, header_pointer header, ulong counter,
                             ulong count)
{
	words_of(header)[item->first + counter * item->stride] = count;
}

/* Count mode with slots: a flag, after that many counters. */
INLINE void warpline_flag(struct probe_item *item, header_pointer header, ulong counters,
                          ulong flag, ulong count)
{
	ulong words = item->first - item->item + counters * item->stride;

	bytes_of(header)[words * 8 + flag * item->stride + item->item] = (uchar)count;
}
