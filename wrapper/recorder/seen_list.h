/*
 * seen_list - what the recorders of one command tell `warpline record`, in a file of one line each.
 *
 * A line is a word, a space and a text. Recorders append with one write(2) each; the reader may
 * read at any time and passes over a last line that is not whole.
 */
#ifndef SEEN_LIST_H
#define SEEN_LIST_H

#include "array.h"

struct err;

enum seen_kind {
	SEEN_RECORDING, /* one was begun: its directory */
	SEEN_NO_DEVICE, /* devices were asked for in vain: the types, as OpenCL names them */
	SEEN_FAILURE,   /* a recording could not be begun: why */
	SEEN_INNER,     /* another `warpline record` was run, for these recordings */
	SEEN_KIND_COUNT
};

/*
 * Append a line to the file `path`; NULL: nobody wants to know. Line feeds in `text` would end the
 * line: such a text is not told. Failures are not told either: the list is only for the report.
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

/* The texts of a kind, one by one: number `at` of them, or NULL. Borrowed. */
const char *seen_list_text(const struct seen_list *list, enum seen_kind kind, size_t at);

/* Free what it owns. Accepts a zeroed struct. */
void seen_list_release(struct seen_list *list);

#endif
