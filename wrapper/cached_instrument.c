/* SPDX-License-Identifier: Apache-2.0 */
#include "cached_instrument.h"

#include "instrument_cache.h"
#include "str.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Which instrumenter it is: another file, another result. NULL when it cannot be told. */
static char *identity(const char *instrumenter)
{
	struct stat st;

	if (stat(instrumenter, &st) < 0)
		return NULL;
	return str_format(NULL, "%s %lld %lld %ld.%09ld", WARPLINE_VERSION, (long long)st.st_ino,
	                  (long long)st.st_size, (long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

/* Where headers may be sought from: only programs that include something depend on it. */
static char *starting_point(const struct instrument_request *r, const struct str *source)
{
	bool includes = strstr(r->options, "-I") || strstr(r->options, "-include") ||
	                (source->text && memmem(source->text, source->length, "include", 7));

	return includes ? getcwd(NULL, 0) : str_copy("", NULL);
}

/* What is no part of the key counts as missing. */
static struct cache_part part_of(bool is_key, const char *text)
{
	const char *part = is_key && text ? text : "";

	return (struct cache_part){ part, strlen(part) };
}

static bool make_key(const struct instrument_request *r, const struct str *source,
                     struct cache_key *key)
{
	char *instrumenter = identity(r->instrumenter), *from = starting_point(r, source);
	bool is_made = instrumenter && from;

	if (is_made) {
		const struct cache_part parts[] = {
			{ instrumenter, strlen(instrumenter) },
			{ from, strlen(from) },
			{ source->text ? source->text : "", source->length },
#define REQUEST(field, option, is_key, sentence) part_of(is_key, r->field),
#include "instrument_request.def"
#undef REQUEST
		};

		*key = instrument_cache_key(parts, sizeof(parts) / sizeof(parts[0]));
	}
	free(instrumenter);
	free(from);
	return is_made;
}

int cached_instrument_run(const struct instrument_request *request, const struct str *source,
                          const char *cache, struct err *err)
{
	const struct cache_files files = { request->output, request->table, request->headers };
	char *dir = cache ? str_copy(cache, NULL) : instrument_cache_dir();
	struct cache_key key;
	int rc = 0;

	if (!dir || !strcmp(dir, "off") || !make_key(request, source, &key)) {
		rc = instrument_process_run(request, err);
	} else if (!instrument_cache_find(dir, key, &files)) {
		rc = instrument_process_run(request, err);
		if (rc == 0)
			instrument_cache_keep(dir, key, &files, INSTRUMENT_CACHE_LIMIT_BYTES);
	}
	free(dir);
	return rc;
}
