/*
 * table_file - a kernel's table in which a source file has another name.
 */
#ifndef TABLE_FILE_H
#define TABLE_FILE_H

struct err;
struct kernel_table;

/*
 * In *out, a copy of `from` whose places in the file `name` (or in one of its base name, as paths
 * of compilers may have more in front) are in the file `other`. Release it with
 * kernel_table_release(). Returns 0 or ERR_NOMEM.
 */
int table_file_rename(struct kernel_table *out, const struct kernel_table *from, const char *name,
                      const char *other, struct err *err);

#endif
