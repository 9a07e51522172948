/*
 * array_append - array_push() without its call where there is room: for those who append millions
 * of items and fill them themselves (private to this room).
 */
#ifndef ARRAY_APPEND_H
#define ARRAY_APPEND_H

#include "array.h"

/* As array_push(), but items are zeroed only when memory is taken for them. */
static inline void *array_append(struct array *a, size_t count, struct err *err)
{
	if (!a->data || a->capacity - a->count < count)
		return array_push(a, count, err);
	a->count += count;
	return (char *)a->data + (a->count - count) * a->item_bytes;
}

#endif
