/*
 * l1_text - what is not usual about a GPU's L1, for the head of a report: policies, sectors and
 * limits by their keys. Geometry is told elsewhere.
 */
#ifndef L1_TEXT_H
#define L1_TEXT_H

#include <stdio.h>

struct gpu;

/* A line "L1 has l1_policy = fifo, ....", or nothing for LRU, whole lines, writes that go through
 * and allocate nothing, and no limits. */
void l1_text_print(FILE *out, const struct gpu *gpu);

#endif
