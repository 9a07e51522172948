/* SPDX-License-Identifier: Apache-2.0 */
#include "outbox.h"

#include "err.h"

void outbox_init(struct outbox *o)
{
	fifo_init(&o->messages, sizeof(struct message), "messages of an L1");
	fifo_init(&o->cycles, sizeof(uint64_t), "messages of an L1");
	fifo_init(&o->parts, sizeof(uint64_t), "bytes that an L1 writes");
	o->part_words = 0;
}

void outbox_record_parts(struct outbox *o, uint32_t line_bytes)
{
	o->part_words = line_bytes < 64 ? 1 : line_bytes / 64;
	fifo_init(&o->parts, o->part_words * sizeof(uint64_t), "bytes that an L1 writes");
}

void outbox_release(struct outbox *o)
{
	fifo_release(&o->messages);
	fifo_release(&o->cycles);
	fifo_release(&o->parts);
}

int outbox_status(const struct outbox *o, struct err *err)
{
	if (!o->messages.is_failed && !o->cycles.is_failed && !o->parts.is_failed)
		return 0;
	return err_set(err, ERR_NOMEM, "L1: out of memory for %zu messages to what lies below it",
	               fifo_count(&o->messages));
}
