/*
 * gpus_json - descriptions of GPUs as JSON (docs/json.md).
 */
#ifndef GPUS_JSON_H
#define GPUS_JSON_H

struct err;

/* Print one description with all its keys, or the list of all (name NULL), to stdout. Returns what
 * gpu_catalogue_load() and json_out_write() return. */
int gpus_json_print(const char *name, const char *l1, struct err *err);

#endif
