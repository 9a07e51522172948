/*
 * recording_name - the directory of a recording, from a pattern.
 *
 * In a pattern %p stands for the id of the recorded process, %h for the name of the host, %n for
 * the running number of the recording, %% for %. Which number is free is for the caller to find
 * out: without %n the first name is the pattern's own, and number N > 1 appends ".N".
 */
#ifndef RECORDING_NAME_H
#define RECORDING_NAME_H

#include "array.h"

#include <stdbool.h>

struct err;

/* The last number that is tried. */
#define RECORDING_NAME_LAST 9999

/*
 * Whether `pattern` has a meaning; `what` is what the user knows it by. Returns 0, or ERR_USAGE
 * with "WHAT: ..." when it is empty or has another letter after %.
 */
int recording_name_check(const char *pattern, const char *what, struct err *err);

/* Whether the pattern, which was checked, has this letter after a %. */
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

/*
 * seen_list - what the recorders of one command report to `warpline record`, one line each in a
 * file.
 *
 * A line is a word, a space and a string. Recorders append with one write(2) each; the reader may
 * read at any time and passes over a last line that is not whole.
 */

enum seen_kind {
	SEEN_RECORDING, /* one was begun: its directory */
	SEEN_NO_DEVICE, /* devices were asked for in vain: the types, as OpenCL names them */
	SEEN_FAILURE,   /* a recording could not be begun: why */
	SEEN_INNER,     /* another `warpline record` was run, for these recordings */
	SEEN_KIND_COUNT
};

/*
 * Append a line to the file `path`; NULL: nobody wants to know. Line feeds in `text` would end the
 * line: such a string is not reported. Failures are not reported either: the list is only for the
 * final report.
 */
void seen_list_add(const char *path, enum seen_kind kind, const char *text);

struct seen {
	enum seen_kind kind;
	char *text;
};

struct seen_list {
	struct array lines; /* of struct seen, in order */
};

/*
 * Read the list; release it in every case. Anybody may have written to the file: recordings that
 * are none of `pattern` (recording_name.h) are passed over, and the other texts can be shown on a
 * terminal. Passed over are lines of unknown words, too, and those that came before. Returns 0,
 * ERR_IO, ERR_LIMIT, ERR_NOMEM.
 */
int seen_list_read(struct seen_list *list, const char *path, const char *pattern, struct err *err);

/* String number `at` of a kind, or NULL. Borrowed. */
const char *seen_list_text(const struct seen_list *list, enum seen_kind kind, size_t at);

/* Free what it owns. Accepts a zeroed struct. */
void seen_list_release(struct seen_list *list);

#endif
