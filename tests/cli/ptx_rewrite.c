/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_rewrite.h"

#include "bypass_list.h"
#include "bypass_ptx.h"
#include "err.h"
#include "str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_LIMIT = 1 << 24 };

static int read_list(struct bypass_list *list, const char *text, struct err *err)
{
	char *copy;
	int ret;

	if (strncmp(text, "warpline", 8) != 0)
		return bypass_list_parse(list, text, err);
	copy = str_copy(text, err);
	ret = copy ? bypass_list_read_text(list, "list", copy, strlen(copy), err) : ERR_NOMEM;
	free(copy);
	return ret;
}

static char *join(const struct bypass_ptx_match *match)
{
	char *const *notes = match->notes.data;
	struct str all;

	str_init(&all, TEXT_LIMIT);
	for (size_t i = 0; i < match->notes.count; i++)
		str_printf(&all, NULL, "%s\n", notes[i]);
	str_printf(&all, NULL, "%s", "");
	return str_take(&all);
}

struct ptx_rewritten ptx_rewrite(const char *ptx, const char *list,
                                 const struct recording *recording, const char *cache_op)
{
	struct ptx_rewritten out = { .left_rules = 0 };
	struct bypass_ptx_match match = { .left_rules = 0 };
	struct bypass_list rules = { 0 };
	struct ptx_module module = { .text = NULL };
	struct err err = { 0 };
	struct str text;
	int ret = read_list(&rules, list, &err);

	str_init(&text, TEXT_LIMIT);
	if (!ret)
		ret = ptx_module_read(&module, "in.ptx", ptx, strlen(ptx), &err);
	if (!ret)
		ret = bypass_ptx_match_init(&match, &module, &rules, recording, &err);
	if (!ret)
		ret = bypass_ptx_edit(&module, &match, cache_op, &text, &err);
	if (!ret) {
		out.left_rules = match.left_rules;
		out.notes = join(&match);
		out.text = str_take(&text);
	}
	snprintf(out.refusal, sizeof(out.refusal), "%s", err.msg);
	str_release(&text);
	bypass_ptx_match_release(&match);
	ptx_module_release(&module);
	bypass_list_release(&rules);
	return out;
}

void ptx_rewritten_release(struct ptx_rewritten *r)
{
	free(r->text);
	free(r->notes);
}
