/*
 * ptx_scan - PTX source while it is read: words, tokens with their lines, and the messages that say
 * what was expected.
 */
#ifndef PTX_SCAN_H
#define PTX_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/*
 * A piece of PTX source: a name, a suffix, the words of an instruction. The source is borrowed and
 * outlives it.
 */

#define PTX_NONE UINT32_MAX /* no index */

struct ptx_word {
	const char *at;
	size_t length; /* 0: none */
};

/* Whether it is this word; whether it begins so. */
bool ptx_word_is(struct ptx_word word, const char *text);
bool ptx_word_begins(struct ptx_word word, const char *text);

bool ptx_word_equals(struct ptx_word a, struct ptx_word b);

/* Whether it is one of the words in `list`, which blanks separate. */
bool ptx_word_is_in(struct ptx_word word, const char *list);

/* How it is printed with "%.*s": at most this many bytes. */
#define PTX_WORD_PRINTED 120

#define PTX_WORD_ARGS(word)                                                                        \
	(int)((word).length < PTX_WORD_PRINTED ? (word).length : PTX_WORD_PRINTED), (word).at

/*
 * The tokens of PTX source, one after the other, with their places.
 *
 * Skips comments of both kinds and keeps quoted strings whole; any other character is a sign of its
 * own, so that no input is refused here. A comment or string that does not end goes to the
 * end of the input.
 */

enum ptx_token_kind {
	PTX_END,
	PTX_WORD,   /* ld, %rd1, $L__BB0_1, _Z3foo */
	PTX_SUFFIX, /* .global, .L2::128B, .entry */
	PTX_NUMBER, /* 12, 0x1F, 0f3F800000 */
	PTX_STRING, /* with its quotes */
	PTX_SIGN,   /* any other character */
};

struct ptx_token {
	enum ptx_token_kind kind;
	size_t begin, end; /* bytes of the text */
};

struct ptx_lexer {
	const char *text;
	size_t length, at;
};

/* The next token; PTX_END from the end on. */
struct ptx_token ptx_lexer_next(struct ptx_lexer *l);

/* Whether a token of `text` is this. */
bool ptx_token_is(const char *text, struct ptx_token t, const char *word);

/* The line that a byte of the text is in, from 1. */
size_t ptx_line_of(const char *text, size_t at_byte);

struct ptx_scan {
	struct ptx_lexer lexer;
	const char *path;
	struct err *err;
	size_t counted_bytes, line; /* lines are counted up to here */
	struct ptx_token ahead;     /* the token after looked_at, if that is where the lexer is */
	size_t looked_at, after_ahead;
};

/* Begin at the start of `text`, which must outlive the scan; `path` is for messages. */
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
 * ERR_FORMAT. Parentheses and brackets end at the latest at a ';' or where a function begins. The
 * second function starts inside an open brace. */
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
