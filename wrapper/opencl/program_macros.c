/* SPDX-License-Identifier: Apache-2.0 */
#include "program_macros.h"

#include "array.h"
#include "cached_instrument.h"
#include "device_info.h"
#include "err.h"
#include "macro_probe.h"
#include "macro_store.h"
#include "opencl_session.h"
#include "program_code.h"
#include "str.h"
#include "word_list.h"

#include <stdlib.h>
#include <string.h>

#define LIMIT_BYTES (16u << 20)

/* With which a driver adds to every program's build options. */
static const char *const variables[] = { "POCL_EXTRA_BUILD_FLAGS", "OCLGRIND_BUILD_OPTIONS" };

/* Build options that no macro of the compiler hangs on; the first that fits. */
static const struct {
	const char *text;
	bool is_prefix, has_pair;
} idle[] = {
	{ "-I", false, true },       { "-I", true, false },
	{ "-include", false, true }, { "-isystem", false, true },
	{ "-iquote", false, true },  { "-cl-kernel-arg-info", false, false },
	{ "-s", false, true },       { "-o", false, true },
	{ "-w", false, false },      { "-W", true, false },
	{ "-g", true, false },       { "-save-temps", true, false },
};

/* How many words the option at `i` has, if no macro hangs on it; else 0. */
static size_t count_idle(const struct word_list *words, size_t i)
{
	const char *word = word_list_at(words, i);

	for (size_t k = 0; k < sizeof(idle) / sizeof(idle[0]); k++)
		if (idle[k].is_prefix ? !strncmp(word, idle[k].text, strlen(idle[k].text))
		                      : !strcmp(word, idle[k].text))
			return idle[k].has_pair ? 2 : 1;
	return 0;
}

/* What -D or -U at `i` names; NULL: it is neither. *count: its words. */
static const char *named_macro(const struct word_list *words, size_t i, size_t *count)
{
	const char *word = word_list_at(words, i);

	*count = 1;
	if (strncmp(word, "-D", 2) != 0 && strncmp(word, "-U", 2) != 0)
		return NULL;
	if (word[2])
		return word + 2;
	*count = 2;
	return i + 1 < word_list_count(words) ? word_list_at(words, i + 1) : "";
}

/* Whether there is an answer about the macro that a definition begins with. */
static bool is_answered(const char *answers, const char *definition)
{
	size_t length = strcspn(definition, "=(");

	for (const char *line = answers; *line; line += *line == '\n') {
		if (!strncmp(line, definition, length) && line[length] &&
		    strchr(" (", line[length]))
			return true;
		line += strcspn(line, "\n");
	}
	return false;
}

static int append_word(struct str *out, const char *word, struct err *err)
{
	if (strpbrk(word, " \t\n\"'\\"))
		return err_set(err, ERR_UNSUPPORTED,
		               "the device cannot be asked for its macros with the build option "
		               "'%.100s'",
		               word);
	return str_printf(out, err, " %s", word);
}

/*
 * What of a part's options its device is to be asked with: not what the program defines itself,
 * unless the device has a macro of that name.
 */
static int reduce(const char *options, const char *answers, struct str *out, struct err *err)
{
	struct word_list words;
	int rc = str_printf(out, err, "-w");

	word_list_init(&words);
	if (rc == 0)
		rc = word_list_split(&words, options, err);
	for (size_t i = 0, count; rc == 0 && i < word_list_count(&words); i += count) {
		const char *macro = named_macro(&words, i, &count);

		if (!macro)
			count = count_idle(&words, i);
		if (macro ? !is_answered(answers, macro) : count)
			continue;
		count = count ? count : 1;
		for (size_t k = i; rc == 0 && k < i + count && k < word_list_count(&words); k++)
			rc = append_word(out, word_list_at(&words, k), err);
	}
	word_list_release(&words);
	return rc;
}

/* Append the names that such options define, which the device is asked for, too. */
static int append_named(struct str *names, const char *options, struct err *err)
{
	struct word_list words;
	int rc;

	word_list_init(&words);
	rc = word_list_split(&words, options, err);
	for (size_t i = 0, count; rc == 0 && i < word_list_count(&words); i += count) {
		const char *macro = named_macro(&words, i, &count);

		if (macro)
			rc = str_printf(names, err, "%.*s\n", (int)strcspn(macro, "=("), macro);
	}
	word_list_release(&words);
	return rc;
}

static int append_property(struct str *key, char *text, struct err *err)
{
	int rc = text ? str_printf(key, err, "%s\n", text) : ERR_NOMEM;

	free(text);
	return rc;
}

/* All that answers hang on, a line each. */
static char *key_of(const struct program_macros *m, const char *options, struct err *err)
{
	static const cl_device_info properties[] = { CL_DEVICE_NAME, CL_DEVICE_VERSION,
		                                     CL_DRIVER_VERSION, CL_DEVICE_OPENCL_C_VERSION,
		                                     CL_DEVICE_EXTENSIONS };
	struct str key;
	int rc;

	str_init(&key, LIMIT_BYTES);
	rc = str_printf(&key, err, "%s\n", m->identity);
	if (rc == 0)
		rc = append_property(&key, device_info_platform(m->device, CL_PLATFORM_NAME, err),
		                     err);
	if (rc == 0)
		rc = append_property(
			&key, device_info_platform(m->device, CL_PLATFORM_VERSION, err), err);
	for (size_t i = 0; rc == 0 && i < sizeof(properties) / sizeof(properties[0]); i++)
		rc = append_property(&key, device_info_text(m->device, properties[i], err), err);
	for (size_t i = 0; rc == 0 && i < sizeof(variables) / sizeof(variables[0]); i++)
		rc = str_printf(&key, err, "%s\n",
		                getenv(variables[i]) ? getenv(variables[i]) : "");
	if (rc == 0)
		rc = str_printf(&key, err, "%s", options);
	if (rc < 0)
		str_release(&key);
	return str_take(&key);
}

static void release_part(struct part_macros *part)
{
	free(part->key);
	free(part->options);
	free(part->answers);
	*part = (struct part_macros){ .key = NULL };
}

/* Take what is known of a part asked with these options. */
static int take_known(struct program_macros *m, struct part_macros *part, const char *options,
                      struct err *err)
{
	struct session *s = m->session;

	release_part(part);
	part->options = str_copy(options, err);
	part->key = part->options ? key_of(m, options, err) : NULL;
	if (part->key)
		part->answers =
			macro_store_find(&opencl_session(s)->macros, s->settings.cache, part->key);
	return part->answers ? 0 : err_set(err, ERR_NOMEM, "out of memory for a device's macros");
}

/* Without what the program defines, then with that of it which the device defines, too. */
static int take_part(struct program_macros *m, struct part_macros *part, const char *options,
                     struct err *err)
{
	struct str plain, whole;
	int rc;

	str_init(&plain, LIMIT_BYTES);
	str_init(&whole, LIMIT_BYTES);
	rc = reduce(options, "", &plain, err);
	if (rc == 0)
		rc = take_known(m, part, plain.text, err);
	if (rc == 0)
		rc = reduce(options, part->answers, &whole, err);
	if (rc == 0 && strcmp(whole.text, plain.text) != 0)
		rc = take_known(m, part, whole.text, err);
	str_release(&whole);
	str_release(&plain);
	return rc;
}

static int take(struct program_macros *m, const struct program_code *code, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < m->part_count; i++)
		if (code->parts[i].kind == CODE_SOURCE)
			rc = take_part(m, &m->parts[i], code->parts[i].options, err);
	return rc;
}

int program_macros_init(struct program_macros *m, struct session *s, cl_device_id device,
                        const struct program_code *code, const char *instrumenter, struct err *err)
{
	*m = (struct program_macros){ .session = s, .device = device };
	m->identity = cached_instrument_identity(instrumenter);
	if (!m->identity)
		m->identity = str_copy("", err);
	m->parts = array_alloc(code->part_count, sizeof(*m->parts), "parts", err);
	if (!m->parts || !m->identity)
		return ERR_NOMEM;
	m->part_count = code->part_count;
	return take(m, code, err);
}

bool program_macros_are_known(const struct program_macros *m)
{
	for (size_t i = 0; i < m->part_count; i++)
		if (m->parts[i].key && !*m->parts[i].answers)
			return false;
	return true;
}

/* Whether another part before this one has the same key. */
static bool is_double(const struct program_macros *m, size_t part)
{
	for (size_t i = 0; i < part; i++)
		if (m->parts[i].key && !strcmp(m->parts[i].key, m->parts[part].key))
			return true;
	return false;
}

/* Whether another thread has asked since the part's answers were taken. */
static bool is_asked_meanwhile(const struct program_macros *m, const struct part_macros *part)
{
	struct session *s = m->session;
	char *now = macro_store_find(&opencl_session(s)->macros, s->settings.cache, part->key);
	bool is_other = now && strcmp(now, part->answers) != 0;

	free(now);
	return is_other;
}

/* Ask with a part's options, and keep what is answered. */
static int ask_part(const struct program_macros *m, const struct part_macros *part,
                    const char *names, bool *is_more, struct err *err)
{
	struct session *s = m->session;
	struct str question, answers;
	int rc;

	str_init(&question, LIMIT_BYTES);
	str_init(&answers, LIMIT_BYTES);
	rc = str_printf(&question, err, "%s", names);
	if (rc == 0 && !*part->answers)
		rc = append_named(&question, part->options, err);
	if (rc == 0)
		rc = macro_probe_ask(m->device, part->options, question.text, &answers, err);
	if (rc == 0 && answers.length)
		macro_store_add(&opencl_session(s)->macros, s->settings.cache, part->key,
		                answers.text);
	*is_more |= answers.length;
	str_release(&answers);
	str_release(&question);
	return rc;
}

int program_macros_ask(struct program_macros *m, const struct program_code *code, const char *names,
                       bool *is_more, struct err *err)
{
	int rc = 0;

	*is_more = false;
	macro_store_begin(&opencl_session(m->session)->macros);
	for (size_t i = 0; rc == 0 && i < m->part_count; i++) {
		if (!m->parts[i].key || is_double(m, i))
			continue;
		if (is_asked_meanwhile(m, &m->parts[i]))
			*is_more = true;
		else
			rc = ask_part(m, &m->parts[i], names, is_more, err);
	}
	macro_store_end(&opencl_session(m->session)->macros);
	return rc ? rc : take(m, code, err);
}

void program_macros_release(struct program_macros *m)
{
	for (size_t i = 0; i < m->part_count; i++)
		release_part(&m->parts[i]);
	free(m->parts);
	free(m->identity);
	*m = (struct program_macros){ .session = NULL };
}
