/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument_cache.h"

#include "array.h"
#include "err.h"
#include "file.h"
#include "line_walk.h"
#include "str.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#define LIMIT_ENTRIES ((size_t)1 << 20)

struct cache_entry {
	char *name;
	uint64_t bytes;
	struct timespec used;
};

static bool is_entry(const char *name)
{
	/* Also matches what a killed process left half-written, under a longer name. */
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

#define ENTRY_MAGIC       0x3365686361636c77u /* "wlcache3" */
#define FILE_LIMIT_BYTES  (256u << 20)
#define ENTRY_LIMIT_BYTES (600u << 20)

enum file { OUTPUT, TABLE, CUDA_TABLE, NAMES, FILES };

/*
 * The head of an entry. The contents follow one after another, beginning with the list of headers.
 */
struct entry_head {
	uint64_t magic;
	struct cache_key key;
	uint64_t headers_bytes, file_bytes[FILES];
	uint64_t checksum; /* XXH64 of what follows */
};

static const char *path_of(const struct cache_files *files, enum file file)
{
	const char *const paths[FILES] = { files->output, files->table, files->cuda_table,
		                           files->names };

	return paths[file];
}

/* Make a folder and its parents. */
static bool make_folders(char *dir)
{
	struct stat facts;

	for (size_t i = 1; dir[0] && dir[i]; i++) {
		if (dir[i] != '/')
			continue;
		dir[i] = '\0';
		(void)mkdir(dir, 0700);
		dir[i] = '/';
	}
	if (mkdir(dir, 0700) < 0 && errno != EEXIST)
		return false;
	if (stat(dir, &facts) < 0)
		return false;
	errno = ENOTDIR;
	return S_ISDIR(facts.st_mode);
}

static char *cache_path(const char *base, const char *rest)
{
	char *dir = base && *base ? file_path(base, rest, NULL) : NULL;

	if (dir && !make_folders(dir)) {
		free(dir);
		return NULL;
	}
	return dir;
}

int instrument_cache_make(const char *dir, struct err *err)
{
	char *copy = str_copy(dir, err);
	int rc = copy ? 0 : ERR_NOMEM;

	if (copy && (!make_folders(copy) || access(copy, W_OK | X_OK) < 0))
		rc = err_set(err, ERR_IO, "%s: %s", dir, strerror(errno));
	free(copy);
	return rc;
}

char *instrument_cache_dir(void)
{
	const char *base = getenv("XDG_CACHE_HOME");

	/* The specification of XDG_CACHE_HOME ignores relative paths. */
	if (base && *base == '/')
		return cache_path(base, "warpline");
	return cache_path(getenv("HOME"), ".cache/warpline");
}

struct cache_key instrument_cache_key(const struct cache_part *parts, size_t count)
{
	XXH3_state_t *state = XXH3_createState();
	struct cache_key key = { 0 };
	XXH128_hash_t hash;

	if (!state)
		return key;
	XXH3_128bits_reset(state);
	for (size_t i = 0; i < count; i++) {
		uint64_t length = parts[i].length;

		XXH3_128bits_update(state, &length, sizeof(length));
		XXH3_128bits_update(state, parts[i].bytes, parts[i].length);
	}
	hash = XXH3_128bits_digest(state);
	XXH3_freeState(state);
	return (struct cache_key){ hash.high64, hash.low64 };
}

static char *entry_path(const char *dir, struct cache_key key)
{
	return str_format(NULL, "%s/%016llx%016llx" CACHE_ENTRY_SUFFIX, dir,
	                  (unsigned long long)key.high, (unsigned long long)key.low);
}

/* The hash of a header's present contents. */
static bool hash_file(const char *path, uint64_t *hash)
{
	struct str text;
	bool is_read;

	str_init(&text, FILE_LIMIT_BYTES);
	is_read = file_read(path, &text, NULL) == 0;
	if (is_read)
		*hash = XXH64(text.text ? text.text : "", text.length, 0);
	str_release(&text);
	return is_read;
}

/* Append a line "HASH PATH" for each path in `list`, which has one a line. */
static bool describe_headers(const char *list, struct str *out)
{
	struct line_walk walk = line_walk_string(list);
	struct line line;

	while (line_walk_next(&walk, &line)) {
		char *path = str_format(NULL, "%.*s", (int)line.length, line.text);
		uint64_t hash;
		bool is_told =
			path && hash_file(path, &hash) &&
			str_printf(out, NULL, "%016llx %s\n", (unsigned long long)hash, path) == 0;

		free(path);
		if (!is_told)
			return false;
	}
	return true;
}

/*
 * Whether no header of an entry has changed; appends their paths to *list. A NUL follows the text.
 */
static bool headers_hold(const char *text, size_t length, struct str *list)
{
	struct line_walk walk = line_walk_begin(text, length);
	struct line line;

	while (line_walk_next(&walk, &line)) {
		char *path = line.length > 17 ? str_format(NULL, "%.*s", (int)line.length - 17,
		                                           line.text + 17)
		                              : NULL;
		uint64_t hash;
		bool is_same = path && hash_file(path, &hash) &&
		               strtoull(line.text, NULL, 16) == hash &&
		               str_printf(list, NULL, "%s\n", path) == 0;

		free(path);
		if (!is_same)
			return false;
	}
	return true;
}

static bool sizes_add_up(const struct entry_head *head, size_t length)
{
	uint64_t left = length;

	if (head->headers_bytes > left)
		return false;
	left -= head->headers_bytes;
	for (int i = 0; i < FILES; i++) {
		if (head->file_bytes[i] > left)
			return false;
		left -= head->file_bytes[i];
	}
	return left == 0;
}

/* Check that an entry is complete and is the one requested; returns its head. */
static bool check_entry(const struct str *entry, struct cache_key key, struct entry_head *head)
{
	const char *rest;
	size_t length;

	if (entry->length < sizeof(*head))
		return false;
	memcpy(head, entry->text, sizeof(*head));
	rest = entry->text + sizeof(*head);
	length = entry->length - sizeof(*head);
	if (head->magic != ENTRY_MAGIC || head->key.high != key.high || head->key.low != key.low)
		return false;
	return sizes_add_up(head, length) && XXH64(rest, length, 0) == head->checksum;
}

/* Write the files that follow the headers in an entry, and the list of headers. */
static bool write_files(const struct cache_files *files, const struct entry_head *head,
                        const char *rest, const struct str *list)
{
	for (int i = 0; i < FILES; i++) {
		const char *path = path_of(files, (enum file)i);

		if (path && file_write(path, rest, head->file_bytes[i], NULL) < 0)
			return false;
		rest += head->file_bytes[i];
	}
	return file_write(files->headers, list->text ? list->text : "", list->length, NULL) == 0;
}

bool instrument_cache_find(const char *dir, struct cache_key key, const struct cache_files *files)
{
	char *path = entry_path(dir, key), *headers = NULL;
	struct entry_head head;
	const char *rest;
	struct str entry, list;
	bool is_found;

	str_init(&entry, ENTRY_LIMIT_BYTES);
	str_init(&list, FILE_LIMIT_BYTES);
	is_found = path && file_read(path, &entry, NULL) == 0 && check_entry(&entry, key, &head);
	if (is_found) {
		rest = entry.text + sizeof(head);
		headers = str_format(NULL, "%.*s", (int)head.headers_bytes, rest);
		is_found = headers && headers_hold(headers, head.headers_bytes, &list);
	}
	if (is_found)
		is_found = write_files(files, &head, rest + head.headers_bytes, &list);
	if (is_found)
		(void)utimensat(AT_FDCWD, path, NULL, 0); /* mark as just used */
	str_release(&list);
	str_release(&entry);
	free(headers);
	free(path);
	return is_found;
}

/* Append a file; its size goes to *bytes. Appends nothing without a path, or when an optional file
 * is missing. */
static bool add_file(struct str *entry, const char *path, bool is_needed, uint64_t *bytes)
{
	size_t before = entry->length;
	bool is_added = !path || file_read(path, entry, NULL) == 0 || !is_needed;

	*bytes = entry->length - before;
	return is_added;
}

/* Read the files into one entry. */
static bool fill_entry(struct str *entry, struct cache_key key, const struct cache_files *files)
{
	struct entry_head head = { .magic = ENTRY_MAGIC, .key = key };
	struct str list;
	bool is_filled;

	str_init(&list, FILE_LIMIT_BYTES);
	is_filled = str_append(entry, &head, sizeof(head), NULL) == 0 &&
	            file_read(files->headers, &list, NULL) == 0 &&
	            describe_headers(list.text ? list.text : "", entry);
	head.headers_bytes = entry->length - sizeof(head);
	for (int i = 0; is_filled && i < FILES; i++)
		is_filled = add_file(entry, path_of(files, (enum file)i), i != NAMES,
		                     &head.file_bytes[i]);
	str_release(&list);
	if (!is_filled)
		return false;
	head.checksum = XXH64(entry->text + sizeof(head), entry->length - sizeof(head), 0);
	memcpy(entry->text, &head, sizeof(head));
	return true;
}

void instrument_cache_keep(const char *dir, struct cache_key key, const struct cache_files *files,
                           uint64_t limit_bytes)
{
	char *path = entry_path(dir, key);
	struct str entry;

	str_init(&entry, ENTRY_LIMIT_BYTES);
	if (path && fill_entry(&entry, key, files) && entry.length <= limit_bytes &&
	    file_write(path, entry.text, entry.length, NULL) == 0)
		cache_evict(dir, limit_bytes);
	str_release(&entry);
	free(path);
}
