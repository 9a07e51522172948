/*
 * word_recipe - how the words of one work-item became events, for repeating it with others whose
 * words have the same codes and runs; private to trace/ and to group_decoder.
 *
 * Only if every word is an access, barrier or fence. The events are those of word_decoder_add().
 */
#ifndef WORD_RECIPE_H
#define WORD_RECIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct array;
struct event;
struct word_decoder;
struct word_span;

#define WORD_RECIPE_WORDS  64
#define WORD_RECIPE_EVENTS 256

/* An event of the recipe: the payload of a word plus a number. */
struct recipe_event {
	uint64_t distance;
	uint32_t word, point, iteration;
};

struct word_recipe {
	uint32_t word_count, event_count; /* 0 words: no recipe */
	uint64_t mask[WORD_RECIPE_WORDS], want[WORD_RECIPE_WORDS];
	struct recipe_event events[WORD_RECIPE_EVENTS];
	uint32_t hits, misses; /* since it was made; since its last use */
};

/* Forget the recipe: the differences of companions have changed. */
void word_recipe_forget(struct word_recipe *r);

/*
 * No recipe fitted the work-item whose words are `span` and became `count` events: make a recipe
 * from it, unless the latest ones were useless.
 */
void word_recipe_consider(struct word_recipe *r, const struct word_decoder *d,
                          const struct word_span *span, const struct event *events, size_t count);

/* Append the events of a work-item if its words fit the recipe. Returns false if they do not or
 * there is no room. */
bool word_recipe_follow(struct word_recipe *r, const struct word_span *span, struct array *out);

#endif
