/* SPDX-License-Identifier: Apache-2.0 */
#include "gnuplot.h"

#include "app.h"
#include "err.h"
#include "out_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The limit of its messages. */
enum { WORDS_LIMIT_BYTES = 1 << 20 };

static const char PROGRAM[] = "gnuplot";

int gnuplot_check(struct err *err)
{
	if (!app_check(PROGRAM, NULL, NULL))
		return 0;
	return err_set(
		err, ERR_SUBPROCESS,
		"gnuplot draws the picture and is not in PATH: install it (Debian: package "
		"gnuplot-nox), or write its script (-o FILE.gp) or the numbers (-o FILE.csv)");
}

/* Only in the child: become gnuplot. */
static _Noreturn void become(int script, int picture, int words)
{
	static char name[] = "gnuplot", own[] = "--default-settings";
	char *const argv[] = { name, own, NULL };

	if (lseek(script, 0, SEEK_SET) == 0 && dup2(script, 0) == 0 && dup2(picture, 1) == 1 &&
	    dup2(words, 2) == 2 && !setenv("LC_ALL", "C", 1))
		execvp(PROGRAM, argv);
	_exit(127);
}

/* The last line that is neither empty nor a warning, without its decoration; or NULL. */
static const char *last_word(char *text)
{
	char *rest = text, *line;
	const char *last = NULL;

	while ((line = strsep(&rest, "\r\n"))) {
		line += strspn(line, " \t^");
		if (*line && !strstr(line, "warning:"))
			last = line;
	}
	return last;
}

static int judge(int status, int words, struct err *err)
{
	const char *word = NULL;
	struct str said;
	int ret;

	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return err_set(err, ERR_SUBPROCESS, "gnuplot cannot be started");
	str_init(&said, WORDS_LIMIT_BYTES);
	if (!out_file_take(words, &said, NULL) && said.length)
		word = last_word(said.text);
	if (WIFSIGNALED(status))
		ret = err_set(err, ERR_SUBPROCESS, "gnuplot was ended by signal %d",
		              WTERMSIG(status));
	else
		ret = err_set(err, ERR_SUBPROCESS, "gnuplot failed: %s",
		              word ? word : "it does not say why");
	str_release(&said);
	return ret;
}

static int run(int script, int picture, int words, struct err *err)
{
	pid_t child = fork();
	int status;

	if (!child)
		become(script, picture, words);
	if (child < 0)
		return err_set(err, ERR_SUBPROCESS, "gnuplot cannot be started: %s",
		               strerror(errno));
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return err_set(err, ERR_SUBPROCESS, "waiting for gnuplot: %s",
			               strerror(errno));
	return judge(status, words, err);
}

int gnuplot_draw(int script, struct str *out, struct err *err)
{
	int picture = out_file_in_memory("picture", err), words = -1, ret = picture;

	if (picture >= 0)
		ret = words = out_file_in_memory("messages", err);
	if (words >= 0)
		ret = run(script, picture, words, err);
	if (!ret)
		ret = out_file_take(picture, out, err);
	if (words >= 0)
		close(words);
	if (picture >= 0)
		close(picture);
	return ret;
}
