/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_lines.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words of one line, as strtok_r() gives them. */
struct words {
	char *rest;
	char *text; /* the current one, NULL at the end */
};

static const char *next_word(struct words *w)
{
	w->text = strtok_r(NULL, " \t", &w->rest);
	return w->text;
}

size_t value_type_bytes(enum value_type type)
{
	static const size_t bytes[] = {
#define VALUE_TYPE(NAME, name, bytes, kind) bytes,
#include "value_types.def"
#undef VALUE_TYPE
	};

	return bytes[type];
}

/* The type at the start of `text`, and what follows it; NULL when there is none. */
static const char *take_type(const char *text, enum value_type *type)
{
	static const char *const names[] = {
#define VALUE_TYPE(NAME, name, bytes, kind) #name,
#include "value_types.def"
#undef VALUE_TYPE
	};

	for (int i = 0; i < VALUE_TYPE_COUNT; i++) {
		size_t length = strlen(names[i]);

		if (strncmp(text, names[i], length) != 0)
			continue;
		*type = (enum value_type)i;
		return text + length;
	}
	return NULL;
}

/* "64x2x1": returns how many sizes, 0 when malformed. */
static unsigned take_sizes(const char *text, size_t sizes[3])
{
	unsigned count = 0;

	for (char *end; count < 3; text = end + 1) {
		sizes[count++] = strtoull(text, &end, 0);
		if (end == text || (*end && *end != 'x' && *end != ']'))
			return 0;
		if (*end != 'x')
			return count;
	}
	return 0;
}

/* What stands behind "]=". */
static int take_fill(const char *text, struct kernel_argument_line *a)
{
	const char *fill = strstr(text, "]=");

	if (!fill || strlen(fill + 2) >= sizeof(a->fill))
		return -1;
	snprintf(a->fill, sizeof(a->fill), "%s", fill + 2);
	return 0;
}

static int take_image(const char *text, struct kernel_argument_line *a)
{
	size_t sizes[3] = { 0 };

	a->type = a->form == ARGUMENT_IMAGE_FLOAT ? VALUE_FLOAT : VALUE_UCHAR;
	if (take_sizes(strchr(text, '[') + 1, sizes) != 2)
		return -1;
	a->width = sizes[0];
	a->height = sizes[1];
	a->count = a->width * a->height * 4;
	if (a->form == ARGUMENT_TARGET)
		return snprintf(a->fill, sizeof(a->fill), "zero") < 0;
	return take_fill(text, a);
}

static int take_value(const char *text, struct kernel_argument_line *a)
{
	const char *rest = take_type(text, &a->type);
	char *end;

	if (!rest)
		return -1;
	if (*rest == '[') {
		a->form = ARGUMENT_BUFFER;
		a->count = strtoull(rest + 1, &end, 0);
		return a->count ? take_fill(rest, a) : -1;
	}
	a->form = ARGUMENT_SCALAR;
	a->count = strtoull(rest, &end, 10);
	if (!a->count)
		a->count = 1;
	if (a->count > 16 || *end != '=')
		return -1;
	a->number = strtod(end + 1, &end);
	return *end ? -1 : 0;
}

static int take_argument(const char *text, struct kernel_argument_line *a)
{
	static const struct {
		const char *name;
		enum argument_form form;
	} forms[] = { { "local[", ARGUMENT_LOCAL },
		      { "same[", ARGUMENT_SAME },
		      { "image[", ARGUMENT_IMAGE },
		      { "imagef[", ARGUMENT_IMAGE_FLOAT },
		      { "target[", ARGUMENT_TARGET } };

	if (strcmp(text, "sampler") == 0) {
		a->form = ARGUMENT_SAMPLER;
		return 0;
	}
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		size_t length = strlen(forms[i].name);

		if (strncmp(text, forms[i].name, length) != 0)
			continue;
		a->form = forms[i].form;
		if (a->form != ARGUMENT_LOCAL && a->form != ARGUMENT_SAME)
			return take_image(text, a);
		a->count = strtoull(text + length, NULL, 0);
		return 0;
	}
	return take_value(text, a);
}

/* KERNEL GLOBAL LOCAL [+OFFSET] : */
static int take_shape(struct words *w, struct kernel_run *run)
{
	const char *text = next_word(w);

	if (!text || strlen(text) >= sizeof(run->kernel))
		return -1;
	snprintf(run->kernel, sizeof(run->kernel), "%s", text);
	text = next_word(w);
	run->dimensions = text ? take_sizes(text, run->global) : 0;
	text = next_word(w);
	if (!run->dimensions || !text)
		return -1;
	if (strcmp(text, "-") != 0 && take_sizes(text, run->local) != run->dimensions)
		return -1;
	text = next_word(w);
	if (text && *text == '+') {
		if (take_sizes(text + 1, run->offset) != run->dimensions)
			return -1;
		text = next_word(w);
	}
	return text && strcmp(text, ":") == 0 ? 0 : -1;
}

static int take_run(struct words *w, struct kernel_run *run)
{
	if (take_shape(w, run) != 0)
		return -1;
	while (next_word(w)) {
		struct kernel_argument_line *a = &run->arguments[run->argument_count];

		if (run->argument_count++ == KERNEL_ARGUMENTS_MAX || take_argument(w->text, a) != 0)
			return -1;
		if (a->form == ARGUMENT_SAME && a->count + 1 >= run->argument_count)
			return -1;
	}
	return 0;
}

static int take_line(struct kernel_lines *l, char *line)
{
	struct words w = { 0 };
	const char *word = strtok_r(line, " \t", &w.rest);
	struct kernel_run *grown;

	if (!word || strcmp(word, "//") != 0 || !next_word(&w))
		return 0;
	if (strcmp(w.text, "options:") == 0)
		return snprintf(l->options, sizeof(l->options), "%s", w.rest) < 0;
	if (strcmp(w.text, "run:") != 0)
		return 0;
	grown = realloc(l->runs, (l->run_count + 1) * sizeof(*grown));
	if (!grown)
		return -1;
	l->runs = grown;
	memset(&grown[l->run_count], 0, sizeof(*grown));
	return take_run(&w, &grown[l->run_count++]);
}

static int read_text(struct kernel_lines *l, const char *path)
{
	FILE *in = fopen(path, "rb");
	long size = -1;

	if (!in)
		return -1;
	if (fseek(in, 0, SEEK_END) == 0)
		size = ftell(in);
	rewind(in);
	if (size >= 0)
		l->text = calloc((size_t)size + 1, 1);
	if (l->text)
		l->length = fread(l->text, 1, (size_t)size, in);
	return fclose(in) || !l->text || l->length != (size_t)size ? -1 : 0;
}

int kernel_lines_read(struct kernel_lines *l, const char *path, char *message, size_t size)
{
	unsigned number = 0;
	int ret = 0;

	memset(l, 0, sizeof(*l));
	if (read_text(l, path) != 0) {
		snprintf(message, size, "%s: %s", path, strerror(errno));
		return -1;
	}
	for (const char *at = l->text; *at && !ret;) {
		size_t length = strcspn(at, "\n");
		char *line = strndup(at, length);

		number++;
		ret = line ? take_line(l, line) : -1;
		free(line);
		at += length + (at[length] == '\n');
	}
	if (ret)
		snprintf(message, size, "%s:%u: this line is not understood", path, number);
	return ret ? -1 : 0;
}

void kernel_lines_release(struct kernel_lines *l)
{
	free(l->text);
	free(l->runs);
	memset(l, 0, sizeof(*l));
}
