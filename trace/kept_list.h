/*
 * kept_list - the file of a bypass list in a recording (private to trace/).
 */
#ifndef KEPT_LIST_H
#define KEPT_LIST_H

struct bypass_list;
struct err;

/* Write the list to `name` in the folder `dir`. Returns 0, ERR_IO, ERR_NOMEM. */
int kept_list_write(const char *dir, const char *name, const struct bypass_list *list,
                    struct err *err);

#endif
