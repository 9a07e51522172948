/*
 * remove_tree() - a folder of a test's own goes, with all that is in it.
 *
 * Without a shell: a process costs more than most of what these tests do.
 */
#ifndef REMOVE_TREE_H
#define REMOVE_TREE_H

#include "cmocka_all.h"

#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>

static inline int remove_entry(const char *path, const struct stat *s, int type, struct FTW *at)
{
	return remove(path);
}

/* Remove `path`, a folder; the test fails if that cannot be done. */
static inline void remove_tree(const char *path)
{
	assert_int_equal(nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS), 0);
}

#endif
