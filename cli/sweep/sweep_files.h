/*
 * sweep_files - the cells of sweeps as CSV and as JSON (docs/json.md): the same columns.
 */
#ifndef SWEEP_FILES_H
#define SWEEP_FILES_H

#include <stddef.h>
#include <stdio.h>

struct err;
struct sweep_axes;
struct sweep_run;

/* Write the names of the columns, and a line for each cell: geometries in order, ascending ways.
 * Returns 0, ERR_LIMIT or ERR_NOMEM. */
void sweep_csv_head(const struct sweep_axes *axes, FILE *out);
int sweep_csv_write(const struct sweep_run *r, FILE *out, struct err *err);

/* Write the cells of `count` runs over one recording. Returns what json_out_write() does. */
int sweep_json_write(const struct sweep_run *runs, size_t count, const char *file, struct err *err);

#endif
