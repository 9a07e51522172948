/*
 * install - finds the parts of Warpline: beside the program, or below ../lib and ../libexec.
 */
#ifndef INSTALL_H
#define INSTALL_H

struct err;

/* The directory of the running program, on the heap. NULL with ERR_IO or ERR_NOMEM. */
char *install_program_dir(struct err *err);

/*
 * Absolute path of a part (libwarpline.so, warpline-instrument): beside the program, else in
 * ../lib/warpline, ../lib or ../libexec/warpline from there. On the heap. NULL with ERR_IO and the
 * folders that were searched, or ERR_NOMEM.
 */
char *install_part(const char *name, struct err *err);

#endif
