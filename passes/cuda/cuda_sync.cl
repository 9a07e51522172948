/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_sync - the device side of lower_syncs.c: how CUDA work-items exchange values when they wait
 * for others of their warp or work-group.
 *
 * Compiled to IR when Warpline is built, linked into kernels that need it, and inlined. Each
 * work-item publishes its value and where it waits; once all that it waits for have arrived, it
 * collects its result. lower_syncs inserts an OpenCL barrier between the two. Results are those of
 * the PTX ISA: shfl.sync, vote.sync, match.sync, redux.sync, bar.red.
 *
 * The functions take what the group shares, the work-item's number and place, and `kinds`, a bit
 * for each kind of call in the kernel. This is a constant, so kinds that no call uses generate no
 * code. If no kind is for warps, only `group` of the shared structure exists.
 */
#include "sync_kind.h"

#define INLINE     __attribute__((always_inline))
#define WARP_ITEMS 32u
#define ITEMS      1024u /* of a CUDA work-group, at most */

/* A work-item's place: where it waits (0: nowhere), for what, and its turn among the barriers. */
#define SITE_MASK  0xffffu
#define SITE_DONE  0xffffu
#define KIND_SHIFT 16
#define KIND_MASK  0xffu
#define TURN       0x80000000u

struct warpline_sync {
	struct warpline_sync_group {
		uint alive;   /* work-items that have not returned */
		uint waiting; /* waiting for all others */
		uint sums[2]; /* accumulated values of this turn and the next */
		uint moved;   /* the last round in which some work-item continued */
	} group;
	uint gone[ITEMS / WARP_ITEMS]; /* lanes of each warp that have returned, or never existed */
	uint place[ITEMS], mask[ITEMS];
	ulong value[ITEMS];
};

/* Makes the module define the type, which its variables have (lower_syncs.c). */
__constant struct warpline_sync warpline_sync_shape = { { 0 } };

typedef __local struct warpline_sync *shared;

/* Whether any kind in a range is in `kinds`. */
static bool has_kind(uint kinds, uint from, uint to)
{
	return (kinds & ((2u << to) - (1u << from))) != 0;
}

static bool is_of_warps(uint kinds)
{
	return has_kind(kinds, 0, SYNC_GROUP_COUNT - 1);
}

static uint site_of(uint place)
{
	return place & SITE_MASK;
}

static uint kind_of(uint place)
{
	return place >> KIND_SHIFT & KIND_MASK;
}

static uint turn_of(uint place)
{
	return place >> 31;
}

/* Whether a work-item waits, anywhere. */
static bool waits(uint place)
{
	return site_of(place) != 0 && site_of(place) != SITE_DONE;
}

INLINE uint warpline_sync_item(void)
{
	return (uint)(get_local_id(0) +
	              get_local_size(0) *
	                      (get_local_id(1) + get_local_size(1) * get_local_id(2)));
}

/* Others of the warp read the place, too. */
static void move_to(shared s, uint me, uint *place, uint kinds, uint to)
{
	*place = to;
	if (is_of_warps(kinds))
		s->place[me] = to;
}

/* Before the first barrier of the kernel. */
INLINE void warpline_sync_begin(shared s, uint me, uint *place, uint kinds)
{
	uint items = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));
	uint first = me * WARP_ITEMS;

	move_to(s, me, place, kinds, 0);
	if (is_of_warps(kinds) && first < items)
		s->gone[me] = items - first < WARP_ITEMS ? ~0u << (items - first) : 0;
	if (me)
		return;
	s->group.alive = items;
	s->group.waiting = 0;
	s->group.sums[0] = s->group.sums[1] = 0;
	s->group.moved = 0;
}

INLINE void warpline_sync_publish(shared s, uint me, uint *place, uint kinds, uint kind, uint mask,
                                  ulong value, uint site)
{
	uint turn = *place & TURN;

	if (is_of_warps(kinds)) {
		s->value[me] = value;
		s->mask[me] = mask;
	}
	move_to(s, me, place, kinds, turn | kind << KIND_SHIFT | site);
	if (!SYNC_IS_GROUP(kind))
		return;
	if (value)
		atomic_inc(&s->group.sums[turn_of(turn)]);
	atomic_inc(&s->group.waiting);
}

/* The work-item returns. */
INLINE void warpline_sync_end(shared s, uint me, uint *place, uint kinds)
{
	move_to(s, me, place, kinds, SITE_DONE);
	if (is_of_warps(kinds))
		atomic_or(&s->gone[me / WARP_ITEMS], 1u << me % WARP_ITEMS);
	atomic_dec(&s->group.alive);
}

/* Whether lane `other` of the warp waits for the same call as `me`. */
static bool is_together(shared s, uint me, uint other)
{
	uint place = s->place[other];

	if (!waits(place) || kind_of(place) != kind_of(s->place[me]))
		return false;
	if (kind_of(place) == SYNC_ACTIVEMASK)
		return site_of(place) == site_of(s->place[me]);
	return s->mask[other] == s->mask[me];
}

/* The lanes of the warp that wait together with `me`. */
static uint members_of(shared s, uint me)
{
	uint first = me / WARP_ITEMS * WARP_ITEMS, members = 0;
	uint lanes = ~s->gone[me / WARP_ITEMS];

	if (kind_of(s->place[me]) != SYNC_ACTIVEMASK)
		lanes &= s->mask[me];
	for (uint lane = 0; lane < WARP_ITEMS; lane++)
		if (lanes >> lane & 1 && is_together(s, me, first + lane))
			members |= 1u << lane;
	return members | 1u << me % WARP_ITEMS;
}

/* Whether every lane of the warp that has not returned is waiting. */
static bool is_warp_waiting(shared s, uint me)
{
	uint first = me / WARP_ITEMS * WARP_ITEMS, lanes = ~s->gone[me / WARP_ITEMS];

	for (uint lane = 0; lane < WARP_ITEMS; lane++)
		if (lanes >> lane & 1 && !waits(s->place[first + lane]))
			return false;
	return true;
}

/*
 * Whether the work-item may continue. When no work-item could in the last round (is_stuck), some
 * lanes in a mask will never come, for example because they are on another path: the present ones
 * continue without them, as the hardware does.
 */
INLINE uint warpline_sync_is_ready(shared s, uint me, const uint *place, uint kinds, uint is_stuck)
{
	uint kind = kind_of(*place), lanes;

	if (site_of(*place) == 0)
		return 1;
	if (site_of(*place) == SITE_DONE)
		return 0;
	if (!is_of_warps(kinds) || SYNC_IS_GROUP(kind))
		return s->group.waiting == s->group.alive;
	if (is_stuck)
		return 1;
	if (kind == SYNC_ACTIVEMASK)
		return is_warp_waiting(s, me);
	lanes = ~s->gone[me / WARP_ITEMS] & s->mask[me];
	return (lanes & ~members_of(s, me)) == 0;
}

/* shfl.sync: the lane to read from, with bit 8 set if it is in the lane's segment. */
static uint source_lane(uint kind, uint lane, uint argument)
{
	uint b = argument & 31, clamp = argument >> 16 & 31, segment = argument >> 24 & 31;
	uint low = lane & segment, high = low | (clamp & ~segment);
	int source;
	bool is_in;

	switch (kind) {
	case SYNC_SHFL_UP:
		source = (int)lane - (int)b;
		is_in = source >= (int)high;
		break;
	case SYNC_SHFL_DOWN:
		source = (int)(lane + b);
		is_in = source <= (int)high;
		break;
	case SYNC_SHFL_XOR:
		source = (int)(lane ^ b);
		is_in = source <= (int)high;
		break;
	default:
		source = (int)(low | (b & ~segment));
		is_in = source <= (int)high;
	}
	return is_in ? (uint)source | 256u : lane;
}

static ulong shuffle(shared s, uint me, uint kind, uint members, uint argument)
{
	uint source = source_lane(kind, me % WARP_ITEMS, argument), lane = source & 31;
	/* A missing lane's value is undefined: use one's own. */
	uint from = members >> lane & 1 ? me / WARP_ITEMS * WARP_ITEMS + lane : me;

	return (uint)s->value[from] | (ulong)(source >> 8) << 32;
}

static uint reduce(uint kind, uint a, uint b)
{
	switch (kind) {
	case SYNC_REDUX_UMIN:
		return min(a, b);
	case SYNC_REDUX_UMAX:
		return max(a, b);
	case SYNC_REDUX_MIN:
		return (uint)min((int)a, (int)b);
	case SYNC_REDUX_MAX:
		return (uint)max((int)a, (int)b);
	case SYNC_REDUX_AND:
		return a & b;
	case SYNC_REDUX_OR:
		return a | b;
	case SYNC_REDUX_XOR:
		return a ^ b;
	default:
		return a + b;
	}
}

static uint reduce_all(shared s, uint me, uint kind, uint members)
{
	uint first = me / WARP_ITEMS * WARP_ITEMS, all = (uint)s->value[me];

	for (uint lane = 0; lane < WARP_ITEMS; lane++)
		if (members >> lane & 1 && first + lane != me)
			all = reduce(kind, all, (uint)s->value[first + lane]);
	return all;
}

/* The members whose value is `value`. */
static uint lanes_with(shared s, uint me, uint members, ulong value)
{
	uint first = me / WARP_ITEMS * WARP_ITEMS, lanes = 0;

	for (uint lane = 0; lane < WARP_ITEMS; lane++)
		if (members >> lane & 1 && s->value[first + lane] == value)
			lanes |= 1u << lane;
	return lanes;
}

static ulong vote(uint kind, uint members, uint lanes)
{
	switch (kind) {
	case SYNC_VOTE_ANY:
		return lanes != 0;
	case SYNC_VOTE_ALL:
		return lanes == members;
	case SYNC_VOTE_UNI:
		return lanes == 0 || lanes == members;
	default:
		return lanes;
	}
}

static ulong collect_warp(shared s, uint me, uint kind, uint argument, uint kinds)
{
	uint members = members_of(s, me), lanes;

	if (has_kind(kinds, SYNC_SHFL_IDX, SYNC_SHFL_XOR) && kind <= SYNC_SHFL_XOR)
		return shuffle(s, me, kind, members, argument);
	if (has_kind(kinds, SYNC_VOTE_ANY, SYNC_BALLOT) && kind <= SYNC_BALLOT)
		return vote(kind, members, members & ~lanes_with(s, me, members, 0));
	if (has_kind(kinds, SYNC_MATCH_ANY, SYNC_MATCH_ALL) && kind <= SYNC_MATCH_ALL) {
		lanes = lanes_with(s, me, members, s->value[me]);
		if (kind == SYNC_MATCH_ANY)
			return lanes;
		return lanes == members ? lanes | 1ul << 32 : 0;
	}
	if (has_kind(kinds, SYNC_REDUX_ADD, SYNC_REDUX_XOR) && kind <= SYNC_REDUX_XOR)
		return reduce_all(s, me, kind, members);
	return members;
}

/* All work-items of the group collect in the same round. */
static ulong collect_group(shared s, uint place, uint kind)
{
	uint turn = turn_of(place), sum = s->group.sums[turn];

	s->group.sums[1 - turn] = 0;
	if (kind == SYNC_GROUP_AND)
		return sum == s->group.waiting;
	return kind == SYNC_GROUP_OR ? sum != 0 : sum;
}

/* The result of a ready work-item. No work-item publishes until all have collected. kinds: those
 * that the call may have. */
INLINE ulong warpline_sync_collect(shared s, uint me, const uint *place, uint kinds, uint argument)
{
	bool is_one = (kinds & (kinds - 1)) == 0;
	uint kind = is_one ? 31 - clz(kinds) : kind_of(*place);

	if (!waits(*place))
		return 0;
	if (has_kind(kinds, SYNC_GROUP_COUNT, SYNC_GROUP) && SYNC_IS_GROUP(kind))
		return collect_group(s, *place, kind);
	return is_of_warps(kinds) ? collect_warp(s, me, kind, argument, kinds) : 0;
}

/* The work-item continues, after a barrier that follows its collecting. */
INLINE void warpline_sync_leave(shared s, uint me, uint *place, uint kinds, uint round)
{
	uint turn = *place & TURN;
	bool is_of_group = waits(*place) && SYNC_IS_GROUP(kind_of(*place));

	s->group.moved = round;
	if (is_of_group)
		atomic_dec(&s->group.waiting);
	move_to(s, me, place, kinds, is_of_group ? turn ^ TURN : turn);
}

/* After the last barrier of a round. */
INLINE uint warpline_sync_is_alive(shared s)
{
	return s->group.alive != 0;
}

INLINE uint warpline_sync_is_stuck(shared s, uint round)
{
	return s->group.moved != round;
}
