/* SPDX-License-Identifier: Apache-2.0 */
#include "query_expr_private.h"

#include "err.h"
#include "suggest.h"

#include <stdlib.h>
#include <string.h>

int query_columns_find(const struct query_columns *columns, const char *name, size_t length,
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

int query_expr_create(struct query_expr **out, const char *text,
                      const struct query_columns *columns, struct query_fault *fault,
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
		ret = query_parser_read(e, text, fault, err);
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
		if (nodes[i].kind == QUERY_NODE_COMPARE &&
		    (nodes[i].column == column || (nodes[i].has_other && nodes[i].other == column)))
			return true;
	return false;
}

static bool is_true_of(const struct query_node *n, const struct cell *a, enum cell_type of_a,
                       const struct cell *b, enum cell_type of_b)
{
	bool is_any_none = a->is_none || b->is_none;
	int order = is_any_none ? 1 : query_value_compare(a, of_a, b, of_b);

	switch (n->operator) {
	case QUERY_OP_DIFFERENT:
		return order != 0;
	case QUERY_OP_BELOW:
		return order < 0;
	case QUERY_OP_AT_MOST:
		return order <= 0;
	case QUERY_OP_ABOVE:
		return order > 0 && !is_any_none;
	case QUERY_OP_AT_LEAST:
		return order >= 0 && !is_any_none;
	case QUERY_OP_EQUAL:
	case QUERY_OP_MATCH:
	case QUERY_OP_MISMATCH:
	case QUERY_OP_COUNT:
	default:
		return order == 0;
	}
}

static enum query_truth compare(const struct query_expr *e, const struct query_node *n,
                                query_get get, const void *row, enum query_level level)
{
	const struct query_column *columns = e->columns->list;
	enum cell_type type = n->type;
	struct cell a, b = n->value;

	if (columns[n->column].level > level || (n->has_other && columns[n->other].level > level))
		return QUERY_UNKNOWN;
	a = get(row, n->column);
	if (n->has_regex) {
		bool is_found = !a.is_none && !regexec(&n->regex, a.text, 0, NULL, 0);

		return is_found == (n->operator== QUERY_OP_MATCH) ? QUERY_YES : QUERY_NO;
	}
	if (n->has_other) {
		type = columns[n->other].is.type;
		b = get(row, n->other);
	}
	return is_true_of(n, &a, columns[n->column].is.type, &b, type) ? QUERY_YES : QUERY_NO;
}

static enum query_truth test(const struct query_expr *e, uint32_t at, query_get get,
                             const void *row, enum query_level level)
{
	const struct query_node *n = (const struct query_node *)e->nodes.data + at;
	/* What settles a chain of && or ||. */
	enum query_truth settles = n->kind == QUERY_NODE_AND ? QUERY_NO : QUERY_YES;
	enum query_truth left, right;

	if (n->kind == QUERY_NODE_COMPARE)
		return compare(e, n, get, row, level);
	left = test(e, n->left, get, row, level);
	if (n->kind == QUERY_NODE_NOT)
		return left == QUERY_UNKNOWN ? left : left == QUERY_YES ? QUERY_NO : QUERY_YES;
	if (left == settles)
		return left;
	right = test(e, n->right, get, row, level);
	return right == settles || left != QUERY_UNKNOWN ? right : left;
}

enum query_truth query_expr_test(const struct query_expr *e, query_get get, const void *row,
                                 enum query_level level)
{
	return e->is_empty ? QUERY_YES : test(e, e->root, get, row, level);
}
