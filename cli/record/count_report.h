/*
 * count_report - what launches that were only counted did: per kernel, and per access in the
 * source.
 *
 * Sums over a kernel's counted launches; a sum that does not fit in 64 bits is 2^64 - 1.
 */
#ifndef COUNT_REPORT_H
#define COUNT_REPORT_H

#include <stdio.h>

struct recording;

/* One line for each kernel that has counted launches. Nothing when there are none. */
void count_report_kernels(FILE *out, const struct recording *r);

/* For each such kernel its sites, with how often each was reached. Nothing when there are none. */
void count_report_sites(FILE *out, const struct recording *r);

#endif
