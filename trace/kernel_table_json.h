/*
 * kernel_table_json - a kernel table as JSON (trace/FORMAT.md, section "Kernel table"); private
 * to trace/. The instrumenter's file and the manifest hold the same objects.
 */
#ifndef KERNEL_TABLE_JSON_H
#define KERNEL_TABLE_JSON_H

#include "json_fields.h"

struct kernel_table;

/* A new reference, or NULL when out of memory. */
json_t *kernel_table_to_json(const struct kernel_table *t);

/*
 * Fill *t, which is released on failure, and check it with kernel_table_check(). Returns 0,
 * ERR_FORMAT or ERR_NOMEM.
 */
int kernel_table_from_json(struct kernel_table *t, const json_t *value, struct err *err);

/*
 * kernel_words_json.c: how few words of the device stand for many events, companions and counts,
 * where a table has any; those of old recordings have not. Not 0: out of memory; ERR_*.
 */
int kernel_words_to_json(json_t *o, const struct kernel_table *t);
int kernel_words_from_json(struct kernel_table *t, struct json_fields *f);

/* Room for the items of a list; NULL with f->ret set, or when the list cannot be read. */
void *kernel_list_alloc(struct json_fields *f, const char *key, size_t limit, size_t item_bytes,
                        size_t *count);

/* Reads list element `i` named `what` into item i of the table. */
typedef int (*kernel_item_read)(struct kernel_table *t, size_t i, const json_t *value,
                                const char *what, struct err *err);

/* Read each element of list `key`, called `item` in messages. */
void kernel_list_read(struct kernel_table *t, struct json_fields *f, const char *key,
                      const char *item, kernel_item_read read);

#endif
