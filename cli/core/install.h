/*
 * install - where the parts of Warpline lie: beside the program, or under ../lib and ../share.
 */
#ifndef INSTALL_H
#define INSTALL_H

struct err;

/* The directory of the running program, on the heap. NULL with ERR_IO or ERR_NOMEM. */
char *install_program_dir(struct err *err);

/*
 * Absolute path of a part (libwarpline.so, warpline-instrument): beside the program, else in
 * ../lib/warpline, ../lib or ../libexec/warpline from there. On the heap. NULL with ERR_IO, whose
 * message says where it was sought, or ERR_NOMEM.
 */
char *install_part(const char *name, struct err *err);

#endif
