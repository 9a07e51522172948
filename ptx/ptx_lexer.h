/*
 * ptx_lexer - the words of a PTX text, one after the other, with their places.
 *
 * Knows comments of both kinds and texts in quotes; everything else that is odd is a sign of one
 * character, so that no input is refused here. A comment or a text that does not end goes to the
 * end of the input.
 */
#ifndef PTX_LEXER_H
#define PTX_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Skip to the next of {}()[], which is the result and is taken; PTX_END: there is none. Much faster
 * than token by token. */
struct ptx_token ptx_lexer_next_bracket(struct ptx_lexer *l);

/* Whether a token of `text` is this. */
bool ptx_token_is(const char *text, struct ptx_token t, const char *word);

/* The line that a byte of the text is in, from 1. */
size_t ptx_line_of(const char *text, size_t at_byte);

#endif
