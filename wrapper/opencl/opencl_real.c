/* SPDX-License-Identifier: Apache-2.0 */
#include "array.h"
#include "launch_notice.h"
#include "opencl.h"
#include "recorder.h"
#include "session.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static struct opencl_real next_library; /* filled once, by resolve() */

static pthread_once_t once = PTHREAD_ONCE_INIT;

static _Atomic(const struct opencl_real *) chosen;

/* The table and the Khronos headers must agree, or this file does not compile. */
#define CL_API(type, name, params, args)                                                           \
	_Static_assert(                                                                            \
		__builtin_types_compatible_p(__typeof__(&(name)), __typeof__(next_library.name)),  \
		#name " differs from CL/cl.h");

#include "opencl_api.def"

void *opencl_real_find(const char *name)
{
	void *address = dlsym(RTLD_NEXT, name);
	void *library = address ? NULL : dlopen("libOpenCL.so.1", RTLD_LAZY | RTLD_NOLOAD);

	/* The library stays loaded: the addresses are kept. */
	return library ? dlsym(library, name) : address;
}

static void resolve(void)
{
#define CL_API(type, name, params, args)                                                           \
	*(void **)(void *)&next_library.name = opencl_real_find(#name);
#include "opencl_api.def"
}

const struct opencl_real *opencl_real(void)
{
	const struct opencl_real *real = atomic_load_explicit(&chosen, memory_order_acquire);

	if (real)
		return real;
	pthread_once(&once, resolve);
	return &next_library;
}

void opencl_real_retain_event(cl_event event)
{
	const struct opencl_real *real = opencl_real();
	int tries = 3;

	while (tries-- && real->clRetainEvent(event) != CL_SUCCESS)
		continue;
}

#define MOST_DEVICES 64
#define LAST_KNOWN   CL_MAKE_VERSION(0, 9, 4)

static bool is_known(cl_device_id device)
{
	const struct opencl_real *real = opencl_real();
	size_t bytes = 0, count;
	cl_name_version *list;
	bool is_known = true;

	if (real->clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, 0, NULL, &bytes))
		return false;
	count = bytes / sizeof(*list);
	list = array_alloc(count, sizeof(*list), "extensions", NULL);
	if (!list)
		return false;
	if (real->clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, count * sizeof(*list),
	                          list, NULL))
		is_known = false;
	for (size_t i = 0; is_known && i < count; i++)
		if (strncmp(list[i].name, CL_KHR_COMMAND_BUFFER_EXTENSION_NAME,
		            sizeof(list[i].name)) == 0)
			is_known = list[i].version <= LAST_KNOWN;
	free(list);
	return is_known;
}

/* Whether all devices of the platform report a revision that we know. */
static bool command_buffer_version_is_known(cl_platform_id platform)
{
	cl_device_id devices[MOST_DEVICES];
	cl_uint count = 0;

	if (opencl_real()->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST_DEVICES, devices,
	                                  &count) ||
	    count > MOST_DEVICES)
		return false;
	for (cl_uint i = 0; i < count; i++)
		if (!is_known(devices[i]))
			return false;
	return count > 0;
}

/*
 * One table for each platform, filled when a call first needs one and never changed again. Two
 * threads may fill a table for the same platform: they are equal, and the first one counts.
 */

#define MOST_PLATFORMS 32

enum { FREE, TAKEN, READY };

struct platform_ext {
	_Atomic int state;
	bool has_known_commands; /* clCommand...KHR() have the parameters of the table */
	cl_platform_id platform;
	struct opencl_ext calls;
};

static struct platform_ext tables[MOST_PLATFORMS];

static atomic_bool knows_all, gave_unknown_command;

/* The table and the Khronos headers must agree, or this file does not compile. Headers that define
 * this version have other parameters for clCommand...KHR(), so with them nothing is checked here;
 * the driver's form is found out when the program runs. */
#ifndef CL_KHR_COMMAND_BUFFER_EXTENSION_VERSION
#define CL_EXT(type, name, params, args)                                                           \
	_Static_assert(                                                                            \
		__builtin_types_compatible_p(__typeof__(&(name)), __typeof__(tables->calls.name)), \
		#name " differs from CL/cl_ext.h");

#include "opencl_api.def"
#endif

static bool is_ready(struct platform_ext *table)
{
	return atomic_load_explicit(&table->state, memory_order_acquire) == READY;
}

static void know(cl_platform_id platform)
{
	const struct opencl_real *real = opencl_real();
	struct opencl_ext calls;
	bool has_known_commands;

	for (int i = 0; i < MOST_PLATFORMS; i++)
		if (is_ready(&tables[i]) && tables[i].platform == platform)
			return;
#define CL_EXT(type, name, params, args)                                                           \
	*(void **)(void *)&calls.name =                                                            \
		real->clGetExtensionFunctionAddressForPlatform(platform, #name);
#include "opencl_api.def"
	has_known_commands =
		!calls.clCreateCommandBufferKHR || command_buffer_version_is_known(platform);
	for (int i = 0; i < MOST_PLATFORMS; i++) {
		int expected = FREE;

		if (!atomic_compare_exchange_strong(&tables[i].state, &expected, TAKEN))
			continue;
		tables[i].platform = platform;
		tables[i].calls = calls;
		tables[i].has_known_commands = has_known_commands;
		atomic_store_explicit(&tables[i].state, READY, memory_order_release);
		return;
	}
}

static void know_all(void)
{
	const struct opencl_real *real = opencl_real();
	cl_platform_id platforms[MOST_PLATFORMS];
	cl_uint count = 0;

	if (atomic_load_explicit(&knows_all, memory_order_acquire))
		return;
	if (!real->clGetExtensionFunctionAddressForPlatform ||
	    real->clGetPlatformIDs(MOST_PLATFORMS, platforms, &count))
		return;
	for (cl_uint i = 0; i < count && i < MOST_PLATFORMS; i++)
		know(platforms[i]);
	atomic_store_explicit(&knows_all, true, memory_order_release);
}

/* Returns what the loader reads: every object begins with the address of its driver's calls. */
static const void *dispatch_of(const void *handle)
{
	const void *dispatch;

	memcpy((void *)&dispatch, handle, sizeof(dispatch));
	return dispatch;
}

static const struct opencl_ext *find(const void *handle)
{
	for (int i = 0; i < MOST_PLATFORMS; i++)
		if (handle && is_ready(&tables[i]) &&
		    dispatch_of(tables[i].platform) == dispatch_of(handle))
			return &tables[i].calls;
	return NULL;
}

const struct opencl_ext *opencl_ext_of(const void *handle)
{
	static const struct opencl_ext nothing;
	const struct opencl_ext *found = find(handle);

	if (found)
		return found;
	know_all();
	found = find(handle);
	if (found)
		return found;
	return is_ready(&tables[0]) ? &tables[0].calls : &nothing;
}

void opencl_real_set(const struct opencl_real *real)
{
	atomic_store_explicit(&chosen, real, memory_order_release);
	for (int i = 0; i < MOST_PLATFORMS; i++)
		atomic_store(&tables[i].state, FREE);
	atomic_store(&knows_all, false);
	atomic_store(&gave_unknown_command, false);
}

bool opencl_ext_has_given_unknown_command(void)
{
	return atomic_load_explicit(&gave_unknown_command, memory_order_acquire);
}

typedef void (*any_function)(void);

/* A call that has a hook. */
struct hooked {
	const char *name;
	any_function hook;
	size_t place; /* of the driver's, in struct opencl_real or struct opencl_ext */
	bool is_ext;
};

static const struct hooked hooked[] = {
#define CL_HOOK(type, name, params, args)                                                          \
	{ #name, (any_function)hook_##name, offsetof(struct opencl_real, name), false },
#define CL_EXT_HOOK(type, name, params, args)                                                      \
	{ #name, (any_function)hook_##name, offsetof(struct opencl_ext, name), true },
#include "opencl_api.def"
};

static const struct hooked *find_row(const char *func_name)
{
	for (size_t i = 0; i < sizeof(hooked) / sizeof(hooked[0]); i++)
		if (strcmp(func_name, hooked[i].name) == 0)
			return &hooked[i];
	return NULL;
}

/* Whether a hook would find the driver's function. */
static bool has_function(const struct hooked *row)
{
	const void *function;

	if (!row->is_ext) {
		memcpy((void *)&function, (const char *)opencl_real() + row->place,
		       sizeof(function));
		return function;
	}
	for (int i = 0; i < MOST_PLATFORMS; i++) {
		if (!is_ready(&tables[i]))
			continue;
		memcpy((void *)&function, (const char *)&tables[i].calls + row->place,
		       sizeof(function));
		if (function)
			return true;
	}
	return false;
}

static bool is_command(const char *func_name)
{
	return strncmp(func_name, "clCommand", 9) == 0;
}

/* A launch's parameters are the same in all versions. */
static bool is_versioned(const char *func_name)
{
	return is_command(func_name) && strcmp(func_name, "clCommandNDRangeKernelKHR") != 0;
}

/* Whether all platforms have the versions of these functions that our hooks are for. */
static bool are_commands_known(void)
{
	for (int i = 0; i < MOST_PLATFORMS; i++)
		if (is_ready(&tables[i]) && !tables[i].has_known_commands)
			return false;
	return true;
}

/* Returns our hook of this name, or NULL if there is none or it would not find the driver's
 * function. */
static any_function find_hook(const char *func_name)
{
	const struct hooked *row;

	if (is_versioned(func_name) && !are_commands_known())
		return NULL;
	row = find_row(func_name);
	return row && has_function(row) ? row->hook : NULL;
}

/* Returns our hook of this name if there is one, else the driver's function. */
static void *ours_or(void *theirs, const char *func_name)
{
	any_function hook = theirs ? find_hook(func_name) : NULL;

	if (theirs && !hook && is_command(func_name))
		atomic_store_explicit(&gave_unknown_command, true, memory_order_release);
	if (hook)
		memcpy((void *)&theirs, (const void *)&hook, sizeof(theirs));
	return theirs;
}

void *CL_API_CALL hook_clGetExtensionFunctionAddress(const char *func_name)
{
	void *theirs = opencl_real()->clGetExtensionFunctionAddress(func_name);

	if (theirs)
		know_all();
	return ours_or(theirs, func_name);
}

/* Note that the platform has this function: a driver may have denied it when we asked. */
static void learn(cl_platform_id platform, const char *func_name, void *theirs)
{
	const struct hooked *row = find_row(func_name);
	void **place;

	if (!row || !row->is_ext)
		return;
	for (int i = 0; i < MOST_PLATFORMS; i++) {
		if (!is_ready(&tables[i]) || tables[i].platform != platform)
			continue;
		place = (void **)(void *)((char *)&tables[i].calls + row->place);
		if (!*place)
			*place = theirs;
	}
}

/* A launch_notice. */
static void note_refused_launch(const char *reason)
{
	struct session *s = session_current();

	if (s)
		recorder_note(s->recorder, RECORDED_NOTE_LAUNCH, reason);
}

void *CL_API_CALL hook_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                                                const char *func_name)
{
	void *theirs = opencl_real()->clGetExtensionFunctionAddressForPlatform(platform, func_name);
	launch_notice ours = note_refused_launch;

	if (func_name && !strcmp(func_name, LAUNCH_NOTICE_NAME)) {
		memcpy((void *)&theirs, (const void *)&ours, sizeof(theirs));
		return theirs;
	}
	if (theirs) {
		know(platform);
		learn(platform, func_name, theirs);
	}
	return ours_or(theirs, func_name);
}
