/* SPDX-License-Identifier: Apache-2.0 */
#include "binary_store.h"

#include "file.h"
#include "instrument_cache.h"
#include "opencl_session.h"
#include "program_code.h"
#include "str.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LIMIT_BINARIES   ((size_t)1 << 16)
#define FILE_LIMIT_BYTES (64u << 20)

struct known_binary {
	struct cache_key key;
	struct program_code *code;
};

void binary_store_init(struct binary_store *store)
{
	array_init(&store->list, sizeof(struct known_binary), LIMIT_BINARIES, "binaries");
}

void binary_store_release(struct binary_store *store)
{
	struct known_binary *list = store->list.data;

	for (size_t i = 0; i < store->list.count; i++)
		program_code_release(list[i].code);
	array_release(&store->list);
}

static struct cache_key key_of(const unsigned char *bytes, size_t length)
{
	const struct cache_part part = { bytes, length };

	return instrument_cache_key(&part, 1);
}

/* Returns a reference to the code of a binary of this process. Called with the session's lock held.
 */
static struct program_code *find_here(const struct binary_store *store, struct cache_key key)
{
	struct known_binary *list = store->list.data;

	for (size_t i = 0; i < store->list.count; i++)
		if (list[i].key.high == key.high && list[i].key.low == key.low)
			return program_code_retain(list[i].code);
	return NULL;
}

/* Returns "DIR/KEY-source.wlcache", or NULL without a cache. */
static char *path_of(const struct session *s, struct cache_key key)
{
	const char *set = s->settings.cache;
	char *dir = set ? str_copy(set, NULL) : instrument_cache_dir(), *path = NULL;

	if (dir && strcmp(dir, "off") != 0)
		path = str_format(NULL, "%s/%016llx%016llx-source" CACHE_ENTRY_SUFFIX, dir,
		                  (unsigned long long)key.high, (unsigned long long)key.low);
	free(dir);
	return path;
}

static void write_file(const struct session *s, struct cache_key key,
                       const struct program_code *code)
{
	char *path = path_of(s, key), *end;
	struct str text;

	str_init(&text, FILE_LIMIT_BYTES);
	if (path && program_code_write(code, &text) &&
	    file_write(path, text.text, text.length, NULL) == 0) {
		end = strrchr(path, '/');
		*end = '\0';
		cache_evict(path, INSTRUMENT_CACHE_LIMIT_BYTES);
	}
	str_release(&text);
	free(path);
}

static struct program_code *read_file(const struct session *s, struct cache_key key)
{
	struct program_code *code = NULL;
	char *path = path_of(s, key);
	struct str text;

	str_init(&text, FILE_LIMIT_BYTES);
	if (path && file_read(path, &text, NULL) == 0)
		code = program_code_read(text.text ? text.text : "", text.length);
	if (code)
		(void)utimensat(AT_FDCWD, path, NULL, 0); /* used now */
	str_release(&text);
	free(path);
	return code;
}

/* Add an entry; takes the reference. */
static void add(struct session *s, struct cache_key key, struct program_code *code)
{
	struct program_code *known;
	struct known_binary *at = NULL;

	session_lock(s);
	known = find_here(&opencl_session(s)->binaries, key);
	if (!known)
		at = array_push(&opencl_session(s)->binaries.list, 1, NULL);
	if (at)
		*at = (struct known_binary){ key, program_code_retain(code) };
	session_unlock(s);
	program_code_release(known);
	program_code_release(code);
}

void binary_store_keep(struct session *s, const unsigned char *bytes, size_t length,
                       const struct program_code *code)
{
	struct cache_key key = key_of(bytes, length);
	struct program_code *known;

	session_lock(s);
	known = find_here(&opencl_session(s)->binaries, key);
	session_unlock(s);
	program_code_release(known);
	if (known || code->refusal)
		return;
	write_file(s, key, code);
	known = program_code_of_origin(code, "binary");
	if (known)
		add(s, key, known);
}

struct program_code *binary_store_find(struct session *s, const unsigned char *bytes, size_t length)
{
	struct cache_key key = key_of(bytes, length);
	struct program_code *code;

	session_lock(s);
	code = find_here(&opencl_session(s)->binaries, key);
	session_unlock(s);
	return code ? code : read_file(s, key);
}
