/* SPDX-License-Identifier: Apache-2.0 */
#include "number_set.h"

#include "array.h"
#include "err.h"

#include <stdlib.h>

int number_set_init(struct number_set *s, size_t count, struct err *err)
{
	size_t places = 4;

	*s = (struct number_set){ 0 };
	if (count > SIZE_MAX / 8)
		return err_set(err, ERR_NOMEM, "out of memory for %zu numbers", count);
	while (places / 4 * 3 < count)
		places *= 2;
	s->places = array_alloc(places, sizeof(*s->places), "numbers of a list", err);
	s->mask = places - 1;
	s->shift = 64 - (uint32_t)__builtin_ctzll(places);
	return s->places ? 0 : ERR_NOMEM;
}

void number_set_release(struct number_set *s)
{
	free(s->places);
	*s = (struct number_set){ 0 };
}

void number_set_add(struct number_set *s, uint64_t number)
{
	s->places[number_set_place(s, number)] = number + 1;
}
