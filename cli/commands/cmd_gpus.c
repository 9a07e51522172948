/* SPDX-License-Identifier: Apache-2.0 */
#include "array.h"
#include "command.h"
#include "err.h"
#include "gpu.h"
#include "gpu_catalogue.h"
#include "gpus_output.h"
#include "json_out.h"
#include "out_file.h"
#include "say.h"
#include "str.h"

#include <stdlib.h>

struct gpus_settings {
	const char *l1;
	const char *json;
	bool markdown;
};

static const struct option_row rows[] = {
	{ .name = "l1",
	  .argument = "NAME",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct gpus_settings, l1),
	  .text = "the L1 configuration to print (default: the first of the description)" },
	{ .name = "markdown",
	  .kind = OPTION_FLAG,
	  .offset = offsetof(struct gpus_settings, markdown),
	  .text = "print all descriptions with all their keys, as docs/gpus.md" },
	JSON_ROW(struct gpus_settings),
};
const struct option_table gpus_options = { rows, sizeof(rows) / sizeof(rows[0]),
	                                   sizeof(struct gpus_settings) };

enum { DESCRIPTION_LIMIT_BYTES = 1 << 16 };

static int print_one(const char *name, const char *l1, struct err *err)
{
	struct str text;
	struct gpu gpu;
	int ret = gpu_catalogue_load(&gpu, name, l1, err);

	str_init(&text, DESCRIPTION_LIMIT_BYTES);
	if (!ret)
		ret = gpu_print(&gpu, &text, err);
	if (!ret)
		fputs(text.text, stdout);
	str_release(&text);
	return ret;
}

/* Print one line of the list. A description that cannot be read ends the command with its message.
 */
static int list_one(const char *name, struct err *err)
{
	char *file = gpu_catalogue_find(name, err), *l1 = NULL;
	struct gpu gpu;
	int ret = file ? gpu_load(&gpu, file, NULL, err) : err->code;

	if (!ret) {
		l1 = gpu_catalogue_l1_list(file, err);
		ret = l1 ? 0 : ERR_IO;
	}
	if (!ret)
		printf("%-12s %-26s %s\n", name, *l1 ? l1 : "-", gpu.title);
	free(l1);
	free(file);
	return ret;
}

static int list_all(struct err *err)
{
	struct array names;
	int ret = gpu_catalogue_names(&names, err);

	if (!ret)
		printf("%-12s %-26s %s\n", "name", "L1", "title");
	for (size_t i = 0; !ret && i < names.count; i++)
		ret = list_one(((char **)names.data)[i], err);
	gpu_catalogue_release(&names);
	return ret;
}

int cmd_gpus(const void *settings, const struct operands *operands, struct err *err)
{
	const struct gpus_settings *s = settings;
	const char *name = operands->count ? operands->items[0] : NULL;
	int ret;

	if (!operands->count && s->l1)
		return err_set(err, ERR_USAGE, "--l1: expected the NAME of a GPU too");
	if (s->markdown && operands->count)
		return err_set(err, ERR_USAGE, "--markdown: prints all GPUs; expected no NAME");
	if (s->json && s->markdown)
		return err_set(err, ERR_USAGE, "--json: contradicts --markdown");
	if (s->json) {
		ret = gpus_output_json(name, s->l1, s->json, err);
		if (ret || out_file_is_stdout(s->json))
			return ret;
	}
	if (s->markdown) {
		ret = gpus_output_markdown(stdout, err);
		return ret ? ret : say_flush(stdout, "standard output", err);
	}
	ret = name ? print_one(name, s->l1, err) : list_all(err);
	return ret ? ret : say_flush(stdout, "standard output", err);
}
