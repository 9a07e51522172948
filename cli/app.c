/* SPDX-License-Identifier: Apache-2.0 */
#include "app.h"

#include "command.h"
#include "err.h"
#include "str.h"
#include "work_clock.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
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

/* What a file is good for; one that can be started is kept in *path. */
static int try_file(char *file, char **path)
{
	int found = file ? check_path(file) : EXIT_NOT_FOUND;

	if (found == EXIT_DONE && path)
		*path = file;
	else
		free(file);
	return found;
}

/* The best answer over the directories of PATH. */
static int check_in_path(const char *name, char **path, struct err *err)
{
	const char *dirs = getenv("PATH");
	char *copy = str_copy(dirs ? dirs : "/bin:/usr/bin", err), *rest = copy, *dir;
	int best = EXIT_NOT_FOUND;

	if (!copy)
		return ERR_NOMEM;
	while (best != EXIT_DONE && (dir = strsep(&rest, ":"))) {
		int found = try_file(str_format(err, "%s/%s", *dir ? dir : ".", name), path);

		if (found != EXIT_NOT_FOUND)
			best = found;
	}
	free(copy);
	return best;
}

int app_check(const char *name, char **path, struct err *err)
{
	int found;

	if (path)
		*path = NULL;
	found = strchr(name, '/') ? try_file(str_copy(name, err), path)
	                          : check_in_path(name, path, err);
	if (found == EXIT_NOT_FOUND)
		err_set(err, ERR_USAGE, "%s: there is no such program", name);
	else if (found == EXIT_NOT_EXECUTABLE)
		err_set(err, ERR_USAGE, "%s: is not a program that can be started", name);
	return found;
}

/* What we do with signals while the program runs. Who started us may have SIGCHLD ignored: then
 * there would be no status to wait for. */
static const struct {
	int number;
	void (*handler)(int number);
} signals[] = { { SIGINT, SIG_IGN }, { SIGQUIT, SIG_IGN }, { SIGCHLD, SIG_DFL } };

enum { SIGNAL_COUNT = sizeof(signals) / sizeof(signals[0]) };

/* As they were before. */
struct signals_before {
	struct sigaction actions[SIGNAL_COUNT];
	sigset_t mask;
};

/* What is held back, and waited for: the child's end, and with a watch also what ends us. */
static void signals_to_await(sigset_t *awaited, const struct app_watch *watch)
{
	sigemptyset(awaited);
	sigaddset(awaited, SIGCHLD);
	if (!watch->look)
		return;
	sigaddset(awaited, SIGTERM);
	sigaddset(awaited, SIGHUP);
}

static void take_signals(struct signals_before *before, const struct app_watch *watch)
{
	sigset_t awaited;

	for (size_t i = 0; i < SIGNAL_COUNT; i++) {
		struct sigaction ours = { .sa_handler = signals[i].handler };

		sigaction(signals[i].number, &ours, &before->actions[i]);
	}
	signals_to_await(&awaited, watch);
	sigprocmask(SIG_BLOCK, &awaited, &before->mask);
}

static void give_signals_back(const struct signals_before *before)
{
	for (size_t i = 0; i < SIGNAL_COUNT; i++)
		sigaction(signals[i].number, &before->actions[i], NULL);
	sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

/* Only in the child: become the program. */
static _Noreturn void become(char **argv, const struct app_terms *terms)
{
	int code;

	for (size_t i = 0; i < terms->variable_count; i++) {
		const struct app_variable *v = &terms->variables[i];

		if (setenv(v->name, v->value, 1)) {
			command_say("record", "%s: %s", v->name, strerror(errno));
			_exit(EXIT_FAILED);
		}
	}
	execvp(argv[0], argv);
	code = errno;
	command_say("record", "%s: %s", argv[0], strerror(code));
	_exit(code == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE);
}

/* Sleep until a child has changed or it is time to look. A signal that is to end this process does
 * so when the watch has stopped. */
static void sleep_for(const struct app_watch *watch, const sigset_t *awaited)
{
	const struct timespec time = { watch->every_ms / 1000,
		                       (long)(watch->every_ms % 1000) * 1000000 };
	int number = sigtimedwait(awaited, NULL, &time);
	sigset_t fatal;

	if (number < 0 || number == SIGCHLD)
		return;
	watch->stop(watch->context);
	sigemptyset(&fatal);
	sigaddset(&fatal, number);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &fatal, NULL);
	sigprocmask(SIG_BLOCK, &fatal, NULL);
}

static int wait_for(pid_t child, const struct app_watch *watch, int *status, struct err *err)
{
	sigset_t awaited;

	signals_to_await(&awaited, watch);
	for (;;) {
		pid_t ended = waitpid(child, status, watch->look ? WNOHANG : 0);

		if (ended == child)
			return 0;
		if (ended < 0 && errno != EINTR)
			return err_set(err, ERR_IO, "waiting for the program: %s", strerror(errno));
		if (watch->look) {
			sleep_for(watch, &awaited);
			watch->look(watch->context);
		}
	}
}

int app_run(char **argv, const struct app_terms *terms, struct app_end *end, struct err *err)
{
	struct signals_before before;
	uint64_t begun = work_clock_now();
	pid_t child;
	int status = 0, ret;

	take_signals(&before, &terms->watch);
	child = fork();
	if (!child) {
		give_signals_back(&before);
		become(argv, terms);
	}
	ret = child < 0 ? err_set(err, ERR_IO, "the program cannot be started: %s", strerror(errno))
	                : wait_for(child, &terms->watch, &status, err);
	give_signals_back(&before);
	end->ran_ns = work_clock_now() - begun;
	end->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return ret;
}
