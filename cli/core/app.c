/* SPDX-License-Identifier: Apache-2.0 */
#include "app.h"

#include "clock.h"
#include "err.h"
#include "say.h"
#include "str.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Returns EXIT_DONE for a file that may be executed, EXIT_NOT_FOUND if there is none. */
static int check_path(const char *path)
{
	struct stat facts;

	if (stat(path, &facts))
		return errno == EACCES ? EXIT_NOT_EXECUTABLE : EXIT_NOT_FOUND;
	if (!S_ISREG(facts.st_mode) || access(path, X_OK))
		return EXIT_NOT_EXECUTABLE;
	return EXIT_DONE;
}

/* check_path() for a file on the heap; *path takes ownership of it if it can be started. */
static int try_file(char *file, char **path)
{
	int found = file ? check_path(file) : EXIT_NOT_FOUND;

	if (found == EXIT_DONE && path)
		*path = file;
	else
		free(file);
	return found;
}

/* The best result over the directories of PATH. */
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
		err_set(err, ERR_USAGE, "%s: no such program", name);
	else if (found == EXIT_NOT_EXECUTABLE)
		err_set(err, ERR_USAGE, "%s: not an executable file", name);
	return found;
}

/* Signals to this process that are meant for the program. */
static const int passed_on[] = { SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2 };

enum { PASSED_ON_COUNT = sizeof(passed_on) / sizeof(passed_on[0]) };

/* The dispositions to restore. */
struct signals_before {
	struct sigaction child_ended;
	sigset_t mask;
};

/* The signals that are blocked and waited for: the child's end, and those for the program. */
static void signals_to_await(sigset_t *awaited)
{
	sigemptyset(awaited);
	sigaddset(awaited, SIGCHLD);
	for (size_t i = 0; i < PASSED_ON_COUNT; i++)
		sigaddset(awaited, passed_on[i]);
}

/* the parent may ignore SIGCHLD: then there would be no status to wait for */
static void take_signals(struct signals_before *before)
{
	const struct sigaction fresh = { .sa_handler = SIG_DFL };
	sigset_t awaited;

	sigaction(SIGCHLD, &fresh, &before->child_ended);
	signals_to_await(&awaited);
	sigprocmask(SIG_BLOCK, &awaited, &before->mask);
}

static void give_signals_back(const struct signals_before *before)
{
	sigaction(SIGCHLD, &before->child_ended, NULL);
	sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

/* The program has ended: signals meant for it must not end us before we report. */
static void drop_signals(void)
{
	const struct timespec at_once = { 0, 0 };
	sigset_t awaited;

	signals_to_await(&awaited);
	while (sigtimedwait(&awaited, NULL, &at_once) > 0)
		continue;
}

/* Only in the child: become the program. */
static _Noreturn void become(char **argv, const struct app_terms *terms)
{
	int code;

	for (size_t i = 0; i < terms->variable_count; i++) {
		const struct app_variable *v = &terms->variables[i];

		if (setenv(v->name, v->value, 1)) {
			say_line("record", "%s: %s", v->name, strerror(errno));
			_exit(EXIT_FAILED);
		}
	}
	execvp(argv[0], argv);
	code = errno;
	say_line("record", "%s: %s", argv[0], strerror(code));
	_exit(code == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE);
}

/*
 * Whether to pass the signal on. A terminal (SI_KERNEL) sends its signals to the program as well,
 * and a signal that the program sends to its parent is not for the program.
 */
static bool is_to_pass_on(const siginfo_t *info, pid_t child)
{
	return info->si_signo != SIGCHLD && info->si_code != SI_KERNEL && info->si_pid != child;
}

/* Sleep until a signal arrives or the watch is due. */
static void sleep_for(pid_t child, const struct app_watch *watch)
{
	const struct timespec time = { watch->every_ms / 1000,
		                       (long)(watch->every_ms % 1000) * 1000000 };
	sigset_t awaited;
	siginfo_t info;
	int number;

	signals_to_await(&awaited);
	number = watch->look ? sigtimedwait(&awaited, &info, &time) : sigwaitinfo(&awaited, &info);
	if (number > 0 && is_to_pass_on(&info, child))
		(void)kill(child, number);
}

static int wait_for(pid_t child, const struct app_watch *watch, int *status, struct err *err)
{
	for (;;) {
		pid_t ended = waitpid(child, status, WNOHANG);

		if (ended == child)
			return 0;
		if (ended < 0 && errno != EINTR)
			return err_set(err, ERR_IO, "waiting for the program: %s", strerror(errno));
		sleep_for(child, watch);
		if (watch->look)
			watch->look(watch->context);
	}
}

int app_run(char **argv, const struct app_terms *terms, struct app_end *end, struct err *err)
{
	struct signals_before before;
	uint64_t begun = clock_now_ns();
	pid_t child;
	int status = 0, ret;

	take_signals(&before);
	child = fork();
	if (!child) {
		give_signals_back(&before);
		become(argv, terms);
	}
	ret = child < 0 ? err_set(err, ERR_IO, "the program cannot be started: %s", strerror(errno))
	                : wait_for(child, &terms->watch, &status, err);
	drop_signals();
	give_signals_back(&before);
	end->ran_ns = clock_now_ns() - begun;
	end->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return ret;
}
