/* SPDX-License-Identifier: Apache-2.0 */
#include "text_options.h"

#include "err.h"
#include "str.h"
#include "word_list.h"

#include <stdbool.h>
#include <string.h>

enum match { EXACT, PREFIX };
enum fate { KEEP, KEEP_PAIR, DROP, DROP_PAIR, STANDARD };

/*
 * Which of the application's build options are used to build the output.
 *
 * match  EXACT  the whole word
 *        PREFIX the word begins with it
 * fate   KEEP, KEEP_PAIR with the next word, DROP, DROP_PAIR,
 *        STANDARD kept: the device's macros depend on the language, and were asked for with it
 *
 * Only options that change the code generated from a given source are kept; a word that matches no
 * row is dropped: macros and headers have done their work, and so have options that change the
 * source's meaning. The first matching row counts.
 */
static const struct {
	const char *text;
	enum match match;
	enum fate fate;
} rows[] = {
	{ "-cl-single-precision-constant", EXACT, DROP },
	{ "-cl-kernel-arg-info", EXACT, DROP },
	{ "-cl-std=", PREFIX, STANDARD },
	{ "-cl-ext=", PREFIX, DROP },
	{ "-cl-nv-maxrregcount", EXACT, KEEP_PAIR },
	{ "-cl-nv-opt-level", EXACT, KEEP_PAIR },
	{ "-cl-strict-aliasing", EXACT, DROP },
	{ "-cl-", PREFIX, KEEP },
	{ "-fno-bin-", PREFIX, KEEP },
	{ "-fbin-", PREFIX, KEEP },
	{ "-ffp-contract=", PREFIX, KEEP },
	{ "-D", EXACT, DROP_PAIR },
	{ "-U", EXACT, DROP_PAIR },
	{ "-I", EXACT, DROP_PAIR },
	{ "-include", EXACT, DROP_PAIR },
	{ "-isystem", EXACT, DROP_PAIR },
	{ "-x", EXACT, DROP_PAIR },
	{ "-s", EXACT, DROP_PAIR },
	{ "-o", EXACT, DROP_PAIR },
};

static enum fate fate_of(const char *word)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t length = strlen(rows[i].text);

		if (rows[i].match == EXACT ? !strcmp(word, rows[i].text)
		                           : !strncmp(word, rows[i].text, length))
			return rows[i].fate;
	}
	return DROP;
}

/* "-cl-std=CL2.0"; 120 for older or unknown versions. */
static unsigned version_of(const char *word)
{
	const char *number = strpbrk(word, "0123456789");

	if (!number || number[0] < '2' || number[0] > '3')
		return 120;
	return number[0] == '2' ? 200 : 300;
}

int text_options_append(struct str *out, const char *options, unsigned *version, struct err *err)
{
	struct word_list words;
	int ret;

	*version = 120;
	word_list_init(&words);
	ret = word_list_split(&words, options, err);
	for (size_t i = 0; !ret && i < word_list_count(&words); i++) {
		const char *word = word_list_at(&words, i);
		enum fate fate = fate_of(word);
		bool has_pair =
			(fate == KEEP_PAIR || fate == DROP_PAIR) && i + 1 < word_list_count(&words);

		if (fate == STANDARD)
			*version = version_of(word);
		if (fate == KEEP || fate == KEEP_PAIR || fate == STANDARD)
			ret = str_printf(out, err, " %s", word);
		if (!ret && fate == KEEP_PAIR && has_pair)
			ret = str_printf(out, err, " %s", word_list_at(&words, i + 1));
		i += has_pair;
	}
	word_list_release(&words);
	return ret;
}
