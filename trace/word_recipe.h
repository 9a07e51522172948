/*
 * word_recipe - how the words of one work-item became events, to be followed for others whose words
 * have the same codes and runs; private to trace/ and to who decodes groups.
 *
 * Only for words each of which is an access, barrier or fence. The events are those that
 * word_decoder_add() would give.
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

/* An event of the recipe: the payload of a word, and a number more. */
struct recipe_event {
	uint64_t distance;
	uint32_t word, point, iteration;
};

struct word_recipe {
	uint32_t word_count, event_count; /* 0 words: there is none */
	uint64_t mask[WORD_RECIPE_WORDS], want[WORD_RECIPE_WORDS];
	struct recipe_event events[WORD_RECIPE_EVENTS];
	uint32_t hits, misses; /* since there is one; since it was of use */
};

/* There is none: the differences that companions are told by are others now. */
void word_recipe_forget(struct word_recipe *r);

/*
 * The work-item in `span`, all that it wrote, gave `count` events, and no recipe fitted: make one
 * of it, unless those made lately were of no use.
 */
void word_recipe_consider(struct word_recipe *r, const struct word_decoder *d,
                          const struct word_span *span, const struct event *events, size_t count);

/* Append the events of a work-item whose words fit. False: they do not, or there is no room. */
bool word_recipe_follow(struct word_recipe *r, const struct word_span *span, struct array *out);

#endif
