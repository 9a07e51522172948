/* SPDX-License-Identifier: Apache-2.0 */
#include "parts.h"

#include "cuda_front.h"
#include "device_macros.h"
#include "err.h"
#include "file.h"
#include "front_end.h"
#include "program.h"
#include "source_macros.h"
#include "str.h"
#include "word_list.h"

#include <llvm-c/Linker.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT_PARTS         4096
#define LIMIT_OPTIONS_BYTES (1u << 24)
#define LIMIT_NAMES_BYTES   (64u << 20)
#define STANDARD            "-cl-std="

void parts_init(struct parts *p)
{
	*p = (struct parts){ .options = NULL };
	array_init(&p->list, sizeof(struct settings), LIMIT_PARTS, "parts of a program");
	array_init(&p->macros, sizeof(struct source_macros *), LIMIT_PARTS, "parts of a program");
}

void parts_release(struct parts *p)
{
	struct source_macros **macros = p->macros.data;

	for (size_t i = 0; i < p->macros.count; i++) {
		source_macros_release(macros[i]);
		free(macros[i]);
	}
	array_release(&p->macros);
	array_release(&p->list);
	free(p->options);
}

struct settings *parts_last(struct parts *p, struct err *err)
{
	struct settings *list = p->list.data;

	return p->list.count ? &list[p->list.count - 1] : array_push(&p->list, 1, err);
}

struct settings *parts_begin(struct parts *p, struct err *err)
{
	struct settings *last = parts_last(p, err);

	return last && last->source ? array_push(&p->list, 1, err) : last;
}

const struct settings *parts_at(const struct parts *p, size_t i)
{
	const struct settings *list = p->list.data;

	return &list[i];
}

static bool has_word(const struct word_list *words, const char *word)
{
	for (size_t i = 0; i < word_list_count(words); i++)
		if (!strcmp(word_list_at(words, i), word))
			return true;
	return false;
}

static bool is_standard(const char *word)
{
	return !strncmp(word, STANDARD, strlen(STANDARD));
}

/* Whether the word stands alone and may affect code generation (build_options.c). */
static bool is_flag(const char *word)
{
	if (strncmp(word, "-cl-nv-", 7) == 0 || strpbrk(word, " \t'\"\\"))
		return false;
	return strncmp(word, "-cl-", 4) == 0 || strncmp(word, "-f", 2) == 0;
}

/* Keep in *common what `words` also has; *standard becomes the greater of both. */
static int meet(struct word_list *common, const struct word_list *words, char **standard,
                struct err *err)
{
	struct word_list kept;
	int ret = 0;

	word_list_init(&kept);
	for (size_t i = 0; !ret && i < word_list_count(common); i++)
		if (has_word(words, word_list_at(common, i)))
			ret = word_list_add(&kept, word_list_at(common, i), err);
	word_list_release(common);
	*common = kept;
	for (size_t i = 0; !ret && i < word_list_count(words); i++) {
		const char *word = word_list_at(words, i);

		if (!is_standard(word) || (*standard && strcmp(*standard, word) >= 0))
			continue;
		free(*standard);
		*standard = str_copy(word, err);
		ret = *standard ? 0 : ERR_NOMEM;
	}
	return ret;
}

/* Join the words to one string, with `standard` in place of their own. */
static int join(const struct word_list *words, const char *standard, char **text, struct err *err)
{
	struct str out;
	int ret;

	str_init(&out, LIMIT_OPTIONS_BYTES);
	ret = str_printf(&out, err, "%s", standard ? standard : "");
	for (size_t i = 0; !ret && i < word_list_count(words); i++)
		if (!is_standard(word_list_at(words, i)) && is_flag(word_list_at(words, i)))
			ret = str_printf(&out, err, " %s", word_list_at(words, i));
	*text = ret ? NULL : str_take(&out);
	str_release(&out);
	return ret;
}

/* The options that all parts share, for the code that they become together. */
static int common_options(struct parts *p, struct err *err)
{
	struct word_list common, words;
	char *standard = NULL;
	int ret = 0;

	word_list_init(&common);
	for (size_t i = 0; !ret && i < p->list.count; i++) {
		const char *options = parts_at(p, i)->options;

		word_list_init(&words);
		ret = word_list_split(&words, options ? options : "", err);
		if (!ret && i == 0)
			ret = word_list_split(&common, options ? options : "", err);
		if (!ret)
			ret = meet(&common, &words, &standard, err);
		word_list_release(&words);
	}
	if (!ret)
		ret = join(&common, standard, &p->options, err);
	word_list_release(&common);
	free(standard);
	p->whole.options = p->options;
	return ret;
}

int parts_settle(struct parts *p, struct err *err)
{
	struct settings *list = p->list.data;

	for (size_t i = 0; i < p->list.count; i++) {
		struct settings own = list[i];

		list[i] = p->whole;
#define SETTING(name, option, value, sentence)
#define PART_SETTING(name, option, value, sentence) list[i].name = own.name;
#include "settings.def"
#undef PART_SETTING
#undef SETTING
	}
	if (p->list.count)
		p->whole = list[0];
	return p->list.count > 1 ? common_options(p, err) : 0;
}

/* Append the device's macros of the part to the list. NULL with ERR_NOMEM or ERR_LIMIT. */
static struct source_macros *add_macros(struct parts *p, struct err *err)
{
	struct source_macros **slot = array_push(&p->macros, 1, err);

	if (slot)
		*slot = array_alloc(1, sizeof(**slot), "the macros of a part", err);
	if (slot && !*slot)
		p->macros.count--;
	return slot ? *slot : NULL;
}

static int read_macros(struct parts *p, struct settings *s, bool *is_known, struct str *names,
                       struct err *err)
{
	struct source_macros *m = add_macros(p, err);
	int ret = m ? source_macros_read(m, s, err) : ERR_NOMEM;

	if (ret)
		return ret;
	*is_known &= device_macros_are_known(m->device);
	return device_macros_ask(m->device, &m->names, names, err);
}

int parts_read_macros(struct parts *p, bool *is_known, struct err *err)
{
	struct settings *list = p->list.data;
	struct str names;
	int ret = 0;

	*is_known = true;
	str_init(&names, LIMIT_NAMES_BYTES);
	for (size_t i = 0; !ret && i < p->list.count; i++)
		if (list[i].macros && !front_end_is_ir(list[i].source) &&
		    !cuda_front_is_source(list[i].source))
			ret = read_macros(p, &list[i], is_known, &names, err);
	if (!ret && p->list.count)
		p->whole.seen = list[0].seen;
	if (!ret && p->whole.names)
		ret = file_write(p->whole.names, names.text ? names.text : "", names.length, err);
	str_release(&names);
	return ret;
}

/* Store the linker's first error in *data, a struct err. */
static void note_message(LLVMDiagnosticInfoRef info, void *data)
{
	char *message;

	if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
		return;
	message = LLVMGetDiagInfoDescription(info);
	err_set(data, ERR_UNSUPPORTED, "the parts of the program do not link: %.*s",
	        (int)strcspn(message, "\n"), message);
	LLVMDisposeMessage(message);
}

/* Takes ownership of `module`. */
static int link_part(struct program *program, LLVMModuleRef module, struct err *err)
{
	int failed;

	if (!program->module) {
		program->module = module;
		return 0;
	}
	LLVMContextSetDiagnosticHandler(program->context, note_message, err);
	failed = LLVMLinkModules2(program->module, module);
	LLVMContextSetDiagnosticHandler(program->context, NULL, NULL);
	return failed ? err_set(err, ERR_UNSUPPORTED, "the parts of the program do not link") : 0;
}

int parts_link(const struct parts *p, struct program *program, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < p->list.count; i++) {
		LLVMModuleRef module = NULL;

		ret = front_end_run(program->context, parts_at(p, i), &module, err);
		if (!ret)
			ret = link_part(program, module, err);
	}
	return ret;
}
