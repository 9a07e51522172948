/*
 * column_numbers - counters by columns of the public tables (private to this room).
 *
 * Each returns WARPLINE_UNKNOWN for a column that it has none of.
 */
#ifndef COLUMN_NUMBERS_H
#define COLUMN_NUMBERS_H

#include "warpline_replay_rows.h"

struct counters;
struct dram_counters;
struct l1_stats_row;
struct l2_counters;

uint64_t column_of_counters(const struct counters *c, enum warpline_column column);
uint64_t column_of_stats(const struct l1_stats_row *row, enum warpline_column column);
uint64_t column_of_l2(const struct l2_counters *c, enum warpline_column column);
uint64_t column_of_dram(const struct dram_counters *c, enum warpline_column column);

#endif
