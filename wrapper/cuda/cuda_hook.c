/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_hook.h"

#include <string.h>

struct hook_row {
	const char *symbol, *asked;
	bool is_per_thread;
	int since, until;
	void (*call)(void);
};

static const struct hook_row rows[] = {
#define CUDA_HOOK(name, asked, is_per_thread, since, until, params, args)                          \
	{ #name, asked, is_per_thread, since, until, (void (*)(void))hook_##name },
#define CUDA_CALL(name, params)
#include "cuda_api.def"
};

#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

/* A function as the address that dlsym() would give. */
static void *address_of(const struct hook_row *row)
{
	void *address;

	memcpy(&address, &row->call, sizeof(address));
	return address;
}

void *cuda_hook_of_symbol(const char *name)
{
	/* Most names that are looked up are no CUDA names at all. */
	if (name[0] != 'c' || name[1] != 'u')
		return NULL;
	for (size_t i = 0; i < ROW_COUNT; i++)
		if (!strcmp(rows[i].symbol, name))
			return address_of(&rows[i]);
	return NULL;
}

/* Whether `asked` has a row of its own for per-thread streams; the others do not know streams. */
static bool has_per_thread(const char *asked)
{
	for (size_t i = 0; i < ROW_COUNT; i++)
		if (rows[i].is_per_thread && !strcmp(rows[i].asked, asked))
			return true;
	return false;
}

void *cuda_hook_asked(const char *name, int version, uint64_t flags)
{
	bool is_per_thread = (flags & CUDA_PROC_ADDRESS_PER_THREAD) && has_per_thread(name);

	for (size_t i = 0; i < ROW_COUNT; i++)
		if (!strcmp(rows[i].asked, name) && rows[i].is_per_thread == is_per_thread &&
		    version >= rows[i].since && version < rows[i].until)
			return address_of(&rows[i]);
	return NULL;
}
