/* SPDX-License-Identifier: Apache-2.0 */
#include "gpus_json.h"

#include "array.h"
#include "document.h"
#include "err.h"
#include "gpu.h"
#include "gpu_catalogue.h"
#include "str.h"

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

int gpus_json_write(const char *name, const char *l1, const char *file, struct err *err)
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
