/*
 * peak_memory - the peak of this process' resident memory (Linux), for tests of how much memory
 * something takes.
 */
#ifndef PEAK_MEMORY_H
#define PEAK_MEMORY_H

#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What sanitizers keep of freed memory is no measure. */
static inline bool peak_memory_is_measured(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	return false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
	return false;
#else
	return true;
#endif
#else
	return true;
#endif
}

/* A number of /proc/self/status in KB; 0 when it is not there. */
static inline long peak_memory_status_kb(const char *name)
{
	FILE *file = fopen("/proc/self/status", "re");
	char line[128];
	long kb = 0;

	while (file && !kb && fgets(line, sizeof(line), file))
		if (!strncmp(line, name, strlen(name)))
			kb = strtol(line + strlen(name), NULL, 10);
	if (file)
		fclose(file);
	return kb;
}

static inline long peak_memory_now_kb(void)
{
	return peak_memory_status_kb("VmRSS:");
}

static inline long peak_memory_kb(void)
{
	return peak_memory_status_kb("VmHWM:");
}

/* Let the peak be what is resident now; false when that cannot be done. */
static inline bool peak_memory_begin(void)
{
	FILE *file = fopen("/proc/self/clear_refs", "we");
	bool is_done;

	malloc_trim(0);
	is_done = file && fputs("5", file) >= 0;
	if (file)
		is_done = !fclose(file) && is_done;
	return is_done && peak_memory_kb() && peak_memory_now_kb();
}

#endif
