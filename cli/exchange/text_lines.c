/* SPDX-License-Identifier: Apache-2.0 */
#include "text_lines.h"

#include "err.h"
#include "plain_file.h"
#include "str.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), end_length = strlen(end);

	return length > end_length && !strcmp(text + length - end_length, end);
}

/* Start xz with its output to `to`. Returns an errno value. */
static int spawn_xz(char *path, int to, pid_t *child)
{
	char *const argv[] = { (char[]){ "xz" }, (char[]){ "-dcq" }, (char[]){ "--" }, path, NULL };
	posix_spawn_file_actions_t actions;
	int ret = posix_spawn_file_actions_init(&actions);

	if (ret)
		return ret;
	ret = posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
	if (!ret)
		ret = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
		                                       O_WRONLY, 0);
	if (!ret)
		ret = posix_spawnp(child, "xz", &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return ret;
}

static int open_xz(struct text_lines *t, struct err *err)
{
	FILE *plain = plain_file_open(t->path, err);
	int ends[2], ret;
	char *path;

	if (!plain)
		return ERR_IO;
	fclose(plain);
	if (pipe2(ends, O_CLOEXEC))
		return err_set(err, ERR_IO, "%s: no pipe: %s", t->path, strerror(errno));
	path = str_copy(t->path, err);
	ret = path ? spawn_xz(path, ends[1], &t->child) : ENOMEM;
	free(path);
	close(ends[1]);
	if (ret) {
		t->child = 0;
		close(ends[0]);
		return err_set(err, ERR_IO,
		               "%s: the program xz, which is to decompress it, cannot be run: %s; "
		               "install xz, or give the decompressed file",
		               t->path, strerror(ret));
	}
	t->in = fdopen(ends[0], "rb");
	if (t->in)
		return 0;
	close(ends[0]);
	return err_set(err, ERR_IO, "%s: %s", t->path, strerror(errno));
}

int text_lines_open(struct text_lines *t, const char *path, struct err *err)
{
	t->path = strcmp(path, "-") != 0 ? path : "standard input";
	t->in = NULL;
	t->child = 0;
	t->line = 0;
	t->is_cut = t->is_again = false;
	if (ends_with(path, ".xz"))
		return open_xz(t, err);
	t->in = t->path == path ? plain_file_open(path, err) : stdin;
	return t->in ? 0 : ERR_IO;
}

/* Wait for xz, which has ended or is to be stopped. */
static int reap(struct text_lines *t, struct err *err)
{
	int status = 0;

	if (!t->child)
		return 0;
	while (waitpid(t->child, &status, 0) < 0 && errno == EINTR)
		;
	t->child = 0;
	return status ? err_set(err, ERR_FORMAT,
	                        "%s: xz cannot decompress it: it is damaged or cut short", t->path)
	              : 0;
}

int text_lines_close(struct text_lines *t, struct err *err)
{
	if (t->in && t->in != stdin)
		fclose(t->in);
	t->in = NULL;
	return reap(t, err);
}

int text_lines_next(struct text_lines *t, struct err *err)
{
	size_t length = 0;
	int c;

	if (t->is_again) {
		t->is_again = false;
		return 1;
	}
	t->is_cut = false;
	while ((c = getc_unlocked(t->in)) != EOF && c != '\n') {
		if (c && length < sizeof(t->text) - 1)
			t->text[length++] = (char)c;
		else
			t->is_cut = true;
	}
	if (c == EOF && ferror(t->in))
		return err_set(err, ERR_IO, "%s: %s", t->path, strerror(errno));
	if (c == EOF && reap(t, err)) /* otherwise truncated data would be read as complete */
		return ERR_FORMAT;
	if (c == EOF && !length && !t->is_cut)
		return 0;
	if (length && t->text[length - 1] == '\r')
		length--;
	t->text[length] = '\0';
	t->line++;
	return 1;
}

void text_lines_back(struct text_lines *t)
{
	t->is_again = true;
}

int text_lines_expected(const struct text_lines *t, const char *what, struct err *err)
{
	return err_set(err, ERR_FORMAT, "%s:%" PRIu64 ": expected %s", t->path, t->line, what);
}
