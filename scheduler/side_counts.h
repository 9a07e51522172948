/*
 * side_counts - counts what a warp instruction costs in the memories beside L1: banks of local
 * memory, addresses of constant memory.
 *
 * Local memory: word w (of local_bank_bytes) is in bank w modulo local_banks. Lanes that access the
 * same word share it; a bank serves one word in each pass. As many lanes as fill all banks are
 * served together, by their position in the warp (32 banks of 4 bytes: all lanes of a warp of 32
 * with 4 bytes each, half-warps with 8, quarter-warps with 16; CUDA C Programming Guide 4.2, F.4.3.
 * 16 banks: half-warps, F.3.3. A wavefront of 64: its halves). They take as many passes as the
 * fullest bank has distinct words; all passes after the first are conflicts. Atomics of several
 * lanes do not share a word: they are executed one after another.
 *
 * Constant memory: one address in each pass, for all lanes that access it (ibid., F.4.4).
 *
 * These accesses take no time here and do not affect L1. If a recording has local memory of only a
 * sample of the groups, the other groups are assumed to be like these.
 */
#ifndef SIDE_COUNTS_H
#define SIDE_COUNTS_H

#include "kernel_table.h"

#include <stdbool.h>
#include <stdint.h>

struct gpu;
struct site;
struct warp_step;

struct side_counts {
#define SIDE_COUNTER(name, space, key, unit, text) uint64_t name;
#include "side_counters.def"
#undef SIDE_COUNTER
};

/*
 * The sample of groups that were counted for local memory, and their turns: instructions plus
 * passes after the first. All sums are of whole numbers, so the order of summation does not matter.
 */
__extension__ typedef unsigned __int128 side_wide;

struct side_sample {
	uint64_t groups, of_groups; /* groups counted, of of_groups that ran */
	uint64_t turns;             /* sum over the counted groups */
	side_wide squares;          /* sum of the squares of each group's turns */
};

void side_sample_add(struct side_sample *sum, const struct side_sample *more);

/*
 * Returns the standard error, in turns, of the estimated turns of all groups: the counted groups
 * are taken as drawn without replacement (Cochran, Sampling Techniques, 1977, formula 2.20). 0 if
 * all groups were counted, infinite if fewer than two of several were.
 */
double side_sample_error(const struct side_sample *s);

/* Returns an error of `error_turns` as a share of the turns of *c; infinite if the error is. */
double side_counts_error(const struct side_counts *c, double error_turns);

/* Scale the counters of local memory from s->groups groups to s->of_groups, rounded. */
void side_counts_scale(struct side_counts *c, const struct side_sample *s);

/* Returns the instructions on local memory plus their passes after the first. */
uint64_t side_counts_turns(const struct side_counts *c);

/* Returns whether a site accesses local or constant memory. */
bool side_counts_take(const struct site *site);

/* Add an access of such a site; the GPU's local_banks and local_bank_bytes must be set. */
void side_counts_step(struct side_counts *c, const struct gpu *gpu, const struct site *site,
                      const struct warp_step *step);

/* Add every counter of *more to *sum. */
void side_counts_add(struct side_counts *sum, const struct side_counts *more);

/* Returns the passes after the first that a step takes in local memory, summed over its parts. In
 * atomics lanes do not share words. */
uint64_t side_counts_conflicts(const struct gpu *gpu, enum site_kind kind,
                               const struct warp_step *step);

/* Returns the number of distinct addresses of a step. */
uint32_t side_counts_addresses(const struct warp_step *step);

#endif
