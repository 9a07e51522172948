/* SPDX-License-Identifier: Apache-2.0 */
#include "kept_list.h"

#include "bypass_list.h"
#include "err.h"
#include "file.h"

#include <stdio.h>
#include <stdlib.h>

int kept_list_write(const char *dir, const char *name, const struct bypass_list *list,
                    struct err *err)
{
	char *path = file_path(dir, name, err), *text = NULL;
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
		ret = file_write(path, text, length, err);
	free(text);
	free(path);
	return ret;
}
