/* SPDX-License-Identifier: Apache-2.0 */
#include "site.h"

#include "recording.h"

#include <assert.h>
#include <string.h>

static const struct {
	const char *name, *text;
} levels[] = {
#define ACCESS_LEVEL(name, word, text) { word, text },
#include "access_levels.def"
#undef ACCESS_LEVEL
	{ "mixed", "not of the same level (--opt) in all kernels" },
};

const char *access_level_name(enum access_level level)
{
	return *levels[level].name ? levels[level].name : NULL;
}

const char *access_level_text(enum access_level level)
{
	return levels[level].text;
}

enum access_level access_level_find(const char *name)
{
	unsigned level = 0;

	while (level < ACCESS_LEVELS && strcmp(levels[level].name, name) != 0)
		level++;
	return (enum access_level)level;
}

enum access_level access_level_of(const struct recording *r)
{
	enum access_level level = ACCESS_LEVEL_UNKNOWN;
	bool has_one = false;

	for (size_t i = 0; i < r->kernel_count; i++) {
		if (!*r->kernels[i].door)
			continue;
		if (has_one && r->kernels[i].table.level != level)
			return ACCESS_LEVEL_MIXED;
		level = r->kernels[i].table.level;
		has_one = true;
	}
	return level;
}

static const struct {
	const char *name;
	bool is_access;
	bool has_address;
} kinds[] = {
#define SITE_KIND(NAME, name, is_access, has_address, text) { name, is_access, has_address },
#include "site_kinds.def"
#undef SITE_KIND
};

const char *site_kind_name(enum site_kind kind)
{
	assert((unsigned)kind < SITE_KIND_COUNT);
	return kinds[kind].name;
}

bool site_kind_is_access(enum site_kind kind)
{
	assert((unsigned)kind < SITE_KIND_COUNT);
	return kinds[kind].is_access;
}

bool site_kind_has_address(enum site_kind kind)
{
	assert((unsigned)kind < SITE_KIND_COUNT);
	return kinds[kind].has_address;
}
