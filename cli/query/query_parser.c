/* SPDX-License-Identifier: Apache-2.0 */
#include "query_expr_private.h"

#include "err.h"
#include "query_regex.h"

#include <string.h>

struct query_parser {
	struct query_expr *expr;
	struct query_lexer lexer;
	uint32_t depth; /* parentheses and ! that are open */
	struct err *err;
};

/* Node of the tree: its number, or a negative ERR_*. */
static int64_t push(struct query_parser *p, const struct query_node *node)
{
	struct query_node *n = array_push(&p->expr->nodes, 1, p->err);

	if (!n)
		return p->err->code;
	*n = *node;
	return (int64_t)p->expr->nodes.count - 1;
}

static int64_t read_any(struct query_parser *p);

static int next(struct query_parser *p)
{
	return query_lexer_next(&p->lexer, p->err);
}

/* "expected ..." at the token at hand. */
static int expected(const struct query_parser *p, const char *what)
{
	const struct query_lexer *l = &p->lexer;

	if (l->token == QUERY_END)
		return err_set(p->err, ERR_USAGE, "expected %s at the end", what);
	return err_set(p->err, ERR_USAGE, "expected %s, not %.*s", what,
	               (int)(l->place.length > 64 ? 64 : l->place.length), l->text + l->place.at);
}

static int read_regex(struct query_parser *p, struct query_node *n)
{
	char why[128];
	int ret = query_regex_check(n->word, p->err);

	if (ret)
		return ret;
	ret = regcomp(&n->regex, n->word, REG_EXTENDED | REG_NOSUB);
	if (ret == REG_ESPACE)
		return err_set(p->err, ERR_NOMEM, "out of memory for a regular expression");
	if (ret) {
		regerror(ret, &n->regex, why, sizeof(why));
		return err_set(p->err, ERR_USAGE, "no regular expression: %s", why);
	}
	n->has_regex = true;
	return 0;
}

/* What a column of numbers is compared with: a number, or another such column. */
static int read_number(struct query_parser *p, struct query_node *n)
{
	const struct query_columns *columns = p->expr->columns;
	const char *name = columns->list[n->column].is.name;
	struct err why = { 0 };

	if (query_value_parse(n->word, strlen(n->word), &n->value, &n->type))
		return 0;
	if (n->word[0] >= '0' && n->word[0] <= '9')
		return err_set(
			p->err, ERR_USAGE,
			"'%.64s' is not a number: expected one up to 2^64 - 1 such as 9, 1.5, "
			"0x40, 16k, 4Ki or 5%%",
			n->word);
	if (query_columns_find(columns, n->word, strlen(n->word), &n->other, &why))
		return err_set(p->err, ERR_USAGE,
		               "'%s' is a number, and '%.64s' is neither a number nor a column",
		               name, n->word);
	n->has_other = true;
	if (cell_type_is_text(columns->list[n->other].is.type))
		return err_set(p->err, ERR_USAGE, "'%s' is a number, and '%s' is a string", name,
		               n->word);
	return 0;
}

static bool is_regex_operator(enum query_operator op)
{
	return op == QUERY_OP_MATCH || op == QUERY_OP_MISMATCH;
}

/* The right side of a comparison, which is the token at hand. */
static int read_operand(struct query_parser *p, struct query_node *n)
{
	const struct cell_column *column = &p->expr->columns->list[n->column].is;
	const char *op = query_operator_text(n->operator);

	if (p->lexer.token != QUERY_BARE && p->lexer.token != QUERY_QUOTED)
		return expected(p, cell_type_is_text(column->type) ? "a string" : "a number");
	n->word = query_lexer_word(&p->lexer, p->err);
	if (!n->word)
		return ERR_NOMEM;
	if (is_regex_operator(n->operator) && !cell_type_is_text(column->type))
		return err_set(
			p->err, ERR_USAGE,
			"%s seeks in a string, and '%s' is a number: expected == != < <= > or >=",
			op, column->name);
	if (is_regex_operator(n->operator))
		return read_regex(p, n);
	if (!cell_type_is_text(column->type))
		return read_number(p, n);
	n->type = CELL_TEXT;
	n->value = cell_text(n->word);
	return 0;
}

/* Fill the node that is the last one. */
static int read_comparison(struct query_parser *p, struct query_node *n)
{
	const struct query_lexer *l = &p->lexer;
	int ret;

	if (l->token != QUERY_BARE)
		return expected(p, "a column, ! or (");
	ret = query_columns_find(p->expr->columns, l->text + l->place.at, l->place.length,
	                         &n->column, p->err);
	if (!ret)
		ret = next(p);
	if (!ret && l->token != QUERY_OPERATOR)
		ret = expected(p, "== != =~ !~ < <= > or >= after a column");
	if (ret)
		return ret;
	n->operator= l->operator;
	ret = next(p);
	if (!ret)
		ret = read_operand(p, n);
	return ret ? ret : next(p);
}

static int64_t read_term(struct query_parser *p);

static int64_t read_not(struct query_parser *p)
{
	int64_t inner = read_term(p);

	if (inner < 0)
		return inner;
	return push(p, &(struct query_node){ .kind = QUERY_NODE_NOT, .left = (uint32_t)inner });
}

static int64_t read_parentheses(struct query_parser *p)
{
	int64_t inner = read_any(p);
	int ret;

	if (inner < 0)
		return inner;
	if (p->lexer.token != QUERY_CLOSE)
		return expected(p, "&&, || or )");
	ret = next(p);
	return ret ? ret : inner;
}

/* What begins with ! or ( . */
static int64_t read_inner(struct query_parser *p)
{
	bool is_not = p->lexer.token == QUERY_NOT;
	int64_t inner;

	if (++p->depth > QUERY_EXPR_DEPTH)
		return err_set(p->err, ERR_USAGE, "more than %d ! and ( in one another",
		               QUERY_EXPR_DEPTH);
	inner = next(p);
	if (!inner)
		inner = is_not ? read_not(p) : read_parentheses(p);
	p->depth--;
	return inner;
}

static int64_t read_term(struct query_parser *p)
{
	struct query_node node = { .kind = QUERY_NODE_COMPARE };
	int64_t at;
	int ret;

	if (p->lexer.token == QUERY_NOT || p->lexer.token == QUERY_OPEN)
		return read_inner(p);
	/* It is in the tree before it is read: what it owns is freed with the tree. */
	at = push(p, &node);
	ret = at < 0 ? (int)at : read_comparison(p, (struct query_node *)p->expr->nodes.data + at);
	return ret ? ret : at;
}

/* Terms joined by one operator; `read` reads a term. */
static int64_t read_chain(struct query_parser *p, enum query_token token, enum query_node_kind kind,
                          int64_t (*read)(struct query_parser *p))
{
	int64_t left = read(p), right;

	while (left >= 0 && p->lexer.token == token) {
		int ret = next(p);

		right = ret ? ret : read(p);
		if (right < 0)
			return right;
		left = push(p, &(struct query_node){ .kind = kind,
		                                     .left = (uint32_t)left,
		                                     .right = (uint32_t)right });
	}
	return left;
}

static int64_t read_all(struct query_parser *p)
{
	return read_chain(p, QUERY_AND, QUERY_NODE_AND, read_term);
}

static int64_t read_any(struct query_parser *p)
{
	return read_chain(p, QUERY_OR, QUERY_NODE_OR, read_all);
}

int query_parser_read(struct query_expr *e, const char *text, struct query_fault *fault,
                      struct err *err)
{
	struct query_parser p = { .expr = e, .lexer = { .text = text }, .err = err };
	int64_t root;

	if (strlen(text) > QUERY_EXPR_BYTES) {
		*fault = (struct query_fault){ QUERY_EXPR_BYTES, 1 };
		return err_set(err, ERR_USAGE, "the expression is longer than %d bytes",
		               QUERY_EXPR_BYTES);
	}
	root = next(&p);
	if (!root)
		root = read_any(&p);
	if (root >= 0 && p.lexer.token != QUERY_END)
		root = expected(&p, "&& or || between comparisons");
	*fault = p.lexer.place;
	e->root = (uint32_t)root;
	return root < 0 ? (int)root : 0;
}
