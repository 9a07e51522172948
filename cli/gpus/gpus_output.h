/*
 * gpus_output - GPU descriptions as `warpline gpus` writes them: as JSON (docs/json.md), and as the
 * page docs/gpus.md.
 */
#ifndef GPUS_OUTPUT_H
#define GPUS_OUTPUT_H

#include <stdio.h>

struct err;

/* Write one description with all its keys, or the list of all (name NULL), as JSON to `file`.
 * Returns 0 or an error of gpu_catalogue_load() or json_out_write(). */
int gpus_output_json(const char *name, const char *l1, const char *file, struct err *err);

/* Print the page of all descriptions. Each value is what a replay on that GPU would use;
 * gpus/NAME.conf has its source. Returns 0 or an error of reading the descriptions. */
int gpus_output_markdown(FILE *out, struct err *err);

#endif
