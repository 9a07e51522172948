/* SPDX-License-Identifier: Apache-2.0 */
#include "app.h"

#include "command.h"
#include "err.h"
#include "str.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* EXIT_DONE for a file that may be executed, EXIT_NOT_FOUND when there is none. */
static int check_path(const char *path)
{
	struct stat facts;

	if (stat(path, &facts))
		return errno == EACCES ? EXIT_NOT_EXECUTABLE : EXIT_NOT_FOUND;
	if (!S_ISREG(facts.st_mode) || access(path, X_OK))
		return EXIT_NOT_EXECUTABLE;
	return EXIT_DONE;
}

/* The best answer over the directories of PATH. */
static int check_in_path(const char *name, struct err *err)
{
	const char *path = getenv("PATH");
	char *copy = str_copy(path ? path : "/bin:/usr/bin", err), *rest = copy, *dir;
	int best = EXIT_NOT_FOUND;

	if (!copy)
		return ERR_NOMEM;
	while (best != EXIT_DONE && (dir = strsep(&rest, ":"))) {
		char *file = str_format(err, "%s/%s", *dir ? dir : ".", name);
		int found = file ? check_path(file) : EXIT_NOT_FOUND;

		free(file);
		if (found != EXIT_NOT_FOUND)
			best = found;
	}
	free(copy);
	return best;
}

int app_check(const char *name, struct err *err)
{
	int found = strchr(name, '/') ? check_path(name) : check_in_path(name, err);

	if (found == EXIT_NOT_FOUND)
		err_set(err, ERR_USAGE, "%s: there is no such program", name);
	else if (found == EXIT_NOT_EXECUTABLE)
		err_set(err, ERR_USAGE, "%s: is not a program that can be started", name);
	return found;
}

/* Add `value` behind what the variable holds. */
static int append_variable(const char *name, const char *value, struct err *err)
{
	const char *old = getenv(name);
	bool has_old = old && *old;
	char *text = str_format(err, "%s%s%s", has_old ? old : "", has_old ? ":" : "", value);
	int ret = text ? 0 : ERR_NOMEM;

	if (!ret && setenv(name, text, 1))
		ret = err_set(err, ERR_NOMEM, "%s: %s", name, strerror(errno));
	free(text);
	return ret;
}

/* The dynamic linker takes a space as the end of a name: then the layer alone must do. */
static int set_environment(const struct app_recorder *recorder, struct err *err)
{
	int ret;

	if (strchr(recorder->library, ':'))
		return err_set(err, ERR_IO, "%s: a path with ':' cannot be loaded into a program",
		               recorder->library);
	if (setenv("WARPLINE_DIR", recorder->dir, 1))
		return err_set(err, ERR_NOMEM, "WARPLINE_DIR: %s", strerror(errno));
	if (setenv("WARPLINE_INSTRUMENT", recorder->instrumenter, 0))
		return err_set(err, ERR_NOMEM, "WARPLINE_INSTRUMENT: %s", strerror(errno));
	for (size_t i = 0; i < recorder->variable_count; i++) {
		const struct app_variable *v = &recorder->variables[i];

		if (setenv(v->name, v->value, 1))
			return err_set(err, ERR_NOMEM, "%s: %s", v->name, strerror(errno));
	}
	ret = append_variable("OPENCL_LAYERS", recorder->library, err);
	if (!ret && !strchr(recorder->library, ' '))
		ret = append_variable("LD_PRELOAD", recorder->library, err);
	return ret;
}

/* Only in the child: become the program. */
static _Noreturn void become(char **argv, const struct app_recorder *recorder)
{
	struct err err = { 0 };
	int code;

	if (set_environment(recorder, &err)) {
		command_say("record", "%s", err.msg);
		_exit(EXIT_FAILED);
	}
	execvp(argv[0], argv);
	code = errno;
	command_say("record", "%s: %s", argv[0], strerror(code));
	_exit(code == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE);
}

static int wait_for(pid_t child, struct err *err)
{
	int status;

	while (waitpid(child, &status, 0) < 0) {
		if (errno != EINTR)
			return err_set(err, ERR_IO, "waiting for the program: %s", strerror(errno));
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* What we do with signals while the program runs. Who started us may have SIGCHLD ignored: then
 * there would be no status to wait for. */
static const struct {
	int number;
	void (*handler)(int number);
} signals[] = { { SIGINT, SIG_IGN }, { SIGQUIT, SIG_IGN }, { SIGCHLD, SIG_DFL } };

enum { SIGNAL_COUNT = sizeof(signals) / sizeof(signals[0]) };

static void take_signals(struct sigaction before[SIGNAL_COUNT])
{
	for (size_t i = 0; i < SIGNAL_COUNT; i++) {
		struct sigaction ours = { .sa_handler = signals[i].handler };

		sigaction(signals[i].number, &ours, &before[i]);
	}
}

static void give_signals_back(const struct sigaction before[SIGNAL_COUNT])
{
	for (size_t i = 0; i < SIGNAL_COUNT; i++)
		sigaction(signals[i].number, &before[i], NULL);
}

int app_run(char **argv, const struct app_recorder *recorder, struct err *err)
{
	struct sigaction before[SIGNAL_COUNT];
	pid_t child;
	int ret;

	take_signals(before);
	child = fork();
	if (!child) {
		give_signals_back(before);
		become(argv, recorder);
	}
	ret = child < 0 ? err_set(err, ERR_IO, "the program cannot be started: %s", strerror(errno))
	                : wait_for(child, err);
	give_signals_back(before);
	return ret;
}
