/* SPDX-License-Identifier: Apache-2.0 */
#include "kept_list.h"

#include "bypass_list.h"
#include "err.h"
#include "file.h"
#include "recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

static int check_size(const char *name, const char *text, size_t length, struct err *err)
{
	size_t lines = 0;

	for (size_t i = 0; i < length; i++)
		lines += text[i] == '\n';
	if (length <= RECORDING_LIST_BYTES_MAX && lines <= RECORDING_LIST_LINES_MAX)
		return 0;
	return err_set(err, ERR_LIMIT,
	               "%s: a bypass list of %zu lines and %zu bytes: a recording keeps one of at "
	               "most %zu lines and %zu bytes",
	               name, lines, length, RECORDING_LIST_LINES_MAX, RECORDING_LIST_BYTES_MAX);
}

int kept_list_write(const char *dir, struct recorded_list *kept, const struct bypass_list *list,
                    struct err *err)
{
	char *path = file_path(dir, kept->file, err), *text = NULL;
	size_t length = 0;
	FILE *out = path ? open_memstream(&text, &length) : NULL;
	int ret = 0;

	if (!out)
		ret = err_set(err, ERR_NOMEM, "%s", err_text(ERR_NOMEM));
	else
		ret = bypass_list_write(list, out, err);
	if (out && fclose(out) && !ret)
		ret = err_set(err, ERR_NOMEM, "%s", err_text(ERR_NOMEM));
	if (!ret)
		ret = check_size(path, text, length, err);
	if (!ret) {
		kept->sum = (struct recorded_sum){ true, length, XXH64(text, length, 0) };
		ret = file_write(path, text, length, err);
	}
	free(text);
	free(path);
	return ret;
}
