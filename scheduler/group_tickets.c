/* SPDX-License-Identifier: Apache-2.0 */
#include "group_tickets.h"

#include "array.h"
#include "err.h"

#include <assert.h>
#include <stdlib.h>

int group_tickets_init(struct group_tickets *t, size_t count, struct err *err)
{
	*t = (struct group_tickets){ .all = array_alloc(count, sizeof(*t->all), "groups", err) };
	if (!t->all)
		return ERR_NOMEM;
	for (size_t i = 0; i + 1 < count; i++)
		t->all[i].next = &t->all[i + 1];
	t->unused = t->all;
	return 0;
}

void group_tickets_release(struct group_tickets *t)
{
	free(t->all);
	*t = (struct group_tickets){ 0 };
}

struct group_ticket *group_tickets_take(struct group_tickets *t, uint64_t group)
{
	struct group_ticket *ticket = t->unused;

	assert(ticket);
	t->unused = ticket->next;
	*ticket = (struct group_ticket){ .group = group };
	return ticket;
}

void group_tickets_give(struct group_tickets *t, struct group_ticket *ticket)
{
	ticket->next = t->unused;
	t->unused = ticket;
}

bool group_tickets_want(struct group_tickets *t, uint32_t max)
{
	if (t->ahead.count <= max / 2)
		t->is_filling = true;
	if (t->ahead.count >= max)
		t->is_filling = false;
	return t->is_filling;
}

void ticket_list_add(struct ticket_list *l, struct group_ticket *t)
{
	t->next = NULL;
	if (l->first)
		l->last->next = t;
	else
		l->first = t;
	l->last = t;
	l->count++;
}

struct group_ticket *ticket_list_take(struct ticket_list *l)
{
	struct group_ticket *t = l->first;

	if (!t)
		return NULL;
	l->first = t->next;
	l->count--;
	return t;
}
