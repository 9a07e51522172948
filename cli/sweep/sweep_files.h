/*
 * sweep_files - the cells of sweeps as CSV and as JSON (docs/json.md): the same columns.
 */
#ifndef SWEEP_FILES_H
#define SWEEP_FILES_H

#include <stddef.h>
#include <stdio.h>

struct err;
struct sweep_run;

/* Write the cells of `count` runs (>= 1) over one recording: geometries in order, ascending ways.
 * CSV has the policy, the latency and the pending hits only if requested. Returns 0,
 * ERR_LIMIT or ERR_NOMEM; JSON also what json_out_write() returns. */
int sweep_csv_write(const struct sweep_run *runs, size_t count, FILE *out, struct err *err);
int sweep_json_write(const struct sweep_run *runs, size_t count, const char *file, struct err *err);

#endif
