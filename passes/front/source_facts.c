/* SPDX-License-Identifier: Apache-2.0 */
#include "source_facts.h"

#include "cuda_front.h"
#include "err.h"
#include "front_end.h"
#include "kernel_table.h"
#include "source_facts_private.h"
#include "word_list.h"

#include <stdlib.h>
#include <string.h>

#define LIMIT_FACTS ((size_t)1 << 22)

uint32_t source_facts_file(struct source_facts *f, const char *name, struct err *err)
{
	char **names = f->files.data, **slot;

	for (size_t i = f->files.count; i > 0; i--)
		if (!strcmp(names[i - 1], name))
			return (uint32_t)(i - 1);
	slot = array_push(&f->files, 1, err);
	if (!slot)
		return UINT32_MAX;
	*slot = str_copy(name, err);
	return *slot ? (uint32_t)(f->files.count - 1) : UINT32_MAX;
}

int source_facts_note(struct source_facts *f, const struct fact_place *place, const char *read,
                      const char *write, struct err *err)
{
	struct fact_expression *e = array_push(&f->expressions, 1, err);

	if (!e)
		return err ? err->code : ERR_NOMEM;
	e->place = *place;
	e->read = read ? str_copy(read, err) : NULL;
	e->write = write ? str_copy(write, err) : NULL;
	return (read && !e->read) || (write && !e->write) ? ERR_NOMEM : 0;
}

static int compare_places(const void *a, const void *b)
{
	const struct fact_place *x = a, *y = b;

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (x->column > y->column) - (x->column < y->column);
}

static void keep_longer(char **kept, char **other)
{
	char *swap = *kept;

	if (!*other || (*kept && strlen(*kept) >= strlen(*other)))
		return;
	*kept = *other;
	*other = swap;
}

/* Sort by place; the first of several at one place gets the longest strings. */
static void sort_expressions(struct source_facts *f)
{
	struct fact_expression *all = f->expressions.data;
	size_t kept = 0;

	if (!f->expressions.count)
		return;
	qsort(all, f->expressions.count, sizeof(*all), compare_places);
	for (size_t i = 1; i < f->expressions.count; i++) {
		if (compare_places(&all[kept].place, &all[i].place) != 0) {
			kept++;
			if (kept != i) {
				struct fact_expression swap = all[kept];

				all[kept] = all[i];
				all[i] = swap;
			}
			continue;
		}
		keep_longer(&all[kept].read, &all[i].read);
		keep_longer(&all[kept].write, &all[i].write);
	}
	for (size_t i = kept + 1; i < f->expressions.count; i++) {
		free(all[i].read);
		free(all[i].write);
	}
	f->expressions.count = kept + 1;
}

static int read_text(struct source_facts *f, const struct settings *settings, struct err *err)
{
	struct word_list options;
	struct str text;
	char *const *words = NULL;
	int ret;

	word_list_init(&options);
	str_init(&text, FRONT_END_SOURCE_LIMIT_BYTES);
	ret = front_end_source(settings, false, &text, err);
	if (!ret)
		ret = front_end_options(&options, settings, err);
	if (!ret)
		ret = word_list_split(&options, "-w -isystem " CLANG_HEADERS_DIR, err);
	if (!ret) {
		words = word_list_argv(&options, err);
		ret = words ? 0 : ERR_NOMEM;
	}
	if (!ret)
		ret = source_walk(f, (const char *const *)words, (int)word_list_count(&options),
		                  &text, settings->embedded, err);
	str_release(&text);
	word_list_release(&options);
	return ret;
}

int source_facts_read(struct source_facts **out, const struct settings *settings, struct err *err)
{
	struct source_facts *f = array_alloc(1, sizeof(*f), "facts of the source", err);
	int ret;

	*out = NULL;
	if (!f)
		return ERR_NOMEM;
	array_init(&f->files, sizeof(char *), LIMIT_FACTS, "source files");
	array_init(&f->expressions, sizeof(struct fact_expression), LIMIT_FACTS, "expressions");
	array_init(&f->functions, sizeof(struct fact_function), LIMIT_FACTS, "functions");
	str_init(&f->headers, LIMIT_FACTS);
	f->folder = settings->folder;
	f->is_cuda = cuda_front_is_source(settings->source);
	f->has_headers = front_end_is_ir(settings->source);
	ret = f->has_headers ? 0 : read_text(f, settings, err);
	sort_expressions(f);
	if (ret)
		source_facts_free(f);
	else
		*out = f;
	return ret;
}

static void release_texts(struct array *texts)
{
	char **text = texts->data;

	for (size_t i = 0; i < texts->count; i++)
		free(text[i]);
	array_release(texts);
}

void source_facts_free(struct source_facts *f)
{
	struct fact_expression *expressions;
	struct fact_function *functions;

	if (!f)
		return;
	expressions = f->expressions.data;
	for (size_t i = 0; i < f->expressions.count; i++) {
		free(expressions[i].read);
		free(expressions[i].write);
	}
	functions = f->functions.data;
	for (size_t i = 0; i < f->functions.count; i++) {
		free(functions[i].name);
		release_texts(&functions[i].types);
	}
	array_release(&f->expressions);
	array_release(&f->functions);
	release_texts(&f->files);
	str_release(&f->headers);
	free(f);
}

int source_facts_headers(const struct source_facts *f, struct str *out, bool *is_known,
                         struct err *err)
{
	if (!f->has_headers)
		*is_known = false;
	return f->headers.length ? str_append(out, f->headers.text, f->headers.length, err) : 0;
}

/* Translate a place for the facts; false when there are no facts for its file. */
static bool find_place(const struct source_facts *f, const struct place *place,
                       struct fact_place *out)
{
	char *const *names = f->files.data;
	const char *file = place->file;

	if (!file || !place->line)
		return false;
	if (f->folder && !strncmp(file, "./", 2)) /* next to the compiled file */
		file += 2;
	for (uint32_t i = 0; i < f->files.count; i++) {
		if (strcmp(names[i], file) != 0)
			continue;
		*out = (struct fact_place){ i, place->line, place->column };
		return true;
	}
	return false;
}

const char *source_facts_expression(const struct source_facts *f, const struct place *place,
                                    bool is_write)
{
	const struct fact_expression *found;
	struct fact_place at;

	if (!f->expressions.count || !find_place(f, place, &at))
		return NULL;
	found = bsearch(&at, f->expressions.data, f->expressions.count, sizeof(*found),
	                compare_places);
	if (!found)
		return NULL;
	return is_write && found->write ? found->write : found->read;
}

const char *source_facts_function(const struct source_facts *f, const struct place *place)
{
	const struct fact_function *functions = f->functions.data;
	struct fact_place at;

	if (!find_place(f, place, &at))
		return NULL;
	for (size_t i = 0; i < f->functions.count; i++)
		if (functions[i].place.file == at.file && functions[i].place.line <= at.line &&
		    at.line <= functions[i].last_line)
			return functions[i].name;
	return NULL;
}

const char *source_facts_type(const struct source_facts *f, const char *function, uint32_t index)
{
	const struct fact_function *functions = f->functions.data;

	for (size_t i = 0; i < f->functions.count; i++) {
		char *const *types = functions[i].types.data;

		if (!strcmp(functions[i].name, function) && index < functions[i].types.count)
			return types[index];
	}
	return NULL;
}

/* Replace *slot by a copy of `text`, unless that is NULL. */
static int replace(char **slot, const char *text, struct err *err)
{
	char *copy = text ? str_copy(text, err) : NULL;

	if (!text)
		return 0;
	if (!copy)
		return ERR_NOMEM;
	free(*slot);
	*slot = copy;
	return 0;
}

int source_facts_apply(const struct source_facts *f, struct kernel_table *table, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < table->site_count; i++) {
		struct site *s = &table->sites[i];

		ret = replace(&s->function, source_facts_function(f, &s->place), err);
		if (!ret && s->kind != SITE_BARRIER && s->kind != SITE_FENCE)
			ret = replace(&s->expression,
			              source_facts_expression(f, &s->place, s->kind == SITE_WRITE),
			              err);
	}
	for (uint32_t i = 0; !ret && !f->is_cuda && i < table->argument_count; i++)
		ret = replace(&table->arguments[i].type, source_facts_type(f, table->name, i), err);
	return ret;
}
