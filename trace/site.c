/* SPDX-License-Identifier: Apache-2.0 */
#include "site.h"

#include <assert.h>

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
