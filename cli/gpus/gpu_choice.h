/*
 * gpu_choice - the options that choose a GPU: --gpu, --l1, --set, and short options for keys of its
 * caches (cache_options.def): --l1-sets 32 is --set l1_sets=32.
 */
#ifndef GPU_CHOICE_H
#define GPU_CHOICE_H

#include "gpu_catalogue.h"
#include "options.h"

struct array;
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

/* In the command's settings. */
struct gpu_choice {
	const char *gpu, *l1;
	struct option_list set;
	struct cache_choice cache; /* of commands that have its rows; applied after `set` */
};

/* The rows of these options, for settings of `type` with the struct as `member`. */
#define GPU_CHOICE_ROWS(type, member)                                                              \
	{ .name = "gpu",                                                                           \
	  .argument = "NAME",                                                                      \
	  .kind = OPTION_TEXT,                                                                     \
	  .offset = offsetof(type, member.gpu),                                                    \
	  .text = "the GPU, or a description file (default: WARPLINE_GPU, "                        \
		  "else " GPU_SEARCH_DEFAULT "; 'warpline gpus' lists them)" },                    \
		{ .name = "l1",                                                                    \
		  .argument = "NAME",                                                              \
		  .kind = OPTION_TEXT,                                                             \
		  .offset = offsetof(type, member.l1),                                             \
		  .text = "its L1 configuration, such as 16k or 48k (default: the first)" },       \
		{ .name = "set",                                                                   \
		  .argument = "KEY=VALUE",                                                         \
		  .kind = OPTION_LIST,                                                             \
		  .offset = offsetof(type, member.set),                                            \
		  .text = "change the GPU; 'warpline gpus NAME' shows the keys; may be repeated" }

/* Fill *gpu. Returns 0, an error of gpu_catalogue_load(), or ERR_USAGE for a key that cannot be
 * set, or keys that contradict each other. */
int gpu_choice_load(const struct gpu_choice *c, struct gpu *gpu, struct err *err);

/*
 * Fill *gpus (struct gpu) with the GPU in each L1 configuration that its description names, in
 * order: with the choice's changes, or, if `is_described`, without them; then a description whose
 * single L1 has no name counts too. Release it in every case. Returns 0 or an error of
 * gpu_choice_load().
 */
int gpu_choice_l1s(const struct gpu_choice *c, bool is_described, struct array *gpus,
                   struct err *err);

/*
 * What a heading adds to the name of a GPU that is the default, or ""; static storage. A command
 * whose output has no heading prints it as a line on stderr instead.
 */
const char *gpu_choice_origin(const struct gpu *gpu);
void gpu_choice_say(const char *command, const struct gpu *gpu);

#endif
