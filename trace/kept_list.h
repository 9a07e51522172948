/*
 * kept_list - the file of a bypass list in a recording (private to trace/).
 */
#ifndef KEPT_LIST_H
#define KEPT_LIST_H

struct bypass_list;
struct err;
struct recorded_list;

/* Write the list to kept->file in the folder `dir` and fill in kept->sum. Returns 0, ERR_IO,
 * ERR_NOMEM; ERR_LIMIT when it has more lines or bytes than recording_read_list() takes. */
int kept_list_write(const char *dir, struct recorded_list *kept, const struct bypass_list *list,
                    struct err *err);

#endif
