/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_get FILE PATH... - print values of a JSON file, one a line, for shell scripts.
 *
 * A path is keys and array indices with dots between, `#` is the length of an array:
 * total.l1.reads, launches.0.kernel, launches.#. Ends with 1 when a path leads nowhere.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value at one step of a path; *length is set for `#`. Borrowed. */
static const json_t *step_into(const json_t *at, const char *step, json_t **length)
{
	if (json_is_array(at) && !strcmp(step, "#"))
		return *length = json_integer((json_int_t)json_array_size(at));
	if (json_is_array(at))
		return json_array_get(at, strtoul(step, NULL, 10));
	return json_object_get(at, step);
}

static int print_value(const json_t *value)
{
	if (json_is_string(value)) {
		puts(json_string_value(value));
		return 0;
	}
	int bad = json_dumpf(value, stdout, JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));

	putchar('\n');
	return bad;
}

static int print_path(const json_t *root, const char *file, const char *path)
{
	const json_t *at = root;
	json_t *length = NULL;

	for (const char *rest = path; *rest && at;) {
		char step[64];
		size_t size = strcspn(rest, ".");

		snprintf(step, sizeof(step), "%.*s", (int)size, rest);
		at = step_into(at, step, &length);
		rest += size + (rest[size] == '.');
	}
	if (!at)
		fprintf(stderr, "json_get: %s: there is no %s\n", file, path);

	int bad = at ? print_value(at) : 1;

	json_decref(length);
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
	for (int i = 2; i < argc; i++)
		bad |= print_path(root, argv[1], argv[i]);
	json_decref(root);
	return bad ? 1 : 0;
}
