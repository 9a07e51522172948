/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_option.h"

#include "bypass_list.h"
#include "bypass_sites.h"
#include "err.h"
#include "read_rules.h"
#include "recording.h"
#include "say.h"
#include "str.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "warpline bypass ";

/* The error, prefixed with the option's name. */
static int prefix(int ret, const char *what, const struct err *inner, struct err *err)
{
	return ret ? err_set(err, (enum err_code)ret, "%s: %s", what, inner->msg) : 0;
}

static int load(struct bypass_list *list, const char *value, const char *what, struct err *err)
{
	struct err inner = { 0 };
	char *text;
	int ret;

	if (strncmp(value, magic, sizeof(magic) - 1) != 0)
		return prefix(bypass_list_load(list, value, &inner), what, &inner, err);
	text = str_copy(value, err);
	if (!text)
		return ERR_NOMEM;
	ret = bypass_list_read_text(list, what, text, strlen(text), err);
	free(text);
	return ret;
}

/* Whether bypass_list_load() parses it as rules, not as a file's name. */
static bool is_rules(const char *value)
{
	size_t length = strcspn(value, ":,");

	if (!strcmp(value, "none") || (length == 3 && !strncmp(value, "all", 3)))
		return true;
	for (int kind = 0; value[length] == ':' && kind <= BYPASS_ALL; kind++) {
		const char *word = bypass_kind_word((enum bypass_kind)kind);

		if (strlen(word) == length && !strncmp(value, word, length))
			return true;
	}
	return false;
}

char *bypass_option_keep(const char *value, const char *what, struct err *err)
{
	struct bypass_list list = { 0 };
	char *kept = NULL;

	if (!strcmp(value, "-")) {
		err_set(err, ERR_USAGE,
		        "%s: expected a file or rules: the standard input is the program's", what);
		return NULL;
	}
	if (!load(&list, value, what, err)) {
		kept = is_rules(value) ? str_copy(value, err) : realpath(value, NULL);
		if (!kept)
			err_set(err, ERR_IO, "%s: %s: %s", what, value, strerror(errno));
	}
	bypass_list_release(&list);
	return kept;
}

static bool is_of_code(const struct bypass_rule *rule)
{
	return rule->kind != BYPASS_ADDRESS && rule->kind != BYPASS_BUFFER;
}

/* Returns the rules that can be applied to code, as the contents of a file. */
static char *text_of(const struct bypass_list *list, const char *what, struct err *err)
{
	struct bypass_list kept = { 0 };
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	int ret = out ? 0 : err_set(err, ERR_NOMEM, "%s", err_text(ERR_NOMEM));

	for (size_t i = 0; !ret && i < list->count; i++)
		if (is_of_code(&list->rules[i]))
			ret = bypass_list_add(&kept, &list->rules[i], err);
	if (!ret)
		ret = bypass_list_write(&kept, out, err);
	if (out && fclose(out) && !ret)
		ret = err_set(err, ERR_NOMEM, "%s", err_text(ERR_NOMEM));
	if (!ret && length > BYPASS_OPTION_BYTES_MAX)
		ret = err_set(err, ERR_LIMIT,
		              "%s: the list has %zu bytes, at most %d can be applied", what, length,
		              BYPASS_OPTION_BYTES_MAX);
	if (!ret && kept.count < list->count)
		say_line("record",
		         "%s: %zu of %zu rules are of addresses or buffers, which code cannot be "
		         "changed by, and are left out",
		         what, list->count - kept.count, list->count);
	bypass_list_release(&kept);
	if (!ret)
		return text;
	free(text);
	return NULL;
}

char *bypass_option_apply(const char *value, const char *what, struct err *err)
{
	struct bypass_list list = { 0 };
	char *text = NULL;

	if (!load(&list, value, what, err))
		text = text_of(&list, what, err);
	bypass_list_release(&list);
	return text;
}

/* Returns how many of the *named reads that a rule names were changed. */
static size_t applied_by(const struct recording *r, const struct bypass_rule *rule, size_t *named)
{
	size_t applied = 0;

	*named = 0;
	for (size_t k = 0; k < r->kernel_count; k++) {
		const struct kernel_table *t = &r->kernels[k].table;

		for (size_t s = 0; s < t->site_count; s++) {
			bool is_named = rule->kind == BYPASS_WARPS
			                        ? bypass_rule_is_of(rule, t) &&
			                                  t->sites[s].kind == SITE_READ
			                        : bypass_rule_names(rule, t, s);

			*named += is_named;
			applied += is_named && t->is_applied && t->is_applied[s];
		}
	}
	return applied;
}

static void report_rule(const struct recording *r, const struct bypass_rule *rule)
{
	size_t named, applied = applied_by(r, rule, &named);
	const char *kernel = rule->kernel ? rule->kernel : "", *colon = rule->kernel ? ": " : "";
	char number[32] = "";

	if (applied == named && named)
		return;
	if (rule->kind != BYPASS_ALL && rule->kind != BYPASS_ARGUMENT)
		snprintf(number, sizeof(number), " %" PRIu64, rule->number);
	if (!named)
		say_line("record", "--apply: %s%s%s%s%s%s names no read of a recorded kernel",
		         kernel, colon, bypass_kind_word(rule->kind), number, rule->name ? " " : "",
		         rule->name ? rule->name : "");
	else
		say_line("record",
		         "--apply: %s%s%s%s%s%s names %zu reads, of which %zu could be changed",
		         kernel, colon, bypass_kind_word(rule->kind), number, rule->name ? " " : "",
		         rule->name ? rule->name : "", named, applied);
}

/* Warn of a kept list that names something the recording lacks. */
static void report_kept(const struct recording *r)
{
	struct bypass_list list = { 0 };
	struct err err = { 0 };
	int ret = recording_read_list(r, &r->bypass, &list, &err);

	if (!ret && r->kernel_count)
		ret = read_rules_check(&list, "--bypass", r, NULL, &err);
	if (ret)
		say_line("record", "%s; replay will refuse the list, and needs --bypass none",
		         err.msg);
	bypass_list_release(&list);
}

void bypass_option_report(const struct recording *r, struct err *err)
{
	enum { RULES_SHOWN = 20 };
	struct bypass_list list = { 0 };

	if (recording_read_list(r, &r->applied, &list, err))
		say_line("record", "%s", err->msg);
	for (size_t i = 0; i < list.count && i < RULES_SHOWN; i++)
		report_rule(r, &list.rules[i]);
	bypass_list_release(&list);
	report_kept(r);
}
