/* SPDX-License-Identifier: Apache-2.0 */
#include "build_options.h"

#include "err.h"

#include <stdbool.h>
#include <string.h>

enum match { EXACT, PREFIX };
enum fate { KEEP, KEEP_PAIR, DROP, DROP_PAIR, STANDARD };

struct row {
	const char *text;
	enum match match;
	enum fate fate;
};

static const struct row rows[] = {
#define BUILD_OPTION(text, match, fate, reason) { text, match, fate },
#include "build_options.def"
#undef BUILD_OPTION
};

static enum fate fate_of(const char *word)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *r = &rows[i];

		if (r->match == EXACT ? !strcmp(word, r->text)
		                      : !strncmp(word, r->text, strlen(r->text)))
			return r->fate;
	}
	return KEEP;
}

/* A program that names no language is in OpenCL C 1.2, or older where the device is. */
static const char *default_standard(const char *cl_version)
{
	if (cl_version && !strcmp(cl_version, "1.0"))
		return "-cl-std=CL1.0";
	if (cl_version && !strcmp(cl_version, "1.1"))
		return "-cl-std=CL1.1";
	return "-cl-std=CL1.2";
}

static int filter(struct word_list *argv, const struct word_list *words, bool *has_standard,
                  struct err *err)
{
	size_t count = word_list_count(words);
	int ret = 0;

	for (size_t i = 0; !ret && i < count; i++) {
		const char *word = word_list_at(words, i);
		enum fate fate = fate_of(word);
		bool is_pair = fate == KEEP_PAIR || fate == DROP_PAIR;
		bool is_kept = fate != DROP && fate != DROP_PAIR;

		if (is_pair && i + 1 == count)
			return err_set(err, ERR_USAGE,
			               "build option '%s' lacks the word that belongs to it", word);
		*has_standard |= fate == STANDARD;
		if (is_kept)
			ret = word_list_add(argv, word, err);
		if (is_pair)
			i++;
		if (!ret && is_kept && is_pair)
			ret = word_list_add(argv, word_list_at(words, i), err);
	}
	return ret;
}

int build_options_append(struct word_list *argv, const char *options, const char *cl_version,
                         struct err *err)
{
	struct word_list words;
	bool has_standard = false;
	int ret;

	word_list_init(&words);
	ret = word_list_split(&words, options, err);
	if (!ret)
		ret = filter(argv, &words, &has_standard, err);
	if (!ret && !has_standard)
		ret = word_list_add(argv, default_standard(cl_version), err);
	word_list_release(&words);
	return ret;
}
