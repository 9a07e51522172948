/* SPDX-License-Identifier: Apache-2.0 */
#include "query_expr.h"

#include "array.h"
#include "err.h"
#include "query_regex.h"
#include "suggest.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

enum query_operator {
	OP_EQUAL,
	OP_DIFFERENT,
	OP_MATCH,
	OP_MISMATCH,
	OP_AT_MOST,
	OP_AT_LEAST,
	OP_BELOW,
	OP_ABOVE,
	OPERATORS
};

/* In search order: a prefix of another operator comes after it. */
static const char *const operators[OPERATORS] = {
	[OP_EQUAL] = "==",   [OP_DIFFERENT] = "!=", [OP_MATCH] = "=~", [OP_MISMATCH] = "!~",
	[OP_AT_MOST] = "<=", [OP_AT_LEAST] = ">=",  [OP_BELOW] = "<",  [OP_ABOVE] = ">",
};

enum node_kind { NODE_COMPARE, NODE_NOT, NODE_AND, NODE_OR };

struct query_node {
	enum node_kind kind;
	uint32_t left, right; /* nodes; for NOT only the left one */
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
	const struct table_columns *columns; /* borrowed */
	struct array nodes;                  /* struct query_node */
	uint32_t root;
	bool is_empty; /* true of all rows */
};

int query_columns_find(const struct table_columns *columns, const char *name, size_t length,
                       uint32_t *out, struct err *err)
{
	char word[64];
	struct suggestion near;

	for (uint32_t i = 0; i < columns->count; i++)
		if (strlen(columns->list[i].is.name) == length &&
		    !memcmp(columns->list[i].is.name, name, length)) {
			*out = i;
			return 0;
		}
	if (length > sizeof(word) - 1)
		length = sizeof(word) - 1;
	memcpy(word, name, length);
	word[length] = '\0';
	suggestion_init(&near, word);
	for (uint32_t i = 0; i < columns->count; i++)
		suggestion_offer(&near, columns->list[i].is.name);
	if (near.best)
		return err_set(err, ERR_USAGE, "%s have no column '%s'; is '%s' meant?",
		               columns->table, word, near.best);
	return err_set(err, ERR_USAGE,
	               "%s have no column '%s'; --of %s --columns help lists those they have",
	               columns->table, word, columns->table);
}

/* --- tokens ---------------------------------------------------------------------------------- */

enum query_token {
	TOKEN_END,
	TOKEN_OPEN,
	TOKEN_CLOSE,
	TOKEN_AND,
	TOKEN_OR,
	TOKEN_NOT,
	TOKEN_OPERATOR,
	TOKEN_BARE,
	TOKEN_QUOTED,
};

struct query_lexer {
	const char *text;
	size_t next; /* where the next token begins */
	/* The token: */
	enum query_token token;
	enum query_operator operator; /* of TOKEN_OPERATOR */
	struct query_fault place;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static int take(struct query_lexer *l, enum query_token token, size_t length)
{
	l->token = token;
	l->place.length = length;
	l->next += length;
	return 0;
}

static int take_quoted(struct query_lexer *l, struct err *err)
{
	const char *text = l->text + l->next;
	size_t i = 1;

	while (text[i] && text[i] != text[0])
		i += text[i] == '\\' && text[i + 1] ? 2 : 1;
	l->place.length = text[i] ? i + 1 : i;
	if (!text[i])
		return err_set(err, ERR_USAGE, "a string that begins with %c does not end with it",
		               text[0]);
	return take(l, TOKEN_QUOTED, i + 1);
}

static bool take_operator(struct query_lexer *l)
{
	for (uint32_t i = 0; i < OPERATORS; i++)
		if (!strncmp(l->text + l->next, operators[i], strlen(operators[i]))) {
			l->operator=(enum query_operator) i;
			take(l, TOKEN_OPERATOR, strlen(operators[i]));
			return true;
		}
	return false;
}

static int take_sign(struct query_lexer *l, struct err *err)
{
	const char *text = l->text + l->next;

	if (!strncmp(text, "&&", 2))
		return take(l, TOKEN_AND, 2);
	if (!strncmp(text, "||", 2))
		return take(l, TOKEN_OR, 2);
	if (take_operator(l))
		return 0;
	if (*text == '!')
		return take(l, TOKEN_NOT, 1);
	l->place.length = 1;
	if (*text == '=')
		return err_set(err, ERR_USAGE, "expected == or =~, not a single =");
	return err_set(err, ERR_USAGE,
	               "expected %c%c, not a single one; a string with %c in it must be in quotes",
	               *text, *text, *text);
}

/* Take the next token. Returns 0, or ERR_USAGE with `place` where it is wrong. */
static int next_token(struct query_lexer *l, struct err *err)
{
	const char *text;

	while (is_blank(l->text[l->next]))
		l->next++;
	text = l->text + l->next;
	l->place = (struct query_fault){ l->next, 0 };
	if (!*text)
		return take(l, TOKEN_END, 0);
	if (*text == '(' || *text == ')')
		return take(l, *text == '(' ? TOKEN_OPEN : TOKEN_CLOSE, 1);
	if (*text == '"' || *text == '\'')
		return take_quoted(l, err);
	if (strchr("&|=!<>", *text))
		return take_sign(l, err);
	return take(l, TOKEN_BARE, strcspn(text, " \t\r\n()\"'&|=!<>"));
}

/* Returns a TOKEN_BARE or TOKEN_QUOTED token as a string, on the heap. NULL with ERR_NOMEM. */
static char *word_of(const struct query_lexer *l, struct err *err)
{
	bool is_quoted = l->token == TOKEN_QUOTED;
	const char *from = l->text + l->place.at + is_quoted;
	const char *end = l->text + l->place.at + l->place.length - is_quoted;
	char *word = array_alloc(l->place.length + 1, 1, "a string of the expression", err);
	size_t n = 0;

	while (word && from < end) {
		if (is_quoted && *from == '\\' &&
		    (from[1] == '\\' || from[1] == l->text[l->place.at]))
			from++;
		word[n++] = *from++;
	}
	return word;
}

/* --- reading --------------------------------------------------------------------------------- */

struct query_parser {
	struct query_expr *expr;
	struct query_lexer lexer;
	uint32_t depth; /* open parentheses and ! */
	struct err *err;
};

/* Append a node of the tree. Returns its number, or a negative ERR_*. */
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
	return next_token(&p->lexer, p->err);
}

/* Fail with "expected ..." at the current token. */
static int expected(const struct query_parser *p, const char *what)
{
	const struct query_lexer *l = &p->lexer;

	if (l->token == TOKEN_END)
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
		return err_set(p->err, ERR_USAGE, "not a regular expression: %s", why);
	}
	n->has_regex = true;
	return 0;
}

/* Read the operand of a column of numbers: a number, or another such column. */
static int read_number(struct query_parser *p, struct query_node *n)
{
	const struct table_columns *columns = p->expr->columns;
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
	return op == OP_MATCH || op == OP_MISMATCH;
}

/* Read the right side of a comparison, at the current token. */
static int read_operand(struct query_parser *p, struct query_node *n)
{
	const struct cell_column *column = &p->expr->columns->list[n->column].is;
	const char *op = operators[n->operator];

	if (p->lexer.token != TOKEN_BARE && p->lexer.token != TOKEN_QUOTED)
		return expected(p, cell_type_is_text(column->type) ? "a string" : "a number");
	n->word = word_of(&p->lexer, p->err);
	if (!n->word)
		return ERR_NOMEM;
	if (is_regex_operator(n->operator) && !cell_type_is_text(column->type))
		return err_set(
			p->err, ERR_USAGE,
			"%s searches a string, and '%s' is a number: expected == != < <= > or >=",
			op, column->name);
	if (is_regex_operator(n->operator))
		return read_regex(p, n);
	if (!cell_type_is_text(column->type))
		return read_number(p, n);
	n->type = CELL_TEXT;
	n->value = cell_text(n->word);
	return 0;
}

/* Read a comparison into the last node. */
static int read_comparison(struct query_parser *p, struct query_node *n)
{
	const struct query_lexer *l = &p->lexer;
	int ret;

	if (l->token != TOKEN_BARE)
		return expected(p, "a column, ! or (");
	ret = query_columns_find(p->expr->columns, l->text + l->place.at, l->place.length,
	                         &n->column, p->err);
	if (!ret)
		ret = next(p);
	if (!ret && l->token != TOKEN_OPERATOR)
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
	return push(p, &(struct query_node){ .kind = NODE_NOT, .left = (uint32_t)inner });
}

static int64_t read_parentheses(struct query_parser *p)
{
	int64_t inner = read_any(p);
	int ret;

	if (inner < 0)
		return inner;
	if (p->lexer.token != TOKEN_CLOSE)
		return expected(p, "&&, || or )");
	ret = next(p);
	return ret ? ret : inner;
}

/* Read a term that begins with ! or (. */
static int64_t read_inner(struct query_parser *p)
{
	bool is_not = p->lexer.token == TOKEN_NOT;
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
	struct query_node node = { .kind = NODE_COMPARE };
	int64_t at;
	int ret;

	if (p->lexer.token == TOKEN_NOT || p->lexer.token == TOKEN_OPEN)
		return read_inner(p);
	/* in the tree before it is read, so that what it owns is freed with the tree */
	at = push(p, &node);
	ret = at < 0 ? (int)at : read_comparison(p, (struct query_node *)p->expr->nodes.data + at);
	return ret ? ret : at;
}

/* Read terms joined by one operator; `read` reads a term. */
static int64_t read_chain(struct query_parser *p, enum query_token token, enum node_kind kind,
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
	return read_chain(p, TOKEN_AND, NODE_AND, read_term);
}

static int64_t read_any(struct query_parser *p)
{
	return read_chain(p, TOKEN_OR, NODE_OR, read_all);
}

/* Read the text into the expression, which has no nodes yet. Returns as query_expr_create(). */
static int read_text(struct query_expr *e, const char *text, struct query_fault *fault,
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
	if (root >= 0 && p.lexer.token != TOKEN_END)
		root = expected(&p, "&& or || between comparisons");
	*fault = p.lexer.place;
	e->root = (uint32_t)root;
	return root < 0 ? (int)root : 0;
}

int query_expr_create(struct query_expr **out, const char *text,
                      const struct table_columns *columns, struct query_fault *fault,
                      struct err *err)
{
	struct query_expr *e = array_alloc(1, sizeof(*e), "the expression", err);
	int ret = 0;

	*out = NULL;
	*fault = (struct query_fault){ 0 };
	if (!e)
		return ERR_NOMEM;
	e->columns = columns;
	e->is_empty = !text || !text[strspn(text, " \t\r\n")];
	array_init(&e->nodes, sizeof(struct query_node), QUERY_EXPR_BYTES, "the expression");
	if (!e->is_empty)
		ret = read_text(e, text, fault, err);
	if (ret)
		query_expr_free(e);
	else
		*out = e;
	return ret;
}

void query_expr_free(struct query_expr *e)
{
	struct query_node *nodes = e ? e->nodes.data : NULL;

	for (size_t i = 0; e && i < e->nodes.count; i++) {
		if (nodes[i].has_regex)
			regfree(&nodes[i].regex);
		free(nodes[i].word);
	}
	if (e)
		array_release(&e->nodes);
	free(e);
}

bool query_expr_uses(const struct query_expr *e, uint32_t column)
{
	const struct query_node *nodes = e->nodes.data;

	for (size_t i = 0; i < e->nodes.count; i++)
		if (nodes[i].kind == NODE_COMPARE &&
		    (nodes[i].column == column || (nodes[i].has_other && nodes[i].other == column)))
			return true;
	return false;
}

/* --- asking ---------------------------------------------------------------------------------- */

static bool is_true_of(const struct query_node *n, const struct cell *a, enum cell_type of_a,
                       const struct cell *b, enum cell_type of_b)
{
	bool is_any_none = a->is_none || b->is_none;
	int order = is_any_none ? 1 : query_value_compare(a, of_a, b, of_b);

	switch (n->operator) {
	case OP_DIFFERENT:
		return order != 0;
	case OP_BELOW:
		return order < 0;
	case OP_AT_MOST:
		return order <= 0;
	case OP_ABOVE:
		return order > 0 && !is_any_none;
	case OP_AT_LEAST:
		return order >= 0 && !is_any_none;
	case OP_EQUAL:
	case OP_MATCH:
	case OP_MISMATCH:
	case OPERATORS:
	default:
		return order == 0;
	}
}

static enum query_truth compare(const struct query_expr *e, const struct query_node *n,
                                table_get get, const void *row, enum table_level level)
{
	const struct table_column *columns = e->columns->list;
	enum cell_type type = n->type;
	struct cell a, b = n->value;

	if (columns[n->column].level > level || (n->has_other && columns[n->other].level > level))
		return QUERY_UNKNOWN;
	a = get(row, n->column);
	if (n->has_regex) {
		bool is_found = !a.is_none && !regexec(&n->regex, a.text, 0, NULL, 0);

		return is_found == (n->operator== OP_MATCH) ? QUERY_YES : QUERY_NO;
	}
	if (n->has_other) {
		type = columns[n->other].is.type;
		b = get(row, n->other);
	}
	return is_true_of(n, &a, columns[n->column].is.type, &b, type) ? QUERY_YES : QUERY_NO;
}

static enum query_truth test(const struct query_expr *e, uint32_t at, table_get get,
                             const void *row, enum table_level level)
{
	const struct query_node *n = (const struct query_node *)e->nodes.data + at;
	/* the value that decides a chain of && or || */
	enum query_truth settles = n->kind == NODE_AND ? QUERY_NO : QUERY_YES;
	enum query_truth left, right;

	if (n->kind == NODE_COMPARE)
		return compare(e, n, get, row, level);
	left = test(e, n->left, get, row, level);
	if (n->kind == NODE_NOT)
		return left == QUERY_UNKNOWN ? left : left == QUERY_YES ? QUERY_NO : QUERY_YES;
	if (left == settles)
		return left;
	right = test(e, n->right, get, row, level);
	return right == settles || left != QUERY_UNKNOWN ? right : left;
}

enum query_truth query_expr_test(const struct query_expr *e, table_get get, const void *row,
                                 enum table_level level)
{
	return e->is_empty ? QUERY_YES : test(e, e->root, get, row, level);
}
