/* SPDX-License-Identifier: Apache-2.0 */
#include "outbox.h"

#include "err.h"

void outbox_init(struct outbox *o)
{
	fifo_init(&o->messages, sizeof(struct message), "messages of an L1");
	fifo_init(&o->cycles, sizeof(uint64_t), "messages of an L1");
}

void outbox_release(struct outbox *o)
{
	fifo_release(&o->messages);
	fifo_release(&o->cycles);
}

int outbox_status(const struct outbox *o, struct err *err)
{
	if (!o->messages.is_failed && !o->cycles.is_failed)
		return 0;
	return err_set(err, ERR_NOMEM, "L1: out of memory for %zu messages to what lies below it",
	               fifo_count(&o->messages));
}
