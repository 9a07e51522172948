/*
 * query_expr_private - an expression as a tree (private to query_expr.c and query_parser.c).
 */
#ifndef QUERY_EXPR_PRIVATE_H
#define QUERY_EXPR_PRIVATE_H

#include "array.h"
#include "query_expr.h"
#include "query_lexer.h"

#include <regex.h>

enum query_node_kind { QUERY_NODE_COMPARE, QUERY_NODE_NOT, QUERY_NODE_AND, QUERY_NODE_OR };

struct query_node {
	enum query_node_kind kind;
	uint32_t left, right; /* nodes; of NOT only the left one */
	/* Of COMPARE: */
	uint32_t column;
	enum query_operator operator;
	bool has_other;      /* compared with the column `other`; */
	uint32_t other;      /* else with: */
	enum cell_type type; /* of `value` */
	struct cell value;   /* its text is `word` */
	char *word;
	bool has_regex;
	regex_t regex;
};

struct query_expr {
	const struct query_columns *columns; /* borrowed */
	struct array nodes;                  /* struct query_node */
	uint32_t root;
	bool is_empty; /* true of all rows */
};

/* Read the text into the expression, which has no nodes yet. Returns as query_expr_create(). */
int query_parser_read(struct query_expr *e, const char *text, struct query_fault *fault,
                      struct err *err);

#endif
