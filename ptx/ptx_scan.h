/*
 * ptx_scan - scans PTX source: words, tokens with their lines, and messages that say what was
 * expected.
 */
#ifndef PTX_SCAN_H
#define PTX_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/*
 * A piece of PTX source: a name, a suffix, the words of an instruction. The source is borrowed and
 * must outlive it.
 */

#define PTX_NONE UINT32_MAX /* no index */

struct ptx_word {
	const char *at;
	size_t length; /* 0: none */
};

/* Return whether it is `text`; whether it begins with `text`. */
bool ptx_word_is(struct ptx_word word, const char *text);
bool ptx_word_begins(struct ptx_word word, const char *text);

bool ptx_word_equals(struct ptx_word a, struct ptx_word b);

/* Returns whether it is one of the space-separated words of `list`. */
bool ptx_word_is_in(struct ptx_word word, const char *list);

/* The most bytes of a word that are printed, with "%.*s". */
#define PTX_WORD_PRINTED 120

#define PTX_WORD_ARGS(word)                                                                        \
	(int)((word).length < PTX_WORD_PRINTED ? (word).length : PTX_WORD_PRINTED), (word).at

/*
 * The tokens of PTX source, one after another, with their positions.
 *
 * Skips comments of both kinds and keeps quoted strings whole. Any other character is a sign, so no
 * input is refused here. An unterminated comment or string extends to the end of the input.
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

/* Returns the next token; PTX_END at the end, and again after it. */
struct ptx_token ptx_lexer_next(struct ptx_lexer *l);

/* Returns whether a token of `text` is this word. */
bool ptx_token_is(const char *text, struct ptx_token t, const char *word);

/* Returns the line of a byte of the text, from 1. */
size_t ptx_line_of(const char *text, size_t at_byte);

struct ptx_scan {
	struct ptx_lexer lexer;
	const char *path;
	struct err *err;
	size_t counted_bytes, line; /* `line` is the line of this byte */
	struct ptx_token ahead;     /* the token at looked_at, if the lexer is there */
	size_t looked_at, after_ahead;
};

/* Begin at the start of `text`, which must outlive the scan; `path` is for messages. */
void ptx_scan_init(struct ptx_scan *s, const char *path, const char *text, size_t length,
                   struct err *err);

struct ptx_token ptx_scan_next(struct ptx_scan *s);
struct ptx_token ptx_scan_peek(struct ptx_scan *s);
struct ptx_word ptx_scan_word(const struct ptx_scan *s, struct ptx_token t);

/* Return whether the next token is this word; ptx_scan_take() also takes it then. */
bool ptx_scan_take(struct ptx_scan *s, const char *word);
bool ptx_scan_sees(struct ptx_scan *s, const char *word);

/* Returns the line of a token, from 1; fast for ascending tokens. */
size_t ptx_scan_line(struct ptx_scan *s, struct ptx_token t);

/* Take this word; take a name into *word. Return 0 or ERR_FORMAT. */
int ptx_scan_expect(struct ptx_scan *s, const char *word);
int ptx_scan_name(struct ptx_scan *s, struct ptx_word *word);

/* Return ERR_FORMAT with "PATH:LINE: expected WHAT, not 'TOKEN'". The second function is for a byte
 * of the text, and its message is without the token. */
int ptx_scan_fail(struct ptx_scan *s, struct ptx_token t, const char *what);
int ptx_scan_fail_at(struct ptx_scan *s, size_t at_byte, const char *what);

/* Skip the next token and, if it opens a bracket, everything up to the bracket that closes it.
 * Parentheses and brackets end at a ';' or at the beginning of a function at the latest. The second
 * function starts inside an open brace. Return 0 or ERR_FORMAT. */
int ptx_scan_skip_nested(struct ptx_scan *s);
int ptx_scan_skip_body(struct ptx_scan *s);

/*
 * Skip past the next ';' outside braces, for the statement that began at this byte. Returns 0, or
 * ERR_FORMAT at the end of the text and at a closing brace that no brace of the statement opened.
 */
int ptx_scan_skip_statement(struct ptx_scan *s, size_t begin);

/*
 * Take a number, which may have a minus sign. `bits` are its value, or the representation of a
 * floating point number (0f, 0d or decimal). Returns 0 or ERR_FORMAT.
 */
struct ptx_number {
	uint64_t bits;
	enum { PTX_INTEGER, PTX_SINGLE, PTX_DOUBLE } kind;
};
int ptx_scan_number(struct ptx_scan *s, struct ptx_number *number);

/* Take an integer from 0 to `max`. Returns 0 or ERR_FORMAT. */
int ptx_scan_integer(struct ptx_scan *s, uint64_t max, uint64_t *value);

#endif
