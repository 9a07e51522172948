/*
 * recording_name - the directory of a recording, from a pattern.
 *
 * In a pattern %p stands for the id of the recorded process, %h for the name of the host, %n for
 * the running number of the recording, %% for %. Which number is free is for the caller to find
 * out: without %n the first name is the pattern's own, and number N > 1 is ".N" behind it.
 */
#ifndef RECORDING_NAME_H
#define RECORDING_NAME_H

#include <stdbool.h>

struct err;

/* The last number that is tried. */
#define RECORDING_NAME_LAST 9999

/*
 * Whether `pattern` has a meaning; `what` is what the user knows it by. Returns 0, or ERR_USAGE
 * with "WHAT: ..." when it is empty or has another letter behind %.
 */
int recording_name_check(const char *pattern, const char *what, struct err *err);

/* Whether the pattern, which was checked, has this letter behind a %. */
bool recording_name_has(const char *pattern, char letter);

/*
 * The name of recording `number` (from 1) of process `pid`, on the heap. The pattern was checked.
 * NULL with ERR_NOMEM, or ERR_LIMIT for one of more than 4095 bytes.
 */
char *recording_name_make(const char *pattern, long pid, unsigned number, struct err *err);

/* Whether `name` is one of those that the pattern, which was checked, has for some process, host
 * and number. */
bool recording_name_fits(const char *pattern, const char *name);

/* The pattern that has exactly `text` as its name, on the heap. NULL with ERR_NOMEM, ERR_LIMIT. */
char *recording_name_escape(const char *text, struct err *err);

#endif
