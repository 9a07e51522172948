/*
 * ptx_scan - a PTX text while it is read: the next token, its line, and the sentences that say
 * what was expected there.
 */
#ifndef PTX_SCAN_H
#define PTX_SCAN_H

#include "ptx_lexer.h"
#include "ptx_word.h"

struct err;

struct ptx_scan {
	struct ptx_lexer lexer;
	const char *path;
	struct err *err;
	size_t counted_bytes, line; /* lines are counted up to here */
	struct ptx_token ahead;     /* the token after looked_at, if that is where the lexer is */
	size_t looked_at, after_ahead;
};

/* Begin at the start of a text, which outlives the scan; `path` is for messages. */
void ptx_scan_init(struct ptx_scan *s, const char *path, const char *text, size_t length,
                   struct err *err);

struct ptx_token ptx_scan_next(struct ptx_scan *s);
struct ptx_token ptx_scan_peek(struct ptx_scan *s);
struct ptx_word ptx_scan_word(const struct ptx_scan *s, struct ptx_token t);

/* Whether the next token is this word: then take it, or only look. */
bool ptx_scan_take(struct ptx_scan *s, const char *word);
bool ptx_scan_sees(struct ptx_scan *s, const char *word);

/* The line of a token, from 1; quick for tokens one after the other. */
size_t ptx_scan_line(struct ptx_scan *s, struct ptx_token t);

/* Take this word, or a name into *word: 0 or ERR_FORMAT. */
int ptx_scan_expect(struct ptx_scan *s, const char *word);
int ptx_scan_name(struct ptx_scan *s, struct ptx_word *word);

/* ERR_FORMAT "PATH:LINE: expected WHAT, not 'TOKEN'"; the same of what a byte of the text begins,
 * without the token. */
int ptx_scan_fail(struct ptx_scan *s, struct ptx_token t, const char *what);
int ptx_scan_fail_at(struct ptx_scan *s, size_t at_byte, const char *what);

/* Skip the next token, and when it opens a bracket all up to the one that closes it. 0 or
 * ERR_FORMAT. The other: from behind the brace that is open. */
int ptx_scan_skip_nested(struct ptx_scan *s);
int ptx_scan_skip_body(struct ptx_scan *s);

/*
 * Skip past the next ';', over braces, of the statement that began at this byte. 0; ERR_FORMAT at
 * the end of the text and at a closing brace that no brace of the statement opened.
 */
int ptx_scan_skip_statement(struct ptx_scan *s, size_t begin);

/*
 * Take a number, perhaps with a minus sign: its bits, those of a floating point number where it is
 * one (0f, 0d or decimal). 0 or ERR_FORMAT.
 */
struct ptx_number {
	uint64_t bits;
	enum { PTX_INTEGER, PTX_SINGLE, PTX_DOUBLE } kind;
};
int ptx_scan_number(struct ptx_scan *s, struct ptx_number *number);

/* Take an integer from 0 to `max`. */
int ptx_scan_integer(struct ptx_scan *s, uint64_t max, uint64_t *value);

#endif
