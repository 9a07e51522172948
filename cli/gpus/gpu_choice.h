/*
 * gpu_choice - the options by which a command takes a GPU: --gpu, --l1, --set, and short names for
 * keys of its caches.
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
	struct cache_choice cache; /* of commands that have its rows; goes over `set` */
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
	{                                                                                          \
		.name = "set", .argument = "KEY=VALUE", .kind = OPTION_LIST,                       \
		.offset = offsetof(type, member.set),                                              \
		.text = "change the GPU; 'warpline gpus NAME' shows the keys; may be repeated"     \
	}

/* Fill *gpu. Returns 0, what gpu_catalogue_load() returns, or ERR_USAGE for what cannot be set, or
 * not together. */
int gpu_choice_load(const struct gpu_choice *c, struct gpu *gpu, struct err *err);

/*
 * The GPU with each of the L1s that its description names, in order: with the choice's changes, or,
 * where `is_described`, as the description has it, then also of a description with a single L1,
 * which has no name. Fills *gpus (struct gpu); release it in every case. Returns what
 * gpu_choice_load() does.
 */
int gpu_choice_l1s(const struct gpu_choice *c, bool is_described, struct array *gpus,
                   struct err *err);

/*
 * What a heading says after the GPU's name when nobody named it, and "" otherwise; static storage.
 * A command whose output has no heading says it on stderr instead, in a line of its own.
 */
const char *gpu_choice_origin(const struct gpu *gpu);
void gpu_choice_say(const char *command, const struct gpu *gpu);

#endif
