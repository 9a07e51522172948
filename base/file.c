/* SPDX-License-Identifier: Apache-2.0 */
#include "file.h"

#include "err.h"
#include "quiet_signals.h"
#include "str.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int file_read(const char *path, struct str *out, struct err *err)
{
	char buffer[16384];
	FILE *in = fopen(path, "rbe");
	size_t got;
	int ret = 0;

	if (!in)
		return err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	while (!ret && (got = fread(buffer, 1, sizeof(buffer), in)) > 0)
		ret = str_append(out, buffer, got, NULL);
	if (ret == ERR_LIMIT)
		err_set(err, ERR_LIMIT, "%s: larger than the limit of %zu bytes", path,
		        out->limit_bytes);
	else if (ret)
		err_set(err, ERR_NOMEM, "%s: out of memory while reading", path);
	else if (ferror(in))
		ret = err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	else
		ret = str_append(out, "", 0, err);
	fclose(in);
	return ret;
}

/* Write to `path`; messages name it `name`. */
static int write_to(const char *path, const char *name, const void *bytes, size_t length,
                    struct err *err)
{
	FILE *out = fopen(path, "wbe");
	int ret = 0;

	if (!out)
		return err_set(err, ERR_IO, "%s: %s", name, strerror(errno));
	if (fwrite(bytes, 1, length, out) != length)
		ret = err_set(err, ERR_IO, "%s: %s", name, strerror(errno));
	if (fclose(out) && !ret)
		ret = err_set(err, ERR_IO, "%s: %s", name, strerror(errno));
	return ret;
}

/* A device or a pipe: a name that must go on meaning what it means. */
static bool is_special(const char *path)
{
	struct stat facts;

	return !stat(path, &facts) && !S_ISREG(facts.st_mode);
}

static int replace(const char *path, const void *bytes, size_t length, struct err *err)
{
	char *temporary = str_format(err, "%s.%ld.tmp", path, (long)gettid());
	int ret;

	if (!temporary)
		return ERR_NOMEM;
	ret = write_to(temporary, path, bytes, length, err);
	if (!ret && rename(temporary, path))
		ret = err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	if (ret)
		unlink(temporary);
	free(temporary);
	return ret;
}

int file_write(const char *path, const void *bytes, size_t length, struct err *err)
{
	struct quiet_signals quiet;
	int ret;

	quiet_signals_begin(&quiet);
	ret = is_special(path) ? write_to(path, path, bytes, length, err)
	                       : replace(path, bytes, length, err);
	quiet_signals_end(&quiet, ret < 0);
	return ret;
}

char *file_path(const char *dir, const char *name, struct err *err)
{
	return str_format(err, "%s/%s", dir, name);
}

const char *file_temporary_folder(void)
{
	const char *given = getenv("TMPDIR");
	struct stat facts;

	if (given && !stat(given, &facts) && S_ISDIR(facts.st_mode) && !access(given, W_OK | X_OK))
		return given;
	return "/tmp";
}
