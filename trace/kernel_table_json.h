/*
 * kernel_table_json - a kernel table as JSON (trace/FORMAT.md, section "Kernel table"); private
 * to trace/. The instrumenter's file and the manifest have the same objects.
 */
#ifndef KERNEL_TABLE_JSON_H
#define KERNEL_TABLE_JSON_H

#include "json_fields.h"

struct kernel_table;

/* Returns a new reference, or NULL when out of memory. */
json_t *kernel_table_to_json(const struct kernel_table *t);

/*
 * Fill *t, which is released on failure, and check it with kernel_table_check(). Returns 0,
 * ERR_FORMAT or ERR_NOMEM.
 */
int kernel_table_from_json(struct kernel_table *t, const json_t *value, struct err *err);

struct err;

/*
 * Make *out a copy of `from` in which the source file `name` is renamed to `other`. Files are
 * compared by base name, because compilers may use longer paths. Release *out with
 * kernel_table_release(). Returns 0 or ERR_NOMEM.
 */
int kernel_table_rename_file(struct kernel_table *out, const struct kernel_table *from,
                             const char *name, const char *other, struct err *err);

#endif
