/* SPDX-License-Identifier: Apache-2.0 */
#include "array.h"

#include "err.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void array_init(struct array *a, size_t item_bytes, size_t limit_count, const char *what)
{
	assert(item_bytes > 0);
	*a = (struct array){ .item_bytes = item_bytes, .limit_count = limit_count, .what = what };
}

void array_release(struct array *a)
{
	free(a->data);
	a->data = NULL;
	a->count = a->capacity = 0;
}

/* Make room for `want` items by doubling the capacity. `want` is within the limit. */
static int grow(struct array *a, size_t want, struct err *err)
{
	size_t capacity = a->capacity ? a->capacity : 16, bytes;
	void *data;

	while (capacity < want)
		capacity = capacity > SIZE_MAX / 2 ? want : capacity * 2;
	if (capacity > a->limit_count)
		capacity = a->limit_count;
	if (__builtin_mul_overflow(capacity, a->item_bytes, &bytes)) {
		err_set(err, ERR_NOMEM, "%s: %zu items of %zu bytes do not fit in memory", a->what,
		        capacity, a->item_bytes);
		return ERR_NOMEM;
	}
	data = realloc(a->data, bytes);
	if (!data) {
		err_set(err, ERR_NOMEM, "%s: out of memory for %zu bytes", a->what, bytes);
		return ERR_NOMEM;
	}
	a->data = data;
	a->capacity = capacity;
	return 0;
}

void *array_push(struct array *a, size_t count, struct err *err)
{
	char *first;

	if (count > a->limit_count || a->count > a->limit_count - count) {
		err_set(err, ERR_LIMIT, "%s: more than %zu items", a->what, a->limit_count);
		return NULL;
	}
	if ((a->count + count > a->capacity || !a->data) && grow(a, a->count + count, err))
		return NULL;
	first = (char *)a->data + a->count * a->item_bytes;
	memset(first, 0, count * a->item_bytes);
	a->count += count;
	return first;
}

void array_clear(struct array *a)
{
	a->count = 0;
}

void *array_take(struct array *a)
{
	void *data = a->data;

	a->data = NULL;
	a->count = a->capacity = 0;
	return data;
}

void *array_alloc(size_t count, size_t item_bytes, const char *what, struct err *err)
{
	void *data = calloc(count ? count : 1, item_bytes);

	if (!data)
		err_set(err, ERR_NOMEM, "%s: out of memory for %zu items of %zu bytes", what, count,
		        item_bytes);
	return data;
}
