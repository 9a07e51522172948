/* SPDX-License-Identifier: Apache-2.0 */
#include "stats_choice.h"

#include "err.h"
#include "stats_run.h"

#include <string.h>

enum { TOP_BY_DEFAULT = 10 };

static bool is_word(const char *word, size_t length, const char *name)
{
	return strlen(name) == length && !memcmp(word, name, length);
}

/* One word of --stats. */
static int want(struct stats_run *s, const char *word, size_t length, struct err *err)
{
	for (size_t i = 0; i < STATS_SECTIONS; i++)
		if (is_word(word, length, stats_section_name((enum stats_section)i))) {
			s->is_wanted[i] = true;
			return 0;
		}
	if (is_word(word, length, "all")) {
		memset(s->is_wanted, true, sizeof(s->is_wanted));
		return 0;
	}
	return err_set(err, ERR_USAGE, "--stats: unknown section '%.*s'; there are: all"
#define STATS_SECTION(name, text) " " #name
#include "stats_sections.def"
#undef STATS_SECTION
	               ,
	               length > 40 ? 40 : (int)length, word);
}

int stats_choice_read(const struct stats_choice *c, struct stats_run *s, struct err *err)
{
	const char *word = c->sections;
	int ret = 0;

	*s = (struct stats_run){ .top = c->top.is_given ? c->top.value : TOP_BY_DEFAULT,
		                 .window_cycles = c->window.value,
		                 .is_any_wanted = c->sections != NULL };
	if (!s->top)
		s->top = UINT64_MAX;
	while (word && !ret) {
		size_t length = strcspn(word, ",");

		ret = want(s, word, length, err);
		word = word[length] ? word + length + 1 : NULL;
	}
	if (!ret && c->top.is_given && !s->is_any_wanted)
		ret = err_set(err, ERR_USAGE, "--top: expected --stats with it");
	if (!ret && c->window.is_given && !s->is_wanted[STATS_windows])
		ret = err_set(err, ERR_USAGE, "--window: expected --stats windows with it");
	if (!ret && c->window.is_given && !c->window.value)
		ret = err_set(err, ERR_USAGE, "--window: expected at least 1 cycle");
	return ret;
}
