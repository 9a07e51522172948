/*
 * ptx_word - a piece of a PTX text: a name, a suffix, the words of an instruction. The text is
 * borrowed and outlives it.
 */
#ifndef PTX_WORD_H
#define PTX_WORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* How it is printed with "%.*s": at most so many bytes of it. */
#define PTX_WORD_PRINTED 120
#define PTX_WORD_ARGS(word)                                                                        \
	(int)((word).length < PTX_WORD_PRINTED ? (word).length : PTX_WORD_PRINTED), (word).at

#endif
