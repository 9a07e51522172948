/*
 * recording_name - the directory of a recording, from a pattern.
 *
 * In a pattern %p stands for the id of the recorded process, %h for the host's name, %n for the
 * number of the recording and %% for %. Without %n the first name is the pattern's own, and number
 * N > 1 appends ".N". The caller finds out which number is free.
 */
#ifndef RECORDING_NAME_H
#define RECORDING_NAME_H

#include "array.h"

#include <stdbool.h>

struct err;

/* The last number that is tried. */
#define RECORDING_NAME_LAST 9999

/*
 * Check `pattern`; `what` is its name for the user. Returns 0, or ERR_USAGE with "WHAT: ..." when
 * it is empty or has another letter after %.
 */
int recording_name_check(const char *pattern, const char *what, struct err *err);

/* Whether a checked pattern has this letter after a %. */
bool recording_name_has(const char *pattern, char letter);

/*
 * Returns the name of recording `number` (from 1) of process `pid` by a checked pattern, on the
 * heap. NULL with ERR_NOMEM, or ERR_LIMIT if it is longer than 4095 bytes.
 */
char *recording_name_make(const char *pattern, long pid, unsigned number, struct err *err);

/* Whether `name` is a name of a checked pattern, for any process, host and number. */
bool recording_name_fits(const char *pattern, const char *name);

/* Returns the pattern whose only name is `text`, on the heap. NULL with ERR_NOMEM, ERR_LIMIT. */
char *recording_name_escape(const char *text, struct err *err);

/*
 * seen_list - the file in which the recorders of one command report to `warpline record`, one event
 * a line.
 *
 * A line is a word, a space and a string. Recorders append each line with one write(2); the reader
 * may read at any time and ignores an incomplete last line.
 */

enum seen_kind {
	SEEN_RECORDING, /* a recording began: its directory */
	SEEN_NO_DEVICE, /* no device of the requested types: OpenCL's names of the types */
	SEEN_FAILURE,   /* a recording could not begin: the reason */
	SEEN_INNER,     /* another `warpline record` ran, for these recordings */
	SEEN_KIND_COUNT
};

/*
 * Append a line to the file `path`; does nothing if that is NULL, or if `text` has a line feed,
 * which would end the line. Ignores failures: the list is only for the final report.
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
 * Read the list; release it in every case. Since any process may have written to the file,
 * recordings whose name does not fit `pattern` (recording_name.h), unknown words and repeated lines
 * are ignored, and the strings are safe for a terminal. Returns 0, ERR_IO, ERR_LIMIT, ERR_NOMEM.
 */
int seen_list_read(struct seen_list *list, const char *path, const char *pattern, struct err *err);

/* Returns string number `at` of a kind, or NULL. Borrowed. */
const char *seen_list_text(const struct seen_list *list, enum seen_kind kind, size_t at);

/* Free what it owns. Accepts a zeroed struct. */
void seen_list_release(struct seen_list *list);

#endif
