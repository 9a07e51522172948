/* SPDX-License-Identifier: Apache-2.0 */
#include "cache_eviction.h"

#include "array.h"
#include "str.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIMIT_ENTRIES ((size_t)1 << 20)

struct cache_entry {
	char *name;
	uint64_t bytes;
	struct timespec used;
};

static bool is_entry(const char *name)
{
	/* Or what a killed process left half written, under a longer name. */
	return strstr(name, CACHE_ENTRY_SUFFIX) != NULL;
}

static void add_entry(struct array *entries, int fd, const char *name)
{
	struct cache_entry *entry;
	struct stat st;

	if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode))
		return;
	entry = array_push(entries, 1, NULL);
	if (!entry)
		return;
	*entry = (struct cache_entry){ str_copy(name, NULL), (uint64_t)st.st_size, st.st_mtim };
	if (!entry->name)
		entries->count--;
}

static int compare_use(const void *a, const void *b)
{
	const struct cache_entry *x = a, *y = b;

	if (x->used.tv_sec != y->used.tv_sec)
		return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
	return (x->used.tv_nsec > y->used.tv_nsec) - (x->used.tv_nsec < y->used.tv_nsec);
}

static void remove_oldest(struct array *entries, int fd, uint64_t limit_bytes)
{
	struct cache_entry *entry = entries->data;
	uint64_t total = 0;

	for (size_t i = 0; i < entries->count; i++)
		total += entry[i].bytes;
	if (total <= limit_bytes)
		return;
	qsort(entry, entries->count, sizeof(*entry), compare_use);
	for (size_t i = 0; i < entries->count && total > limit_bytes / 5 * 4; i++) {
		(void)unlinkat(fd, entry[i].name, 0);
		total -= entry[i].bytes;
	}
}

void cache_evict(const char *dir, uint64_t limit_bytes)
{
	DIR *stream = opendir(dir);
	struct array entries;
	struct dirent *next;

	if (!stream)
		return;
	array_init(&entries, sizeof(struct cache_entry), LIMIT_ENTRIES, "cache entries");
	while ((next = readdir(stream)))
		if (is_entry(next->d_name))
			add_entry(&entries, dirfd(stream), next->d_name);
	if (entries.count)
		remove_oldest(&entries, dirfd(stream), limit_bytes);
	for (size_t i = 0; i < entries.count; i++)
		free(((struct cache_entry *)entries.data)[i].name);
	array_release(&entries);
	closedir(stream);
}
