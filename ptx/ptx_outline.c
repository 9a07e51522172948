/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_outline.h"

#include "err.h"
#include "ptx_items.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

#define LIMIT_NAMES (1u << 20)

static char *copy_word(struct ptx_word word, struct err *err)
{
	return str_format(err, "%.*s", (int)word.length, word.at);
}

/* The size of the parameters, each at a multiple of its alignment. */
static uint64_t parameter_bytes(const struct ptx_items *items, const struct ptx_head *head)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < head->parameter_count; i++) {
		const struct ptx_variable *v = ptx_items_parameter(items, head, i);
		uint64_t alignment = v->alignment_bytes ? v->alignment_bytes : 1;

		bytes = (bytes + alignment - 1) / alignment * alignment + v->bytes;
	}
	return bytes;
}

static int add_kernel(struct ptx_outline *o, const struct ptx_items *items,
                      const struct ptx_head *head, struct err *err)
{
	struct ptx_kernel *k;

	if (!head->is_entry || !head->has_body)
		return 0;
	k = array_push(&o->kernels, 1, err);
	if (!k)
		return err ? err->code : ERR_NOMEM;
	k->parameter_bytes = parameter_bytes(items, head);
	k->name = copy_word(head->name, err);
	if (!k->name)
		o->kernels.count--;
	return k->name ? 0 : ERR_NOMEM;
}

static int add_variable(struct ptx_outline *o, const struct ptx_variable *v, struct err *err)
{
	char *copy, **added;

	if (v->space != PTX_GLOBAL && v->space != PTX_CONST)
		return 0;
	copy = copy_word(v->name, err);
	added = copy ? array_push(&o->variables, 1, err) : NULL;
	if (!added) {
		free(copy);
		return err && err->code ? err->code : ERR_NOMEM;
	}
	*added = copy;
	return 0;
}

static int add_item(struct ptx_outline *o, struct ptx_items *items, struct ptx_scan *s,
                    const struct ptx_item *item, struct err *err)
{
	int rc;

	if (item->kind == PTX_ITEM_VARIABLE)
		return add_variable(o, &item->variable, err);
	if (item->kind != PTX_ITEM_FUNCTION)
		return 0;
	rc = add_kernel(o, items, &item->head, err);
	if (item->head.has_body)
		ptx_scan_skip_body(s);
	return rc;
}

/* Skip an item that could not be read: past a ';' or braces, or to the next function. */
static void skip_item(struct ptx_scan *s)
{
	while (!ptx_scan_take(s, ";") && !ptx_scan_sees(s, ".entry") &&
	       !ptx_scan_sees(s, ".func") && ptx_scan_peek(s).kind != PTX_END) {
		if (ptx_scan_sees(s, "{")) {
			ptx_scan_skip_nested(s);
			return;
		}
		ptx_scan_next(s);
	}
}

int ptx_outline_init(struct ptx_outline *o, const char *text, struct err *err)
{
	struct ptx_items items;
	struct ptx_item item;
	struct ptx_scan s;
	int rc = 0;

	array_init(&o->kernels, sizeof(struct ptx_kernel), LIMIT_NAMES, "kernels");
	array_init(&o->variables, sizeof(char *), LIMIT_NAMES, "variables");
	ptx_items_init(&items);
	items.leaves_initials = true;
	ptx_scan_init(&s, "", text, strlen(text), NULL);
	do {
		size_t begin = s.lexer.at;
		int code;

		array_clear(&items.parameters);
		code = ptx_items_next(&items, &s, &item);
		if (code == 0) {
			rc = add_item(o, &items, &s, &item, err);
		} else if (code == ERR_FORMAT || code == ERR_LIMIT) {
			s.lexer.at = begin;
			ptx_scan_next(&s);
			skip_item(&s);
		} else {
			rc = err_set(err, ERR_NOMEM, "%s", err_text(ERR_NOMEM));
		}
	} while (rc == 0 && (s.lexer.at < s.lexer.length));
	ptx_items_release(&items);
	return rc;
}

void ptx_outline_release(struct ptx_outline *o)
{
	struct ptx_kernel *k = o->kernels.data;
	char **variables = o->variables.data;

	for (size_t i = 0; i < o->kernels.count; i++)
		free(k[i].name);
	for (size_t i = 0; i < o->variables.count; i++)
		free(variables[i]);
	array_release(&o->kernels);
	array_release(&o->variables);
}

const struct ptx_kernel *ptx_outline_kernel(const struct ptx_outline *o, const char *name)
{
	const struct ptx_kernel *k = o->kernels.data;

	for (size_t i = 0; i < o->kernels.count; i++)
		if (!strcmp(k[i].name, name))
			return &k[i];
	return NULL;
}
