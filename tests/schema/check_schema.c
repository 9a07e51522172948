/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_schema SCHEMA [--lines] FILE...: whether JSON documents are what a schema says; with
 * --lines each line is a document. A sentence for each that is not. Exits 0, 1, or 2 when it cannot
 * tell.
 */
#include "schema.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_text(json_t *schema, const char *dir, const char *name, const char *text)
{
	struct schema_why why;
	json_error_t error;
	json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, &error);
	int ret = -1;

	if (!document)
		printf("%s: no JSON: %s\n", name, error.text);
	else if ((ret = schema_check(schema, dir, document, &why)))
		printf("%s: %s\n", name, why.text);
	json_decref(document);
	return ret;
}

static int check_file(json_t *schema, const char *dir, const char *name, int has_lines)
{
	FILE *file = fopen(name, "re");
	char *text = NULL;
	size_t bytes = 0, count = 0;
	int ret = 0, one;

	if (!file) {
		perror(name);
		return -2;
	}
	while (getdelim(&text, &bytes, has_lines ? '\n' : 0, file) > 0) {
		one = check_text(schema, dir, name, text);
		ret = one ? one : ret;
		count++;
	}
	if (!count)
		printf("%s: is empty\n", name);
	free(text);
	fclose(file);
	return count ? ret : -1;
}

int main(int argc, char **argv)
{
	int has_lines = argc > 2 && !strcmp(argv[2], "--lines"), failed = 0;
	json_error_t error;
	json_t *schema = argc > 2 ? json_load_file(argv[1], JSON_REJECT_DUPLICATES, &error) : NULL;
	char *copy = argc > 2 ? strdup(argv[1]) : NULL, *dir = copy ? dirname(copy) : NULL;

	if (!schema)
		fprintf(stderr, "check_schema: %s\n",
		        argc > 2 ? error.text : "expected SCHEMA FILE");
	for (int i = 2 + has_lines; schema && i < argc; i++) {
		int ret = check_file(schema, dir, argv[i], has_lines);

		failed = ret == -2 ? 2 : ret && !failed ? 1 : failed;
	}
	free(copy);
	json_decref(schema);
	return schema ? failed : 2;
}
