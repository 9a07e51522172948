/*
 * generic_marks - marks of generic pointers become marks of the memory that they point to.
 *
 * Where the origin of the pointer tells its memory nothing is asked at run time; else the mark
 * becomes "if (to_global(p)) mark p in global memory", and so for local memory where that is
 * recorded. Private memory is not recorded.
 */
#ifndef GENERIC_MARKS_H
#define GENERIC_MARKS_H

struct err;
struct program;

/* Do it for all kernels, whose variables are in registers. Returns 0 or ERR_NOMEM. */
int generic_marks_resolve(struct program *p, struct err *err);

#endif
