/*
 * fd_write - bytes to a descriptor, all of them or an error; private to trace/.
 */
#ifndef FD_WRITE_H
#define FD_WRITE_H

#include <stddef.h>

struct err;

/* Write all bytes, going on after short writes and signals; none is raised. Returns 0 or ERR_IO. */
int fd_write(int fd, const void *bytes, size_t length, struct err *err);

#endif
