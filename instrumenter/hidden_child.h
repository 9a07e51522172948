/*
 * hidden_child - a program started so that the application does not see it among its children.
 *
 * An intermediate process, a copy of this one, stands between the two and only waits. Its end sends
 * no signal, so the application's waitpid(-1) and wait() skip it (except with __WALL and __WCLONE)
 * and no SIGCHLD arrives; a process that has called execve() would be an ordinary child. The status
 * is not lost when the application ignores SIGCHLD. Both processes are visible in /proc.
 *
 * The program has its own process group, which is killed when its time is up, or when this process
 * ends first. Processes that the program leaves running delay nothing.
 */
#ifndef HIDDEN_CHILD_H
#define HIDDEN_CHILD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct hidden_child {
	const char *program; /* with a slash, or searched for in PATH */
	char *const *argv, *const *environment;
	const char *folder; /* working directory, or NULL */
	int output;         /* file for its standard output and error; its input is empty */
	uint64_t limit_ns;  /* its time limit; 0: none */
};

struct hidden_end; /* its result, in memory shared with the intermediate process */

struct hidden_process {
	pid_t between;
	int handle; /* of the intermediate process, or -1 where the system has no such handle */
	struct hidden_end *end;
};

/*
 * Start it with no signal masked, no handlers, and SIGCHLD and SIGPIPE as in a fresh program.
 * Returns 0, or the errno of what failed. Must be followed by hidden_child_wait().
 */
int hidden_child_start(struct hidden_process *p, const struct hidden_child *c);

/*
 * Read its output to the end, through fd, the other end of a pipe, which is made non-blocking.
 * Keeps the first `room` bytes; returns how many were kept.
 */
size_t hidden_child_read(const struct hidden_process *p, int fd, char *bytes, size_t room);

/* Wait for it to end: returns the exit status, 128 + signal, or -1 when it is not known. *error is
 * the errno of what failed before the program ran, ETIMEDOUT when its time was up, or 0. */
int hidden_child_wait(struct hidden_process *p, int *error);

#endif
