/*
 * gpus_json - descriptions of GPUs as JSON (docs/json.md).
 */
#ifndef GPUS_JSON_H
#define GPUS_JSON_H

struct err;

/* Write one description with all its keys, or the list of all (name NULL), to `file`. Returns what
 * gpu_catalogue_load() and json_out_write() return. */
int gpus_json_write(const char *name, const char *l1, const char *file, struct err *err);

#endif
