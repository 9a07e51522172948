/* SPDX-License-Identifier: Apache-2.0 */
#include "trace_scratch.h"

#include "cmocka_all.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void scratch_make(struct scratch_dir *s)
{
	snprintf(s->path, sizeof(s->path), "/tmp/warpline-test-XXXXXX");
	assert_non_null(mkdtemp(s->path));
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	return remove(path);
}

void scratch_remove(const struct scratch_dir *s)
{
	nftw(s->path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

const char *scratch_path(const struct scratch_dir *s, const char *name)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/%s", s->path, name);
	return path;
}

unsigned char *scratch_read(const char *path, size_t *length)
{
	FILE *in = fopen(path, "rbe");
	unsigned char *bytes;

	assert_non_null(in);
	assert_int_equal(fseek(in, 0, SEEK_END), 0);
	*length = (size_t)ftell(in);
	rewind(in);
	bytes = calloc(*length + 1, 1);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, *length, in), *length);
	fclose(in);
	return bytes;
}
