/*
 * sweep_csv - the cells of a sweep as CSV.
 */
#ifndef SWEEP_CSV_H
#define SWEEP_CSV_H

#include <stdio.h>

struct err;
struct sweep_axes;
struct sweep_run;

/* Write the names of the columns, and a line for each cell: geometries in order, ascending ways.
 * Returns 0, ERR_LIMIT or ERR_NOMEM. */
void sweep_csv_head(const struct sweep_axes *axes, FILE *out);
int sweep_csv_write(const struct sweep_run *r, FILE *out, struct err *err);

#endif
