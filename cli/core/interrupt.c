/* SPDX-License-Identifier: Apache-2.0 */
#include "interrupt.h"

#include "status_line.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { KEPT_MAX = 8, DEPTH_MAX = 4, PART_BYTES = 8192 };

static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };

enum { NUMBER_COUNT = sizeof(numbers) / sizeof(numbers[0]) };

/* Written by the main thread, with signals blocked. */
static struct {
	char paths[KEPT_MAX][PATH_MAX]; /* "": none */
	enum interrupt_kind kinds[KEPT_MAX];
	volatile sig_atomic_t has_line;
} kept;

/* As the kernel writes it. */
struct entry {
	uint64_t inode;
	int64_t offset;
	unsigned short bytes;
	unsigned char type;
	char name[];
};

static void remove_at(int folder, const char *name, bool is_dir, int depth);

static bool is_itself_or_above(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

/* Remove the contents of a folder. Only async-signal-safe calls: opendir() allocates. */
static void empty(int fd, int depth)
{
	_Alignas(struct entry) char part[PART_BYTES];
	long got;

	while ((got = syscall(SYS_getdents64, fd, part, sizeof(part))) > 0)
		for (long at = 0; at < got;) {
			const struct entry *e = (const struct entry *)(const void *)(part + at);

			if (!is_itself_or_above(e->name))
				remove_at(fd, e->name, e->type == DT_DIR, depth);
			at += e->bytes;
		}
}

/* NOLINTNEXTLINE(misc-no-recursion): at most DEPTH_MAX deep */
static void remove_at(int folder, const char *name, bool is_dir, int depth)
{
	int fd;

	if (is_dir && depth < DEPTH_MAX) {
		fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd >= 0) {
			empty(fd, depth + 1);
			close(fd);
		}
	}
	unlinkat(folder, name, is_dir ? AT_REMOVEDIR : 0);
}

static void leave(int number)
{
	const struct sigaction fatal = { .sa_handler = SIG_DFL };
	int before = errno;

	/* only the main thread creates these files, and it is stopped here */
	if (syscall(SYS_gettid) != getpid()) {
		syscall(SYS_tgkill, getpid(), getpid(), number);
		errno = before;
		return;
	}
	if (kept.has_line && write(STDERR_FILENO, STATUS_LINE_REMOVE, strlen(STATUS_LINE_REMOVE)))
		kept.has_line = 0;
	for (int i = 0; i < KEPT_MAX; i++)
		if (*kept.paths[i])
			remove_at(AT_FDCWD, kept.paths[i], kept.kinds[i] == INTERRUPT_DIR, 0);
	sigaction(number, &fatal, NULL);
	raise(number); /* delivered when this returns */
}

static void set_of_all(sigset_t *set)
{
	sigemptyset(set);
	for (int i = 0; i < NUMBER_COUNT; i++)
		sigaddset(set, numbers[i]);
}

void interrupt_begin(void)
{
	struct sigaction ours = { .sa_handler = leave, .sa_flags = SA_RESTART }, old;

	set_of_all(&ours.sa_mask);
	for (int i = 0; i < NUMBER_COUNT; i++)
		if (!sigaction(numbers[i], NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(numbers[i], &ours, NULL);
}

int interrupt_keep(const char *path, enum interrupt_kind kind)
{
	sigset_t before;
	int at = 0;

	while (at < KEPT_MAX && *kept.paths[at])
		at++;
	if (at == KEPT_MAX || strlen(path) >= PATH_MAX)
		return 0;
	interrupt_hold(&before);
	kept.kinds[at] = kind;
	memcpy(kept.paths[at], path, strlen(path) + 1);
	interrupt_let(&before);
	return at + 1;
}

void interrupt_forget(int number)
{
	if (number > 0)
		*kept.paths[number - 1] = '\0';
}

void interrupt_line(bool is_up)
{
	kept.has_line = is_up;
}

void interrupt_hold(sigset_t *before)
{
	sigset_t all;

	set_of_all(&all);
	pthread_sigmask(SIG_BLOCK, &all, before);
}

void interrupt_let(const sigset_t *before)
{
	pthread_sigmask(SIG_SETMASK, before, NULL);
}
