/* SPDX-License-Identifier: Apache-2.0 */
#include "cached_instrument.h"

#include "array.h"
#include "instrument_cache.h"
#include "str.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIMIT_KEY_PARTS (1u << 20)

char *cached_instrument_identity(const char *instrumenter)
{
	struct stat st;

	if (stat(instrumenter, &st) < 0)
		return NULL;
	return str_format(NULL, "%s %lld %lld %ld.%09ld", WARPLINE_VERSION, (long long)st.st_ino,
	                  (long long)st.st_size, (long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

/* What is no part of the key counts as missing. */
static struct cache_part part_of(bool is_key, const char *text)
{
	const char *part = is_key && text ? text : "";

	return (struct cache_part){ part, strlen(part) };
}

static bool add_part(struct array *parts, const struct instrument_part *part)
{
	const struct cache_part more[] = {
#define PART_REQUEST(field, option, is_key, sentence) part_of(is_key, part->field),
#include "instrument_request.def"
#undef PART_REQUEST
		{ part->content, sizeof(part->content) },
	};
	struct cache_part *at = array_push(parts, sizeof(more) / sizeof(more[0]), NULL);

	if (at)
		memcpy(at, more, sizeof(more));
	return at;
}

/* The request without its parts, then each of them. */
static bool list_key(struct array *parts, const struct instrument_request *r,
                     const char *instrumenter)
{
	const struct cache_part whole[] = {
		{ instrumenter, strlen(instrumenter) },
		part_of(true, r->folder),
#define REQUEST(field, option, is_key, sentence) part_of(is_key, r->field),
#include "instrument_request.def"
#undef REQUEST
	};
	struct cache_part *at = array_push(parts, sizeof(whole) / sizeof(whole[0]), NULL);

	if (!at)
		return false;
	memcpy(at, whole, sizeof(whole));
	for (size_t i = 0; i < r->part_count; i++)
		if (!add_part(parts, &r->parts[i]))
			return false;
	return true;
}

static bool make_key(const struct instrument_request *r, struct cache_key *key)
{
	char *instrumenter = cached_instrument_identity(r->instrumenter);
	struct array parts;
	bool is_made;

	array_init(&parts, sizeof(struct cache_part), LIMIT_KEY_PARTS, "key of an entry");
	is_made = instrumenter && list_key(&parts, r, instrumenter);
	if (is_made)
		*key = instrument_cache_key(parts.data, parts.count);
	array_release(&parts);
	free(instrumenter);
	return is_made;
}

int cached_instrument_run(const struct instrument_request *request, const char *cache,
                          struct err *err)
{
	const struct cache_files files = { request->output, request->table, request->headers,
		                           request->cuda_table, request->names };
	char *dir = cache ? str_copy(cache, NULL) : instrument_cache_dir();
	struct cache_key key;
	int rc = 0;

	if (!dir || !strcmp(dir, "off") || !make_key(request, &key)) {
		rc = instrument_process_run(request, err);
	} else if (!instrument_cache_find(dir, key, &files)) {
		rc = instrument_process_run(request, err);
		if (rc == 0)
			instrument_cache_keep(dir, key, &files, INSTRUMENT_CACHE_LIMIT_BYTES);
	}
	free(dir);
	return rc;
}
