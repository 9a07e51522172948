/* SPDX-License-Identifier: Apache-2.0 */
#include "hidden_child.h"
#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Enough for the search in PATH, which keeps paths on the stack. */
#define STACK_BYTES ((size_t)256 << 10)
/* How often to check whether the intermediate process is alive, where it has no handle. */
#define LOOK_MS 10
/* Sent to the intermediate process when the application's thread has ended. */
#define PARENT_SIGNAL SIGUSR1
#define NS_PER_SECOND UINT64_C(1000000000)

struct hidden_end {
	const struct hidden_child *command;
	pid_t parent; /* the application */
	int error;    /* errno of what failed before the program ran */
	int status;   /* what hidden_child_wait() returns */
};

/* No handlers: those are the application's and would run in its memory. */
static void reset_signals(void)
{
	sigset_t none;

	for (int number = 1; number < NSIG; number++) {
		struct sigaction action;

		if (sigaction(number, NULL, &action))
			continue;
		if (number != SIGCHLD && number != SIGPIPE && action.sa_handler == SIG_IGN)
			continue;
		action = (struct sigaction){ .sa_handler = SIG_DFL };
		(void)sigaction(number, &action, NULL);
	}
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Move it above the standard descriptors first: the pipe may have taken one that the application
 * had closed. */
static int set_files(int given)
{
	int output = fcntl(given, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	int input = output < 0 ? -1 : open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (input < 0 || dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0)
		return -1;
	return input == STDIN_FILENO ? fcntl(input, F_SETFD, 0) : dup2(input, STDIN_FILENO);
}

/* _exit() without the work that sanitizers add: they take locks that threads outside this process
 * may hold. */
__attribute__((noreturn)) static void leave(int status)
{
	for (;;)
		syscall(SYS_exit_group, status);
}

/* AddressSanitizer would look for this stack where the thread's own is. */
__attribute__((no_sanitize_address)) static int begin(void *end)
{
	struct hidden_end *e = end;
	const struct hidden_child *c = e->command;

	reset_signals();
	(void)setpgid(0, 0);
	if (set_files(c->output) >= 0 && (!c->folder || chdir(c->folder) == 0))
		execvpe(c->program, c->argv, c->environment);
	e->error = errno;
	leave(127);
}

/* Start the program's process. ThreadSanitizer's clone() takes a lock, which a thread outside this
 * process may hold; under it, a copy of the memory must do. */
__attribute__((no_sanitize_address)) static pid_t start(struct hidden_end *e, char *stack)
{
#ifdef __SANITIZE_THREAD__
	pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);

	(void)stack;
	return child ? child : begin(e);
#else
	return clone(begin, stack + STACK_BYTES, CLONE_VM | CLONE_VFORK | SIGCHLD, e);
#endif
}

/* Sleep until a child ends, the parent ends, or the clock reaches `until`; 0: no time limit. */
static void sleep_until(uint64_t until)
{
	uint64_t now = until ? clock_now_ns() : 0;
	uint64_t left = until > now ? until - now : 0;
	const struct timespec time = { (time_t)(left / NS_PER_SECOND),
		                       (long)(left % NS_PER_SECOND) };
	sigset_t wakes;

	sigemptyset(&wakes);
	sigaddset(&wakes, SIGCHLD);
	sigaddset(&wakes, PARENT_SIGNAL);
	(void)sigtimedwait(&wakes, NULL, until ? &time : NULL);
}

/* Wait for the program, however long it takes. Runs in the intermediate process with all signals
 * masked. */
static void watch_over(struct hidden_end *e, pid_t child)
{
	uint64_t limit = e->command->limit_ns, until = limit ? clock_now_ns() + limit : 0;
	int status;
	pid_t ended;

	(void)prctl(PR_SET_PDEATHSIG, PARENT_SIGNAL);
	while ((ended = waitpid(child, &status, WNOHANG | __WALL)) != child) {
		if (ended < 0 && errno != EINTR)
			return;
		if (getppid() != e->parent || (until && clock_now_ns() >= until)) {
			e->error = ETIMEDOUT;
			until = 0;
			(void)kill(-child, SIGKILL);
			(void)kill(child, SIGKILL);
		}
		sleep_until(until);
	}
	e->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The intermediate process. It has no other thread, so nothing here may take a lock. */
__attribute__((noreturn, no_sanitize_address)) static void stand_between(struct hidden_end *e,
                                                                         char *stack)
{
	const struct sigaction fresh = { .sa_handler = SIG_DFL };
	pid_t child;

	(void)sigaction(SIGCHLD, &fresh, NULL);
	child = start(e, stack);
	if (child < 0)
		e->error = errno;
	/* The application's files must not stay open for this process; nor the pipe. */
	if (syscall(SYS_close_range, 0u, ~0u, 0u))
		close(e->command->output);
	if (child >= 0)
		watch_over(e, child);
	leave(0);
}

static void *map(size_t bytes, int kind)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

static void unmap(void *at, size_t bytes)
{
	if (at)
		munmap(at, bytes);
}

int hidden_child_start(struct hidden_process *p, const struct hidden_child *c)
{
	struct hidden_end *end = map(sizeof(*end), MAP_SHARED);
	char *stack = map(STACK_BYTES, MAP_PRIVATE);
	sigset_t all, before;
	int error = 0;

	if (end && stack) {
		*end = (struct hidden_end){ .command = c, .parent = getpid(), .status = -1 };
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &before);
		/* Like fork(), but without its handlers, and without a signal at the end. */
		p->between = (pid_t)syscall(SYS_clone, 0, NULL, NULL, NULL, NULL);
		if (p->between == 0)
			stand_between(end, stack);
		error = p->between < 0 ? errno : 0;
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	} else {
		error = ENOMEM;
	}
	unmap(stack, STACK_BYTES);
	if (error)
		unmap(end, sizeof(*end));
	p->end = error ? NULL : end;
	p->handle = error ? -1 : (int)syscall(SYS_pidfd_open, p->between, 0);
	return error;
}

/* Whether the intermediate process is alive; its status is left to hidden_child_wait(). */
static bool is_there(const struct hidden_process *p)
{
	siginfo_t info = { .si_pid = 0 };

	return waitid(P_PID, (id_t)p->between, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0 &&
	       !info.si_pid;
}

/* Read what is available and keep what fits. Returns false when nothing more will come. */
static bool read_some(int fd, char *bytes, size_t room, size_t *kept)
{
	char chunk[512];
	ssize_t got;

	while ((got = read(fd, chunk, sizeof(chunk))) > 0) {
		size_t take = (size_t)got < room - *kept ? (size_t)got : room - *kept;

		memcpy(bytes + *kept, chunk, take);
		*kept += take;
	}
	return got < 0 && (errno == EAGAIN || errno == EINTR);
}

size_t hidden_child_read(const struct hidden_process *p, int fd, char *bytes, size_t room)
{
	struct pollfd files[] = { { p->handle, POLLIN, 0 }, { fd, POLLIN, 0 } };
	bool is_alive = true;
	size_t kept = 0;

	(void)fcntl(fd, F_SETFL, O_NONBLOCK);
	while (is_alive) {
		(void)poll(files, 2, p->handle < 0 ? LOOK_MS : -1);
		is_alive = p->handle < 0 ? is_there(p) : !files[0].revents;
		if (files[1].fd >= 0 && !read_some(fd, bytes, room, &kept))
			files[1].fd = -1;
	}
	return kept;
}

int hidden_child_wait(struct hidden_process *p, int *error)
{
	int status;

	while (waitpid(p->between, &status, __WALL) < 0 && errno == EINTR)
		continue;
	if (p->handle >= 0)
		close(p->handle);
	status = p->end->status;
	*error = p->end->error;
	unmap(p->end, sizeof(*p->end));
	p->end = NULL;
	return status;
}
