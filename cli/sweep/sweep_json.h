/*
 * sweep_json - the cells of sweeps as JSON (docs/json.md): the columns of the CSV with their names.
 */
#ifndef SWEEP_JSON_H
#define SWEEP_JSON_H

#include <stddef.h>

struct err;
struct sweep_run;

/* Write the cells of `count` runs over one recording. Returns what json_out_write() does. */
int sweep_json_write(const struct sweep_run *runs, size_t count, const char *file, struct err *err);

#endif
