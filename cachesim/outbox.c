/* SPDX-License-Identifier: Apache-2.0 */
#include "outbox.h"

#include "err.h"

#include <string.h>

void outbox_init(struct outbox *o)
{
	*o = (struct outbox){ 0 };
	array_init(&o->messages, sizeof(struct message), SIZE_MAX, "messages of an L1");
}

void outbox_release(struct outbox *o)
{
	array_release(&o->messages);
}

/* Move what is left to the front once more than half has been taken: each message moves once on
 * average at most. */
static void close_up(struct outbox *o)
{
	struct message *messages = o->messages.data;
	size_t left = o->messages.count - o->first;

	if (o->first <= left)
		return;
	if (left)
		memmove(messages, messages + o->first, left * sizeof(*messages));
	o->messages.count = left;
	o->first = 0;
}

void outbox_send(struct outbox *o, const struct message *m)
{
	struct message *sent;

	close_up(o);
	sent = array_push(&o->messages, 1, NULL);
	if (sent)
		*sent = *m;
	else
		o->is_failed = true;
}

const struct message *outbox_peek(const struct outbox *o)
{
	const struct message *messages = o->messages.data;

	return o->first < o->messages.count ? messages + o->first : NULL;
}

void outbox_drop(struct outbox *o)
{
	o->first++;
}

int outbox_status(const struct outbox *o, struct err *err)
{
	if (!o->is_failed)
		return 0;
	return err_set(err, ERR_NOMEM, "L1: out of memory for %zu messages to L2",
	               o->messages.count - o->first);
}
