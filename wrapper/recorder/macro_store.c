/* SPDX-License-Identifier: Apache-2.0 */
#include "macro_store.h"

#include "err.h"
#include "file.h"
#include "instrument_cache.h"
#include "str.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#define LIMIT_KEYS   (1u << 16)
#define LIMIT_BYTES  (64u << 20)
#define HEAD         "warpline macros 1 %016llx\n"
#define HEAD_BYTES   35
#define ENTRY_SUFFIX "-macros" CACHE_ENTRY_SUFFIX

struct macro_answers {
	char *key, *text;
};

void macro_store_init(struct macro_store *s)
{
	pthread_mutex_init(&s->lock, NULL);
	pthread_mutex_init(&s->asked, NULL);
	array_init(&s->list, sizeof(struct macro_answers), LIMIT_KEYS, "macros of devices");
}

void macro_store_release(struct macro_store *s)
{
	struct macro_answers *list = s->list.data;

	for (size_t i = 0; i < s->list.count; i++) {
		free(list[i].key);
		free(list[i].text);
	}
	array_release(&s->list);
	pthread_mutex_destroy(&s->lock);
	pthread_mutex_destroy(&s->asked);
}

static struct macro_answers *find(struct macro_store *s, const char *key)
{
	struct macro_answers *list = s->list.data;

	for (size_t i = 0; i < s->list.count; i++)
		if (!strcmp(list[i].key, key))
			return &list[i];
	return NULL;
}

/* Returns the path of a key's file, on the heap, or NULL without a cache. */
static char *path_of(const char *cache, const char *key)
{
	char *dir = cache ? str_copy(cache, NULL) : instrument_cache_dir(), *path = NULL;
	const struct cache_part part = { key, strlen(key) };
	struct cache_key hash;

	if (dir && strcmp(dir, "off") != 0) {
		hash = instrument_cache_key(&part, 1);
		path = str_format(NULL, "%s/%016llx%016llx" ENTRY_SUFFIX, dir,
		                  (unsigned long long)hash.high, (unsigned long long)hash.low);
	}
	free(dir);
	return path;
}

/* Read a file: its head has the hash of the rest, which begins with the key and an empty line. */
static char *read_entry(const char *path, const char *key)
{
	struct str text;
	char head[HEAD_BYTES + 1], *answers = NULL;
	size_t length = strlen(key);

	str_init(&text, LIMIT_BYTES);
	if (file_read(path, &text, NULL) == 0 && text.length > HEAD_BYTES + length + 2) {
		const char *rest = text.text + HEAD_BYTES;

		snprintf(head, sizeof(head), HEAD,
		         (unsigned long long)XXH64(rest, text.length - HEAD_BYTES, 0));
		if (!memcmp(text.text, head, HEAD_BYTES) && !strncmp(rest, key, length) &&
		    !strncmp(rest + length, "\n\n", 2))
			answers = str_copy(rest + length + 2, NULL);
	}
	str_release(&text);
	return answers;
}

static void write_entry(const char *path, const struct macro_answers *a)
{
	struct str text;
	char head[HEAD_BYTES + 1] = "";

	str_init(&text, LIMIT_BYTES);
	if (str_append(&text, head, HEAD_BYTES, NULL) == 0 &&
	    str_printf(&text, NULL, "%s\n\n%s", a->key, a->text) == 0) {
		snprintf(head, sizeof(head), HEAD,
		         (unsigned long long)XXH64(text.text + HEAD_BYTES, text.length - HEAD_BYTES,
		                                   0));
		memcpy(text.text, head, HEAD_BYTES);
		(void)file_write(path, text.text, text.length, NULL);
	}
	str_release(&text);
}

/* Returns the answers under a key, read from disk if needed; NULL when out of memory. Called with
 * the lock held. */
static struct macro_answers *look_up(struct macro_store *s, const char *cache, const char *key)
{
	struct macro_answers *known = find(s, key), made = { NULL, NULL };
	char *path;

	if (known)
		return known;
	path = path_of(cache, key);
	made.text = path ? read_entry(path, key) : NULL;
	free(path);
	if (!made.text)
		made.text = str_copy("", NULL);
	made.key = str_copy(key, NULL);
	known = made.text && made.key ? array_push(&s->list, 1, NULL) : NULL;
	if (known) {
		*known = made;
		return known;
	}
	free(made.text);
	free(made.key);
	return NULL;
}

char *macro_store_find(struct macro_store *s, const char *cache, const char *key)
{
	const struct macro_answers *known;
	char *text;

	pthread_mutex_lock(&s->lock);
	known = look_up(s, cache, key);
	text = known ? str_copy(known->text, NULL) : NULL;
	pthread_mutex_unlock(&s->lock);
	return text;
}

void macro_store_add(struct macro_store *s, const char *cache, const char *key, const char *answers)
{
	struct macro_answers *known;
	char *text = NULL, *path = path_of(cache, key);

	pthread_mutex_lock(&s->lock);
	known = look_up(s, cache, key);
	if (known)
		text = str_format(NULL, "%s%s", known->text, answers);
	if (text) {
		free(known->text);
		known->text = text;
	}
	if (text && path)
		write_entry(path, known);
	pthread_mutex_unlock(&s->lock);
	free(path);
}

void macro_store_begin(struct macro_store *s)
{
	pthread_mutex_lock(&s->asked);
}

void macro_store_end(struct macro_store *s)
{
	pthread_mutex_unlock(&s->asked);
}
