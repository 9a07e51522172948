/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_get FILE PATH... - print values of a JSON file, one a line, for shell scripts.
 *
 * A path is keys and array indices with dots between; `*` is every item of an array in turn, `#`
 * its length: total.l1.reads, launches.0.sms.*.reads, launches.#. Ends with 1 when a path leads
 * nowhere.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int print_value(const json_t *value)
{
	if (json_is_string(value))
		return puts(json_string_value(value)) < 0;
	return json_dumpf(value, stdout, JSON_ENCODE_ANY | JSON_REAL_PRECISION(9)) ||
	       putchar('\n') < 0;
}

/* 0, or 1 when there is nothing at `path`. */
static int print_path(const json_t *at, const char *path)
{
	char step[64];
	size_t size = strcspn(path, "."), count = json_array_size(at);
	const char *rest = path + size + (path[size] == '.');
	int bad = 0;

	if (!at || !*path)
		return at ? print_value(at) : 1;
	snprintf(step, sizeof(step), "%.*s", (int)size, path);
	if (json_is_object(at))
		return print_path(json_object_get(at, step), rest);
	if (!json_is_array(at))
		return 1;
	if (strcmp(step, "#") == 0)
		return printf("%zu\n", count) < 0;
	if (strcmp(step, "*") != 0)
		return print_path(json_array_get(at, strtoul(step, NULL, 10)), rest);
	for (size_t i = 0; i < count; i++)
		bad |= print_path(json_array_get(at, i), rest);
	return bad;
}

int main(int argc, char **argv)
{
	json_error_t error;
	int bad = 0;

	if (argc < 3) {
		fprintf(stderr, "usage: json_get FILE PATH...\n");
		return 2;
	}
	json_t *root = json_load_file(argv[1], 0, &error);

	if (!root) {
		fprintf(stderr, "json_get: %s:%d: %s\n", argv[1], error.line, error.text);
		return 1;
	}
	for (int i = 2; i < argc; i++) {
		if (print_path(root, argv[i])) {
			fprintf(stderr, "json_get: %s: there is no %s\n", argv[1], argv[i]);
			bad = 1;
		}
	}
	json_decref(root);
	return bad;
}
