/*
 * array - a growable array of equal items, the only place that multiplies sizes.
 *
 * Growth doubles, is checked for overflow, and stops at a limit set when the
 * array is made. Pointers into `data` are valid until the next push.
 */
#ifndef ARRAY_H
#define ARRAY_H

#include <stddef.h>

struct err;

struct array {
	void *data;         /* `count` items; NULL while capacity is 0 */
	size_t count;       /* items in use */
	size_t capacity;    /* items allocated */
	size_t item_bytes;  /* size of one item, >= 1 */
	size_t limit_count; /* most items it may ever hold */
	const char *what;   /* what it holds, for messages; borrowed */
};

/* Make *a an empty array of items of `item_bytes`; release with array_release(). No allocation. */
void array_init(struct array *a, size_t item_bytes, size_t limit_count, const char *what);

/* Free the items and leave an empty array that may be used again. Accepts a zeroed struct. */
void array_release(struct array *a);

/*
 * Append `count` zeroed items and return the first of them, or NULL with *err
 * set: ERR_LIMIT past limit_count, ERR_NOMEM. On failure the array is unchanged.
 */
void *array_push(struct array *a, size_t count, struct err *err);

/*
 * As array_push(), but items are zeroed only when memory is taken for them: for loops that append
 * millions of items and fill each of them.
 */
static inline void *array_append(struct array *a, size_t count, struct err *err)
{
	if (!a->data || a->capacity - a->count < count)
		return array_push(a, count, err);
	a->count += count;
	return (char *)a->data + (a->count - count) * a->item_bytes;
}

/* Set count to 0 and keep the memory. */
void array_clear(struct array *a);

/*
 * Take the items out: the caller owns the result (free()) and the array is
 * empty again. NULL when nothing was ever pushed.
 */
void *array_take(struct array *a);

/*
 * calloc with its own overflow check and message: `count` zeroed items of
 * `item_bytes`, never NULL for a count of 0. Free with free(). NULL with
 * ERR_NOMEM in *err on failure; `what` names the thing in the message.
 */
void *array_alloc(size_t count, size_t item_bytes, const char *what, struct err *err);

#endif
