/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library to be preloaded behind libwarpline.so, in a program that runs on a real driver: of the
 * calls that libwarpline.so makes, of libc as fault_points.def lists them and of OpenCL, one fails.
 *
 *   REAL_FAULTS_AT=N      the number of that call, from 0; without it none fails
 *   REAL_FAULTS_LOG=FILE  gets the name of the call that failed, or without N of every call, a line
 *                         each
 *
 * Whose calls they are is told by the address they return to. So what libjansson, libc and the
 * driver allocate themselves never fails (jansson 2.14 calls abort() when memory ends in its
 * parser), nor do functions of OpenCL's extensions.
 */
#define CL_HOOK CL_API
#include "opencl.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static uintptr_t begin, end; /* of libwarpline.so */
static atomic_size_t calls;
static size_t fail_at = SIZE_MAX;
static int log_fd = -1;

static int find_library(struct dl_phdr_info *info, size_t size, void *data)
{
	if (!strstr(info->dlpi_name, "/libwarpline.so"))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

		if (info->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		if (!begin || from < begin)
			begin = from;
		if (from + info->dlpi_phdr[i].p_memsz > end)
			end = from + info->dlpi_phdr[i].p_memsz;
	}
	return 1;
}

__attribute__((constructor)) static void start(void)
{
	const char *number = getenv("REAL_FAULTS_AT"), *path = getenv("REAL_FAULTS_LOG");

	if (number)
		fail_at = strtoull(number, NULL, 10);
	if (path)
		log_fd = (int)syscall(SYS_openat, AT_FDCWD, path,
		                      O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	dl_iterate_phdr(find_library, NULL);
}

/* A line at once, so that those of several threads do not mix. */
static void tell(const char *name)
{
	char line[64];
	int length = snprintf(line, sizeof(line), "%s\n", name);

	if (log_fd >= 0)
		(void)syscall(SYS_write, log_fd, line, (size_t)length);
}

/* Whether this call is the one; `back` is where it returns to. */
static int fails(const char *name, const void *back)
{
	uintptr_t address = (uintptr_t)back;
	int is_the_one;

	if (address < begin || address >= end)
		return 0;
	is_the_one = atomic_fetch_add(&calls, 1) == fail_at;
	if (is_the_one || fail_at == SIZE_MAX)
		tell(name);
	return is_the_one;
}

/* A stream is closed even when its last bytes could not be written. */
static void fault_close(FILE *file);

/* The next function of this name; libc's allocation by its other names, which nobody replaces. */
static void *find(const char *name)
{
	static const struct {
		const char *name, *same;
	} rows[] = {
		{ "malloc", "__libc_malloc" },
		{ "calloc", "__libc_calloc" },
		{ "realloc", "__libc_realloc" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strcmp(name, rows[i].name) == 0)
			name = rows[i].same;
	return dlsym(RTLD_NEXT, name);
}

#pragma GCC diagnostic ignored "-Wpedantic" /* return of a void expression */
#pragma GCC diagnostic ignored "-Wshadow"   /* errcode_ret, below */
/* NOLINTBEGIN(readability-function-size): the parameters are others' */
#define FAULT(type, name, params, args, failure, error)                                            \
	EXPORT type fault_##name params __asm__(#name);                                            \
	type fault_##name params                                                                   \
	{                                                                                          \
		static _Atomic(void *) next;                                                       \
		type(*call) params;                                                                \
                                                                                                   \
		if (fails(#name, __builtin_return_address(0))) {                                   \
			errno = error;                                                             \
			return failure;                                                            \
		}                                                                                  \
		if (!next)                                                                         \
			next = find(#name);                                                        \
		*(void **)(void *)&call = next;                                                    \
		return call args;                                                                  \
	}
#define OWN_FAULT(...) /* it can fail here only as libc lets it */
#include "fault_points.def"

EXPORT int fault_open(const char *path, int flags, ...) __asm__("open");

int fault_open(const char *path, int flags, ...)
{
	va_list rest;
	mode_t mode;

	va_start(rest, flags);
	mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
	va_end(rest);
	if (!fails("open", __builtin_return_address(0)))
		return openat(AT_FDCWD, path, flags, mode);
	errno = EMFILE;
	return -1;
}

static void fault_close(FILE *file)
{
	int (*call)(FILE *);

	*(void **)(void *)&call = find("fclose");
	call(file);
}

/* For calls that have no parameter of this name. */
static cl_int *const errcode_ret;

#define REFUSAL(type)                                                                              \
	(type) _Generic((type *)NULL, cl_int *: (intptr_t)CL_OUT_OF_RESOURCES, default: (intptr_t)0)

#define CL_API(type, name, params, args)                                                           \
	EXPORT type CL_API_CALL name params                                                        \
	{                                                                                          \
		static _Atomic(void *) next;                                                       \
		type(CL_API_CALL *call) params;                                                    \
                                                                                                   \
		if (fails(#name, __builtin_return_address(0))) {                                   \
			if (errcode_ret)                                                           \
				*errcode_ret = CL_OUT_OF_RESOURCES;                                \
			return REFUSAL(type);                                                      \
		}                                                                                  \
		if (!next)                                                                         \
			next = find(#name);                                                        \
		*(void **)(void *)&call = next;                                                    \
		return call args;                                                                  \
	}
#include "opencl_api.def"
/* NOLINTEND(readability-function-size) */
