/*
 * import_ancestor - a recording from a trace of the 2014 tool (ancestor.h).
 */
#ifndef IMPORT_ANCESTOR_H
#define IMPORT_ANCESTOR_H

struct err;

/* Make the recording `dir` of `file`. Returns 0, ERR_FORMAT, or as import_recording_make(). */
int import_ancestor(const char *file, const char *dir, struct err *err);

#endif
