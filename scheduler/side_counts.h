/*
 * side_counts - what one warp instruction costs in the memories beside L1: banks of local memory,
 * addresses of constant memory.
 *
 * Local memory: word w (of local_bank_bytes) lies in bank w modulo local_banks. Lanes that access
 * the same word share it; a bank serves one word in each pass. As many lanes as fill all banks are
 * served together, by their position in the warp (32 banks of 4 bytes: all lanes of a warp of 32
 * with 4 bytes each, half-warps with 8, quarter-warps with 16; CUDA C Programming Guide 4.2, F.4.3.
 * 16 banks: half-warps, F.3.3. A wavefront of 64: its halves). They take as many passes as the
 * fullest bank has distinct words, and all passes after the first are conflicts. Atomics of lanes
 * do not share a word: they are done one after another.
 *
 * Constant memory: one address in each pass, for all lanes that access it (ibid., F.4.4).
 *
 * They take no time here and do not affect L1. If a recording has local memory of only a sample of
 * the groups, the others are assumed to be like these.
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
 * The groups that were counted for local memory, and their turns: instructions and further passes.
 * All sums are of whole numbers, so that it does not matter who adds them up.
 */
__extension__ typedef unsigned __int128 side_wide;

struct side_sample {
	uint64_t groups, of_groups; /* counted, of so many that ran */
	uint64_t turns;             /* in the groups that were counted, */
	side_wide squares;          /* and of each its square */
};

void side_sample_add(struct side_sample *sum, const struct side_sample *more);

/*
 * The standard error, in turns, of those of all groups as they are estimated from the groups that
 * were counted, drawn without replacement (Cochran, Sampling Techniques, 1977, formula 2.20); 0
 * when all were counted, and infinite when fewer than two of several were.
 */
double side_sample_error(const struct side_sample *s);

/* An error of this many turns as a share of those of *c; infinite when the error is. */
double side_counts_error(const struct side_counts *c, double error_turns);

/* Counters of local memory of s->groups groups, made those of all. */
void side_counts_scale(struct side_counts *c, const struct side_sample *s);

/* Instructions on local memory and their further passes. */
uint64_t side_counts_turns(const struct side_counts *c);

/* Whether accesses of a site go beside L1. */
bool side_counts_take(const struct site *site);

/* Add an access of such a site, on a GPU whose banks are set. */
void side_counts_step(struct side_counts *c, const struct gpu *gpu, const struct site *site,
                      const struct warp_step *step);

/* Add every counter of *more to *sum. */
void side_counts_add(struct side_counts *sum, const struct side_counts *more);

/* The passes beyond the first that a step of a kind of access takes in local memory, summed over
 * its parts. */
uint64_t side_counts_conflicts(const struct gpu *gpu, enum site_kind kind,
                               const struct warp_step *step);

/* The distinct addresses of a step. */
uint32_t side_counts_addresses(const struct warp_step *step);

#endif
