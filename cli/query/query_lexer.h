/*
 * query_lexer - the words of an expression (query_expr.h).
 *
 * A bare word goes to the next blank, quote, parenthesis or one of & | = ! < >. In quotes, single
 * or double, a backslash takes away the meaning of the quote and of a backslash; before any other
 * letter it is one.
 */
#ifndef QUERY_LEXER_H
#define QUERY_LEXER_H

#include "query_expr.h"

struct err;

enum query_token {
	QUERY_END,
	QUERY_OPEN,
	QUERY_CLOSE,
	QUERY_AND,
	QUERY_OR,
	QUERY_NOT,
	QUERY_OPERATOR,
	QUERY_BARE,
	QUERY_QUOTED,
};

enum query_operator {
#define QUERY_OP(NAME, text) QUERY_OP_##NAME,
#include "query_comparisons.def"
#undef QUERY_OP
	QUERY_OP_COUNT
};

struct query_lexer {
	const char *text;
	size_t next; /* where the next token is sought */
	/* The token: */
	enum query_token token;
	enum query_operator operator; /* of QUERY_OPERATOR */
	struct query_fault place;
};

/* Take the next token. Returns 0, or ERR_USAGE with `place` where it is wrong. */
int query_lexer_next(struct query_lexer *l, struct err *err);

/* "==", ...: static storage. */
const char *query_operator_text(enum query_operator op);

/* A QUERY_BARE or QUERY_QUOTED token as the text that it means, on the heap. NULL with ERR_NOMEM.
 */
char *query_lexer_word(const struct query_lexer *l, struct err *err);

#endif
