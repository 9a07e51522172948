/* SPDX-License-Identifier: Apache-2.0 */
#include "address_use.h"

__extension__ typedef unsigned __int128 wide;

void address_use_add(struct address_use_sum *sum, const struct address_use_sum *more)
{
	sum->stays += more->stays;
	sum->first_bytes += more->first_bytes;
	sum->bytes_moved += more->bytes_moved;
	sum->uses += more->uses;
}

/* U * (1 + R) = first_bytes / bytes_moved * (stays + uses) / stays */
bool address_use_is_poor(const struct address_use_sum *s)
{
	return (wide)s->first_bytes * ((wide)s->stays + s->uses) <
	       (wide)s->bytes_moved * (wide)s->stays;
}

double address_use_u(const struct address_use_sum *s)
{
	return s->bytes_moved ? (double)s->first_bytes / (double)s->bytes_moved : 0;
}

double address_use_r(const struct address_use_sum *s)
{
	return s->stays ? (double)s->uses / (double)s->stays : 0;
}
