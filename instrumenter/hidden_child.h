/*
 * hidden_child - a program started so that the application cannot see it among its children.
 *
 * A copy of this process stands between the two and only waits. Its end sends no signal, so
 * waitpid(-1) and wait() of the application skip it (except with __WALL and __WCLONE) and no
 * SIGCHLD comes; a process that has called execve() would be an ordinary child. The status is not
 * lost when the application ignores SIGCHLD. Both processes show in /proc.
 *
 * The program has a process group of its own, which is killed when its time is over, or when this
 * process ends before it. Processes that it leaves running delay nothing.
 */
#ifndef HIDDEN_CHILD_H
#define HIDDEN_CHILD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct hidden_child {
	const char *program; /* with a slash, or looked for in PATH */
	char *const *argv, *const *environment;
	const char *folder; /* to go to first, or NULL */
	int output;         /* file for its standard output and error; its input is empty */
	uint64_t limit_ns;  /* of its time; 0: none */
};

struct hidden_end; /* what it came to, in memory shared with the process between */

struct hidden_process {
	pid_t between;
	int handle; /* of the process between, or -1 where there is no such thing */
	struct hidden_end *end;
};

/*
 * Start it with no signal masked, no handlers, and SIGCHLD and SIGPIPE as a fresh program has them.
 * Returns 0, or the errno of what failed. hidden_child_wait() is then to follow.
 */
int hidden_child_start(struct hidden_process *p, const struct hidden_child *c);

/*
 * Read what it writes until its end, from the other end of its output, a pipe that is made
 * non-blocking. Keeps the first `room` bytes; returns how many there are.
 */
size_t hidden_child_read(const struct hidden_process *p, int fd, char *bytes, size_t room);

/* Wait for its end: the exit status, 128 + signal, or -1 when it is not known. *error is the errno
 * of what failed before the program ran, ETIMEDOUT when its time was over, or 0. */
int hidden_child_wait(struct hidden_process *p, int *error);

#endif
