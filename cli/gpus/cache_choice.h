/*
 * cache_choice - short names for keys of a GPU's caches: --l1-sets 32 is --set l1_sets=32.
 *
 * The names are the rows of cache_options.def.
 */
#ifndef CACHE_CHOICE_H
#define CACHE_CHOICE_H

#include "options.h"

struct err;
struct gpu;

/* In the command's settings; NULL: not given. */
struct cache_choice {
#define CACHE_OPTION(member, option, value, key, text) const char *member;
#include "cache_options.def"
#undef CACHE_OPTION
};

/* A row of an option table, by CACHE_OPTION's arguments; `base` is offsetof() the struct. */
#define CACHE_CHOICE_ROW(base, member, option, value, text_)                                       \
	{ .name = (option),                                                                        \
	  .argument = (value),                                                                     \
	  .kind = OPTION_TEXT,                                                                     \
	  .offset = (base) + offsetof(struct cache_choice, member),                                \
	  .text = (text_) },

/* Put the keys that were given into *gpu, whose keys may disagree until gpu_check(). Returns 0, or
 * ERR_USAGE with a message that begins with the option. */
int cache_choice_apply(const struct cache_choice *c, struct gpu *gpu, struct err *err);

#endif
