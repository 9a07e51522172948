/* SPDX-License-Identifier: Apache-2.0 */
#include "gpus_output.h"

#include "array.h"
#include "document.h"
#include "err.h"
#include "gpu.h"
#include "gpu_catalogue.h"
#include "line_walk.h"
#include "str.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { DESCRIPTION_LIMIT_BYTES = 1 << 16 };

/* "16k, 48k" as a list. */
static json_t *l1_json(struct json_out *out, char *names)
{
	json_t *list = json_array();
	char *rest = names, *name;

	while ((name = strsep(&rest, ", ")))
		if (*name)
			json_out_append(out, list, json_string(name));
	return list;
}

/* The lines "key = value" of a description, without comments. */
static json_t *keys_json(struct json_out *out, char *text)
{
	json_t *keys = json_object();
	char *rest = text, *line, *value;

	while ((line = strsep(&rest, "\n"))) {
		line[strcspn(line, "#")] = '\0';
		value = strstr(line, " = ");
		if (!value)
			continue;
		*value = '\0';
		value += strlen(" = ");
		for (size_t n = strlen(value); n && value[n - 1] == ' '; n--)
			value[n - 1] = '\0';
		line[strcspn(line, " ")] = '\0';
		json_out_text(out, keys, line, value);
	}
	return keys;
}

static json_t *gpu_json(struct json_out *out, const char *name, struct err *err)
{
	char *file = gpu_catalogue_find(name, err), *l1 = NULL;
	json_t *row = NULL;
	struct gpu gpu;

	if (file && !gpu_load(&gpu, file, NULL, err))
		l1 = gpu_catalogue_l1_list(file, err);
	if (l1) {
		row = json_object();
		json_out_text(out, row, "name", name);
		json_out_text(out, row, "title", gpu.title);
		json_out_value(out, row, "l1", l1_json(out, l1));
	}
	free(l1);
	free(file);
	return row;
}

static int put_all(struct json_out *out, json_t *list, struct err *err)
{
	struct array names;
	int ret = gpu_catalogue_names(&names, err);

	for (size_t i = 0; !ret && i < names.count; i++) {
		json_t *row = gpu_json(out, ((char **)names.data)[i], err);

		if (row)
			json_out_append(out, list, row);
		else
			ret = err->code;
	}
	gpu_catalogue_release(&names);
	return ret;
}

static int put_one(struct json_out *out, json_t *list, const char *name, const char *l1,
                   struct err *err)
{
	struct gpu gpu;
	struct str text;
	int ret = gpu_catalogue_load(&gpu, name, l1, err);
	json_t *row = ret ? NULL : gpu_json(out, name, err);

	if (!row)
		return err->code;
	str_init(&text, DESCRIPTION_LIMIT_BYTES);
	ret = gpu_print(&gpu, &text, err);
	if (!ret)
		json_out_value(out, row, "keys", keys_json(out, text.text));
	json_out_append(out, list, row);
	str_release(&text);
	return ret;
}

int gpus_output_json(const char *name, const char *l1, const char *file, struct err *err)
{
	struct json_out out = { false };
	json_t *root = document_head(&out, "gpus/1"), *list = json_array();
	int ret = name ? put_one(&out, list, name, l1, err) : put_all(&out, list, err);

	document_put_version(&out, root);
	json_out_value(&out, root, "gpus", list);
	if (!ret)
		return json_out_write(&out, root, file, err);
	json_decref(root);
	return ret;
}

enum { PAGE_LIMIT_BYTES = 1 << 20 };

static const char head[] =
	"# GPUs\n\n"
	"Printed by `warpline gpus --markdown`. `gpus/NAME.conf` gives the source of each value, "
	"and marks\nwith `?` the values that sources disagree on.\n\n"
	"By default any number of lines can be on their way to L1, any number of bytes arrive in a "
	"cycle, and\neverything below L1 takes a constant time ([semantics.md](semantics.md)). "
	"MSHRs, bandwidth and L2 can\nbe turned on by keys; geometry, times and widths for them "
	"are given where they are known.\n\n";

/* The descriptions, as gpu_print() writes them: the title, then a line for each key. */
struct page {
	struct array names; /* char * */
	struct str *texts;  /* one for each name */
};

static int read_descriptions(struct page *p, struct err *err)
{
	int ret = gpu_catalogue_names(&p->names, err);

	p->texts = ret ? NULL : array_alloc(p->names.count, sizeof(*p->texts), "GPUs", err);
	if (!ret && !p->texts)
		ret = ERR_NOMEM;
	for (size_t i = 0; !ret && i < p->names.count; i++) {
		struct gpu gpu;

		str_init(&p->texts[i], PAGE_LIMIT_BYTES);
		ret = gpu_catalogue_load(&gpu, ((char **)p->names.data)[i], NULL, err);
		if (!ret)
			ret = gpu_print(&gpu, &p->texts[i], err);
	}
	return ret;
}

static void release_page(struct page *p)
{
	for (size_t i = 0; p->texts && i < p->names.count; i++)
		str_release(&p->texts[i]);
	free(p->texts);
	gpu_catalogue_release(&p->names);
}

/* Line number `line` of a description: "key = value"; *length is that of the key or the value. */
static const char *part_of(const struct str *text, size_t line, bool is_value, int *length)
{
	struct line_walk walk = line_walk_begin(text->text, text->length);
	struct line found = { "", 0 };
	const char *equals;

	while (walk.number <= line && line_walk_next(&walk, &found))
		;
	equals = memmem(found.text, found.length, " = ", 3);
	if (is_value && equals) {
		*length = (int)(found.length - (size_t)(equals + 3 - found.text));
		return equals + 3;
	}
	for (*length = 0; (size_t)*length < found.length && found.text[*length] != ' ';)
		++*length;
	return found.text;
}

static void print_gpus(FILE *out, const struct page *p)
{
	fprintf(out, "| name | GPU | L1 |\n| --- | --- | --- |\n");
	for (size_t i = 0; i < p->names.count; i++) {
		const char *name = ((char **)p->names.data)[i];
		char *file = gpu_catalogue_find(name, NULL);
		char *l1 = file ? gpu_catalogue_l1_list(file, NULL) : NULL;
		int length;
		const char *title = part_of(&p->texts[i], 0, true, &length);

		fprintf(out, "| `%s` | %.*s | %s |\n", name, length, title, l1 && *l1 ? l1 : "one");
		free(l1);
		free(file);
	}
}

static void print_keys(FILE *out, const struct page *p)
{
	int length;

	fprintf(out, "| key |");
	for (size_t i = 0; i < p->names.count; i++)
		fprintf(out, " %s |", ((char **)p->names.data)[i]);
	fprintf(out, "\n| --- |");
	for (size_t i = 0; i < p->names.count; i++)
		fprintf(out, " ---: |");
	for (size_t key = 0; gpu_key_text(key); key++) {
		const char *text = part_of(&p->texts[0], key + 1, false, &length);

		fprintf(out, "\n| `%.*s` |", length, text);
		for (size_t i = 0; i < p->names.count; i++) {
			text = part_of(&p->texts[i], key + 1, true, &length);
			fprintf(out, " %.*s |", length, text);
		}
	}
	fputc('\n', out);
}

static void print_meanings(FILE *out, const struct page *p)
{
	int length;

	fprintf(out, "| key | |\n| --- | --- |\n");
	for (size_t key = 0; gpu_key_text(key); key++) {
		const char *text = part_of(&p->texts[0], key + 1, false, &length);

		fprintf(out, "| `%.*s` | %s |\n", length, text, gpu_key_text(key));
	}
}

int gpus_output_markdown(FILE *out, struct err *err)
{
	struct page p = { .texts = NULL };
	int ret = read_descriptions(&p, err);

	if (!ret && !p.names.count)
		ret = err_set(err, ERR_CONFIG, "there are no GPU descriptions");
	if (!ret) {
		fputs(head, out);
		print_gpus(out, &p);
		fprintf(out, "\n## Values\n\nWith the first L1 of each GPU.\n\n");
		print_keys(out, &p);
		fprintf(out, "\n## Keys\n\n");
		print_meanings(out, &p);
	}
	release_page(&p);
	return ret;
}
