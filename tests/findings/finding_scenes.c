/* SPDX-License-Identifier: Apache-2.0 */
#include "finding_scenes.h"

#include "err.h"
#include "recording_script.h"

#include <stdio.h>

#define A UINT64_C(0x7f0000000000)
#define B UINT64_C(0x7f0001000000)
#define C UINT64_C(0x7f0002000000)

enum { BUFFER_BYTES = 1 << 22 };

#define LINE_BYTES UINT64_C(128)

/* A line for each group and iteration, read by its lanes side by side. */
static uint64_t own_line(uint64_t base, const struct scene_access *a, uint64_t each)
{
	return base + LINE_BYTES * (64 * a->group + a->k) + each * a->lane;
}

/* Site 0 reads lines of its own in order; nothing else happens. */
static uint64_t in_order(const struct scene_access *a)
{
	return a->site ? SCENE_NOWHERE : own_line(A, a, 4);
}

/* Rows whose steps are no power of two. */
static uint64_t slanted(const struct scene_access *a)
{
	return a->site ? SCENE_NOWHERE
	               : A + UINT64_C(65536) * a->group + UINT64_C(2048) * a->lane +
	                         UINT64_C(48) * a->k;
}

static uint64_t along_rows(const struct scene_access *a)
{
	return a->site ? SCENE_NOWHERE
	               : A + UINT64_C(65536) * a->group + UINT64_C(2048) * a->lane +
	                         UINT64_C(4) * a->k;
}

/* Two rows of 16 lanes. */
static uint64_t two_rows(const struct scene_access *a)
{
	return a->site ? SCENE_NOWHERE
	               : A + UINT64_C(65536) * a->group + LINE_BYTES * a->k +
	                         UINT64_C(16384) * (a->lane / 16) + UINT64_C(4) * (a->lane % 16);
}

static uint64_t a_word_behind(const struct scene_access *a)
{
	return a->site ? SCENE_NOWHERE : own_line(A, a, 4) + 4;
}

/* A third of the lanes, side by side, where data says. */
static uint64_t packed(const struct scene_access *a)
{
	return a->site || a->lane % 3 ? SCENE_NOWHERE
	                              : own_line(A, a, 0) + 100 + UINT64_C(4) * (a->lane / 3);
}

/* A word of A to the left, in the middle and to the right, all in one loop: two of three sites of
 * a stencil cannot begin a line. */
static uint64_t neighbours(const struct scene_access *a)
{
	return own_line(A, a, 4) + 128 + UINT64_C(4) * a->site - 4;
}

static uint64_t sliding(const struct scene_access *a)
{
	return a->site ? SCENE_NOWHERE
	               : A + UINT64_C(8192) * a->group + UINT64_C(4) * a->k + UINT64_C(4) * a->lane;
}

/* So many lines again and again. */
static uint64_t again(const struct scene_access *a, uint32_t lines, uint64_t apart)
{
	return A + apart * (a->k % lines) + UINT64_C(4) * a->lane;
}

static uint64_t eight_lines(const struct scene_access *a)
{
	return a->site ? SCENE_NOWHERE : again(a, 8, LINE_BYTES);
}

static uint64_t four_lines(const struct scene_access *a)
{
	return a->site ? SCENE_NOWHERE : again(a, 4, LINE_BYTES);
}

static uint64_t two_lines(const struct scene_access *a)
{
	return a->site ? SCENE_NOWHERE : again(a, 2, LINE_BYTES);
}

/* Four lines again and again, and beside them lines that are read once. */
static uint64_t beside_a_stream(const struct scene_access *a)
{
	if (a->site == 0)
		return again(a, 4, LINE_BYTES);
	return a->site == 1 ? own_line(B, a, 4) : SCENE_NOWHERE;
}

/* Four lines that are all in one set of eight. */
static uint64_t in_one_set(const struct scene_access *a)
{
	return a->site ? SCENE_NOWHERE : again(a, 4, 8 * LINE_BYTES);
}

/* Each lane adds to a word of its own, in place. */
static uint64_t in_place(const struct scene_access *a)
{
	return a->site == 1 ? SCENE_NOWHERE : A + LINE_BYTES * a->group + UINT64_C(4) * a->lane;
}

static uint64_t elsewhere(const struct scene_access *a)
{
	return a->site == 2 ? C + LINE_BYTES * a->group + UINT64_C(4) * a->lane : in_place(a);
}

static uint64_t one_word(const struct scene_access *a)
{
	return a->site == 2 ? C : SCENE_NOWHERE;
}

static uint64_t words_of_its_own(const struct scene_access *a)
{
	return a->site == 2 ? own_line(C, a, 4) : SCENE_NOWHERE;
}

/* A word for each lane of a group, which each iteration updates again. */
static uint64_t words_of_the_group(const struct scene_access *a)
{
	return a->site == 2 ? C + 4096 * a->group + UINT64_C(4) * ((7 * a->k + a->lane) % 32)
	                    : SCENE_NOWHERE;
}

/* 192 times 256 bytes, as much as the local memory of an SM, four times; and 256 bytes more. */
static uint64_t words_that_fit(const struct scene_access *a)
{
	return a->site == 2
	               ? C + 65536 * a->group + UINT64_C(256) * (a->k % 192) + UINT64_C(8) * a->lane
	               : SCENE_NOWHERE;
}

static uint64_t words_that_do_not_fit(const struct scene_access *a)
{
	return a->site == 2
	               ? C + 65536 * a->group + UINT64_C(256) * (a->k % 193) + UINT64_C(8) * a->lane
	               : SCENE_NOWHERE;
}

/* Four of 32 lanes far apart, as often. */
static uint64_t far_words_of_the_group(const struct scene_access *a)
{
	return a->site == 2 ? C + 65536 * a->group + UINT64_C(2048) * a->lane : SCENE_NOWHERE;
}

/* Two groups read the halves of each line. */
static uint64_t half_a_line(const struct scene_access *a)
{
	return a->site ? SCENE_NOWHERE
	               : A + 64 * a->group + UINT64_C(2) * a->lane + UINT64_C(4096) * a->k;
}

/* All groups read the same half. */
static uint64_t the_same_half(const struct scene_access *a)
{
	return a->site ? SCENE_NOWHERE : A + UINT64_C(2) * a->lane + UINT64_C(4096) * a->k;
}

static uint64_t the_same_lines(const struct scene_access *a)
{
	return a->site ? SCENE_NOWHERE : A + LINE_BYTES * a->k + UINT64_C(4) * a->lane;
}

static uint64_t few_lanes(const struct scene_access *a)
{
	return a->lane % 8 == 7 ? in_order(a) : SCENE_NOWHERE;
}

/* The first 16, 8, 4, 2 and 1 lanes: a sum by halves. */
static uint64_t halves_of_lanes(const struct scene_access *a)
{
	return a->lane < UINT32_C(16) >> a->k % 5 ? in_order(a) : SCENE_NOWHERE;
}

/* One lane, once. */
static uint64_t the_first_lane(const struct scene_access *a)
{
	return a->lane || a->k ? SCENE_NOWHERE : in_order(a);
}

/* Lanes 0 and 1 side by side, and 8, 16 and 24 alone: 5 lanes in 4 pieces are no runs. */
static uint64_t lonely_lanes(const struct scene_access *a)
{
	if (a->site || (a->lane % 8 && a->lane != 1))
		return SCENE_NOWHERE;
	return own_line(A, a, 0) + UINT64_C(65536) * (a->lane / 8) + UINT64_C(4) * (a->lane % 8);
}

/* One word of structures of 32 bytes, of each lane's own. */
static uint64_t one_field(const struct scene_access *a)
{
	return a->site ? SCENE_NOWHERE : own_line(A, a, 32) + UINT64_C(65536) * a->k;
}

/* Two words of such a structure, copied by one expression. */
static uint64_t two_fields(const struct scene_access *a)
{
	return a->site > 1 ? SCENE_NOWHERE
	                   : own_line(A, a, 32) + UINT64_C(65536) * a->k + UINT64_C(4) * a->site;
}

static uint64_t bytes_in_order(const struct scene_access *a)
{
	return a->site ? SCENE_NOWHERE : own_line(A, a, 1);
}

/* One word for all lanes, and another one in each iteration; the same that is written. */
static uint64_t one_for_all(const struct scene_access *a)
{
	return a->site == 1 ? B + UINT64_C(4) * a->k : a->site ? SCENE_NOWHERE : own_line(A, a, 4);
}

/* Each lane adds to a word of its own, of the argument that it reads too. */
static uint64_t running(const struct scene_access *a)
{
	return a->site == 1 ? own_line(B, a, 4) : C + LINE_BYTES * a->group + UINT64_C(4) * a->lane;
}

static uint64_t one_bank(const struct scene_access *a)
{
	if (a->site == 1)
		return LINE_BYTES * a->lane;
	return in_order(a);
}

static uint64_t all_banks(const struct scene_access *a)
{
	if (a->site == 1)
		return UINT64_C(4) * a->lane;
	return in_order(a);
}

/* The first launch writes C, and the second one reads that. */
static uint64_t passed_on(const struct scene_access *a)
{
	return a->site == (a->launch ? 0 : 2) ? own_line(C, a, 4) : SCENE_NOWHERE;
}

/* Groups read what others have written. */
static uint64_t passed_across(const struct scene_access *a)
{
	const struct scene_access other = { a->site, a->group ^ 1, a->lane, a->k, 0 };

	if (a->site != (a->launch ? 0 : 2))
		return SCENE_NOWHERE;
	return own_line(C, a->launch ? &other : a, 4);
}

/* Both read A, and the second one also what was written for other groups. */
static uint64_t half_across(const struct scene_access *a)
{
	return a->site == 0 ? own_line(A, a, 4)
	                    : passed_across(&(struct scene_access){ a->site ^ (a->launch ? 1 : 0),
	                                                            a->group, a->lane, a->k,
	                                                            a->launch });
}

/* The second launch reads again what the first one did in its first iterations alone. */
static uint64_t read_in_part(const struct scene_access *a, uint64_t again)
{
	return a->site ? SCENE_NOWHERE : own_line(a->launch && a->k >= again ? B : A, a, 4);
}

static uint64_t half_read(const struct scene_access *a)
{
	return read_in_part(a, 8);
}

static uint64_t less_than_half_read(const struct scene_access *a)
{
	return read_in_part(a, 7);
}

#define SHOWS .shows = true

const struct finding_scene_row finding_scenes[] = {
	{ "rows", FINDING_UNCOALESCED, SHOWS, 4, 16, .address = along_rows,
	  .says = "with a lane stride of 2,048 bytes: 32 requests instead of 1" },
	{ "slanted", FINDING_UNCOALESCED, SHOWS, 4, 17, .is_packed = true, .address = slanted,
	  .says = "with a lane stride of 2,048 bytes: 32 requests instead of 1" },
	{ "two_rows", FINDING_UNCOALESCED, SHOWS, 4, 16, .address = two_rows,
	  .says = "in separate runs of 16 lanes: 2 requests instead of 1" },
	{ "in_order", FINDING_UNCOALESCED, false, 4, 16, .address = in_order },
	{ "lonely", FINDING_UNCOALESCED, SHOWS, 4, 16, .address = lonely_lanes,
	  .says = "at scattered addresses: 4 requests instead of 1" },
	{ "behind", FINDING_MISALIGNED, SHOWS, 4, 16, .address = a_word_behind,
	  .says = "2 requests instead of 1" },
	{ "in_order", FINDING_MISALIGNED, false, 4, 16, .address = in_order },
	{ "packed", FINDING_MISALIGNED, false, 4, 16, .address = packed },
	{ "stencil", FINDING_MISALIGNED, false, 4, 16, .address = neighbours },
	{ "window", FINDING_MISALIGNED, false, 4, 16, .address = sliding },
	{ "eight_lines", FINDING_THRASHING, SHOWS, 1, 16, "1", "4", .address = eight_lines,
	  .says = "again after 7 other lines or more, and L1 holds 4" },
	{ "two_lines", FINDING_THRASHING, SHOWS, 1, 16, "1", "1", .address = two_lines,
	  .says = "again after 1 other line or more, and L1 holds 1" },
	{ "four_lines", FINDING_THRASHING, false, 1, 16, "1", "4", .address = four_lines },
	{ "rows", FINDING_THRASHING, false, 1, 16, "1", "4", .address = along_rows },
	{ "in_place", FINDING_REWRITTEN, SHOWS, 4, 16, .address = in_place,
	  .says = "again after a write or an atomic removed the line from L1; 100% of all misses, "
	          "coherence" },
	{ "elsewhere", FINDING_REWRITTEN, false, 4, 16, .address = elsewhere },
	{ "stream", FINDING_STREAMING, SHOWS, 2, 16, "1", "4", .address = beside_a_stream,
	  .says = "without it some 24 misses of other reads would be hits" },
	{ "stream_fits", FINDING_STREAMING, false, 2, 16, .address = beside_a_stream },
	{ "in_order", FINDING_STREAMING, false, 2, 16, "1", "4", .address = in_order },
	{ "one_set", FINDING_SET_CONFLICT, SHOWS, 1, 16, "8", "2", .address = in_one_set,
	  .says = "75% of the kernel's misses are conflicts, half of them in 1 of 8 sets" },
	{ "four_lines", FINDING_SET_CONFLICT, false, 1, 16, "8", "2", .address = four_lines },
	{ "one_word", FINDING_HOT_LINE, SHOWS, 8, 16, .has_atomics = true, .address = one_word,
	  .says = "128 requests with 4,096 atomics, 100% of all writes and atomics, meet on 1 "
	          "line" },
	{ "one_word_written", FINDING_HOT_LINE, SHOWS, 8, 16, .address = one_word },
	{ "own_words", FINDING_HOT_LINE, false, 8, 16, .has_atomics = true,
	  .address = words_of_its_own },
	{ "halves", FINDING_FALSE_REUSE, SHOWS, 4, 16, .bytes = 2, .address = half_a_line,
	  .says = "in lines that 2 groups share, each its own bytes: 50% of the bytes moved" },
	{ "same_half", FINDING_FALSE_REUSE, false, 4, 16, .bytes = 2, .address = the_same_half },
	{ "in_order", FINDING_FALSE_REUSE, false, 4, 16, .address = in_order },
	{ "same_lines", FINDING_REFETCHED, SHOWS, 8, 16, .address = the_same_lines,
	  .says = "in lines or sectors that each of 8 SMs fetches" },
	{ "halves", FINDING_REFETCHED, false, 4, 16, .bytes = 2, .address = half_a_line },
	{ "in_order", FINDING_REFETCHED, false, 8, 16, .address = in_order },
	{ "table", FINDING_REFETCHED, false, 8, 16, .address = four_lines },
	{ "few_lanes", FINDING_DIVERGENT, SHOWS, 4, 16, .address = few_lanes,
	  .says = "with 4 of the 32 lanes of a warp" },
	{ "in_order", FINDING_DIVERGENT, false, 4, 16, .address = in_order },
	{ "sum_by_halves", FINDING_DIVERGENT, false, 4, 16, .address = halves_of_lanes },
	{ "first_lane", FINDING_DIVERGENT, false, 4, 16, .address = the_first_lane },
	{ "fields", FINDING_STRUCT_ARRAY, SHOWS, 4, 16, .text = "p[i].x", .address = one_field,
	  .says = "reads p[i].x with a lane stride of 32 bytes: 8 requests instead of 1" },
	{ "pointed", FINDING_STRUCT_ARRAY, SHOWS, 4, 16, .text = "p->x", .address = one_field },
	{ "copied", FINDING_STRUCT_ARRAY, SHOWS, 4, 16, .address = two_fields,
	  .says = "reads A[i] with a lane stride of 32 bytes: 8 requests instead of 1" },
	{ "strided", FINDING_STRUCT_ARRAY, false, 4, 16, .text = "A[8*i]", .address = one_field },
	{ "float", FINDING_STRUCT_ARRAY, false, 4, 16, .text = "A[2.5]", .address = one_field },
	{ "bytes", FINDING_NARROW, SHOWS, 4, 16, .bytes = 1, .address = bytes_in_order,
	  .says = "a byte a lane" },
	{ "in_order", FINDING_NARROW, false, 4, 16, .address = in_order },
	{ "broadcast", FINDING_UNIFORM, SHOWS, 4, 16, .address = one_for_all,
	  .says = "at one address for all lanes of a warp" },
	{ "in_order", FINDING_UNIFORM, false, 4, 16, .address = in_order },
	/* 32 words are one for each lane, 16 are none for half of them. */
	{ "all_pairs", FINDING_NO_REUSE, SHOWS, 4, 32, .address = one_for_all,
	  .says = "reads each byte of B[i] 32 times in a group: 32 requests a group; 1 would "
	          "bring it once" },
	{ "all_pairs", FINDING_UNIFORM, false, 4, 32, .address = one_for_all },
	{ "broadcast", FINDING_NO_REUSE, false, 4, 16, .address = one_for_all },
	/* 32 lanes ask 16 times for one of 47 words, in two lines but for the first time. */
	{ "window", FINDING_NO_REUSE, SHOWS, 4, 16, .address = sliding,
	  .says = "10.9 times in a group: 31 requests a group; 2 would bring it once" },
	{ "stencil", FINDING_NO_REUSE, false, 4, 16, .address = neighbours },
	{ "rows", FINDING_NO_REUSE, false, 4, 16, .address = along_rows },
	{ "in_order", FINDING_NO_REUSE, false, 4, 16, .address = in_order },
	/* All writes but the last of 16. */
	{ "running", FINDING_ACCUMULATES, SHOWS, 4, 16, .address = running,
	  .says = "in global memory: 94% of the writes are replaced by the same work-item's next "
	          "one; the same at 1 other access" },
	{ "running_packed", FINDING_ACCUMULATES, SHOWS, 4, 16, .is_packed = true,
	  .address = running, .says = "94% of the writes are replaced" },
	{ "running", FINDING_NO_REUSE, false, 4, 16, .address = running },
	{ "own_words_written", FINDING_ACCUMULATES, false, 8, 16, .address = words_of_its_own },
	/* 16 updates of 32 words in one line; a sum of each takes one request. */
	{ "groups_words", FINDING_GROUP_ATOMICS, SHOWS, 160, 16, .has_atomics = true,
	  .address = words_of_the_group,
	  .says = "updates each word of C 16 times in a group: 16 requests a group; 1 would "
	          "add sums of its own" },
	{ "groups_bins", FINDING_GROUP_ATOMICS, SHOWS, 160, 16, .text = "f(&b[i])",
	  .has_atomics = true, .address = words_of_the_group,
	  .says = "updates each word of b 16 times in a group" },
	{ "groups_far_words", FINDING_GROUP_ATOMICS, SHOWS, 40, 16, .has_atomics = true,
	  .address = far_words_of_the_group,
	  .says = "updates each word of C 16 times in a group: 512 requests a group; 32 would "
	          "add sums of its own" },
	{ "groups_words_thrice", FINDING_GROUP_ATOMICS, false, 160, 3, .has_atomics = true,
	  .address = words_of_the_group },
	{ "groups_words_fit", FINDING_GROUP_ATOMICS, SHOWS, 4, 4 * 192, .bytes = 8,
	  .has_atomics = true, .address = words_that_fit,
	  .says = "updates each word of C 4 times in a group" },
	{ "groups_words_do_not_fit", FINDING_GROUP_ATOMICS, false, 4, 4 * 193, .bytes = 8,
	  .has_atomics = true, .address = words_that_do_not_fit },
	{ "own_words", FINDING_GROUP_ATOMICS, false, 8, 16, .has_atomics = true,
	  .address = words_of_its_own },
	{ "one_word", FINDING_GROUP_ATOMICS, false, 8, 16, .has_atomics = true,
	  .address = one_word },
	{ "groups_words_written", FINDING_GROUP_ATOMICS, false, 160, 16,
	  .address = words_of_the_group },
	{ "few", FINDING_FEW_GROUPS, SHOWS, 4, 16, .address = in_order,
	  .says = "a launch of 4 groups leaves 11 of 15 SMs without work" },
	{ "many", FINDING_FEW_GROUPS, false, 16, 16, .address = in_order },
	{ "passed_on", FINDING_RELAUNCHED, SHOWS, 4, 16, .is_followed = true, .address = passed_on,
	  .says = "reads A[i], which scene wrote just before, in the same groups: 100% of the "
	          "bytes" },
	{ "read_twice", FINDING_RELAUNCHED, SHOWS, 4, 16, .is_followed = true, .address = in_order,
	  .says = "reads A[i], which scene read just before" },
	{ "passed_across", FINDING_RELAUNCHED, false, 4, 16, .is_followed = true,
	  .address = passed_across },
	{ "half_across", FINDING_RELAUNCHED, false, 4, 16, .is_followed = true,
	  .address = half_across },
	{ "half_read", FINDING_RELAUNCHED, SHOWS, 4, 16, .is_followed = true, .address = half_read,
	  .says = "in the same groups: 50% of the bytes that it brings in" },
	{ "less_than_half_read", FINDING_RELAUNCHED, false, 4, 16, .is_followed = true,
	  .address = less_than_half_read },
	{ "repeated", FINDING_RELAUNCHED, false, 4, 16, .is_repeated = true, .address = in_order },
	{ "once", FINDING_RELAUNCHED, false, 4, 16, .address = in_order },
	{ "one_bank", FINDING_BANK_CONFLICT, SHOWS, 4, 16, .has_local = true, .address = one_bank,
	  .says = "in local memory in 32 passes instead of 1" },
	/* Half-warps: 16 words of two banks each. */
	{ "two_banks", FINDING_BANK_CONFLICT, SHOWS, 4, 16, .bytes = 8, .has_local = true,
	  .address = one_bank, .says = "in local memory in 32 passes instead of 2" },
	{ "all_banks", FINDING_BANK_CONFLICT, false, 4, 16, .has_local = true,
	  .address = all_banks },
};
const size_t finding_scene_count = sizeof(finding_scenes) / sizeof(finding_scenes[0]);

/* recording_script_launch() has no context for what it calls. */
static const struct finding_scene_row *scene;
static uint32_t launch_number;

/* A site over all of the loop, as one record. */
static void add_run(struct script *s, uint64_t group, uint32_t site)
{
	const struct scene_access first = { site, group, s->items, 0, launch_number },
				  second = { site, group, s->items, 1, launch_number };
	uint64_t address = scene->address(&first);

	if (address == SCENE_NOWHERE)
		return;
	recording_script_add(s, EVENT_RUN | site, address, scene->times);
	recording_script_add(s, EVENT_PART | site, 0, 0);
	recording_script_add(s, EVENT_PART | site, scene->address(&second) - address, 0);
}

static void fill(struct script *s, uint64_t group, uint32_t items)
{
	for (; s->items < items; s->items++) {
		s->first[s->items + 1] = s->count;
		for (uint32_t site = 0; scene->is_packed && site < 3; site++)
			add_run(s, group, site);
		if (scene->is_packed)
			continue;
		for (uint32_t k = 0; k < scene->times; k++)
			for (uint32_t site = 0; site < 3; site++) {
				const struct scene_access a = { site, group, s->items, k,
					                        launch_number };
				uint64_t address = scene->address(&a);

				if (address != SCENE_NOWHERE)
					recording_script_add(s, EVENT_SITE | site, address, k);
			}
	}
}

static char source_file[] = "sources/program-0000.cl";

static const char source[] = "__kernel void scene(__global float *A, __global float *B,\n"
			     "                    __global float *C)\n"
			     "{\n"
			     "	for (int k = 0; k < TIMES; k++)\n"
			     "		C[...] += A[...] + B[...];\n"
			     "}\n";

/* What a table points to, which only reads it. */
static struct site sites[3];
static struct loop loop = { -1, 1, { source_file, 4, 2 } };
static struct kernel_argument arguments[3] = {
	{ TEXT("A"), TEXT("float*"), SPACE_GLOBAL, false },
	{ TEXT("B"), TEXT("float*"), SPACE_GLOBAL, false },
	{ TEXT("C"), TEXT("float*"), SPACE_GLOBAL, true },
};
static char kernel_name[] = "scene", after_name[] = "after";
static char expressions[3][16] = { "A[i]", "B[i]", "C[i]" };

static void fill_sites(void)
{
	(void)snprintf(expressions[0], sizeof(expressions[0]), "A[i]");
	for (int i = 0; i < 3; i++)
		sites[i] = (struct site){ .kind = i == 2 ? SITE_WRITE : SITE_READ,
			                  .bytes = scene->bytes ? scene->bytes : 4,
			                  .space = SPACE_GLOBAL,
			                  .argument = i,
			                  .place = { source_file, 5, 3 },
			                  .expression = expressions[i] };
	if (scene->text)
		(void)snprintf(expressions[0], sizeof(expressions[0]), "%s", scene->text);
	if (scene->has_atomics)
		sites[2].kind = SITE_ATOMIC;
	if (scene->has_atomics && scene->text) { /* not known through which argument */
		sites[2].expression = expressions[0];
		sites[2].argument = -1;
	}
	if (scene->has_local)
		sites[1].space = SPACE_LOCAL;
	if (scene->address == running)
		sites[0].argument = 2;
	if (scene->address == two_fields)
		sites[1] = sites[0];
	if (scene->address == neighbours)
		sites[1].argument = sites[2].argument = 0;
	if (scene->address == neighbours)
		sites[2].kind = SITE_READ;
}

static int add_kernel(struct recording_writer *w, struct kernel_table *table, uint32_t *id,
                      struct err *err)
{
	fill_sites();
	*table = (struct kernel_table){ .name = kernel_name,
		                        .sites = sites,
		                        .site_count = 3,
		                        .loops = &loop,
		                        .loop_count = 1,
		                        .arguments = arguments,
		                        .argument_count = 3,
		                        .is_repeatable = true };
	return recording_script_kernel(w, table, id, err);
}

int finding_scene_make(const struct finding_scene_row *row, const char *dir, struct err *err)
{
	struct recorded_argument pointers[3] = { { 0, 0, A }, { 1, 1, B }, { 2, 2, C } };
	struct recorded_launch launch = { .shape = { 1, { 32, 1, 1 }, { 32, 1, 1 }, { 0 } },
		                          .arguments = pointers,
		                          .argument_count = 3 };
	struct recording_writer *w = NULL;
	struct kernel_table table;
	uint32_t id;
	int ret = recording_script_begin(&w, dir, err);

	scene = row;
	launch_number = 0;
	launch.shape.global[0] = UINT64_C(32) * row->groups;
	for (size_t i = 0; i < 3 && !ret; i++)
		ret = recording_writer_buffer(w,
		                              &(struct recorded_buffer){ .bytes = BUFFER_BYTES,
		                                                         .flags = 1,
		                                                         .parent = -1 },
		                              &id, err);
	if (!ret)
		ret = recording_script_program(w, source, err);
	if (!ret)
		ret = add_kernel(w, &table, &launch.kernel, err);
	if (!ret)
		ret = recording_script_launch(w, &launch, &table, fill, err);
	launch_number = 1;
	if (!ret && row->is_followed) {
		table.name = after_name;
		ret = recording_script_kernel(w, &table, &launch.kernel, err);
	}
	if (!ret && (row->is_followed || row->is_repeated))
		ret = recording_script_launch(w, &launch, &table, fill, err);
	return ret ? ret : recording_script_finish(w, err);
}
