/* SPDX-License-Identifier: Apache-2.0 */
#include "fault_points.h"
#include "hidden_child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_size_t calls, fail_at = SIZE_MAX;
static atomic_bool is_armed;
static _Atomic(const char *) failed;

void fault_points_arm(size_t number)
{
	calls = 0;
	fail_at = number;
	failed = NULL;
	is_armed = true;
}

void fault_points_disarm(void)
{
	is_armed = false;
}

const char *fault_points_failed(void)
{
	return failed;
}

/* Whether this call is the one. */
static bool fails(const char *name)
{
	if (!is_armed || atomic_fetch_add(&calls, 1) != fail_at)
		return false;
	failed = name;
	return true;
}

/* A stream is closed even when its last bytes could not be written. */
static void fault_close(FILE *file);

/* What the linker's --wrap=name makes of name() and of __wrap_name(). */
/* NOLINTBEGIN(bugprone-reserved-identifier,readability-function-size) */
#define FAULT(type, name, params, args, failure, error)                                            \
	type __real_##name params;                                                                 \
	type __wrap_##name params;                                                                 \
	type __wrap_##name params                                                                  \
	{                                                                                          \
		if (!fails(#name))                                                                 \
			return __real_##name args;                                                 \
		errno = error;                                                                     \
		return failure;                                                                    \
	}
#include "fault_points.def"

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);

int __wrap_open(const char *path, int flags, ...)
{
	va_list rest;
	mode_t mode;

	va_start(rest, flags);
	mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
	va_end(rest);
	if (!fails("open"))
		return __real_open(path, flags, mode);
	errno = EMFILE;
	return -1;
}

static void fault_close(FILE *file)
{
	__real_fclose(file);
}
/* NOLINTEND(bugprone-reserved-identifier,readability-function-size) */
