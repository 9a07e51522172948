/* SPDX-License-Identifier: Apache-2.0 */
#include "naive_whole_private.h"

#include "counters.h"

void naive_send(struct naive_whole *n, enum message_kind kind, uint64_t line, uint32_t bytes,
                uint64_t now)
{
	size_t at = n->sent_count++;

	for (; kind == MESSAGE_READ && at > n->sent_before; at--)
		n->sent[at] = n->sent[at - 1];
	n->sent[at] = (struct message){
		.cycle = now, .line = line * n->gpu->l1_line_bytes, .bytes = bytes, .kind = kind
	};
}

void naive_clean(struct naive_whole *n, uint64_t line, int64_t slot, const bool *touched,
                 uint64_t now)
{
	bool written[NAIVE_BYTES] = { false };
	struct counters *writer = NULL;

	for (uint32_t s = 0; s < n->sectors && slot >= 0; s++) {
		written[s] = touched[s] && n->ways[slot].dirty[s];
		writer = written[s] ? n->ways[slot].writer : writer;
		n->ways[slot].dirty[s] &= !written[s];
	}
	for (size_t i = 0; i < n->fetch_count; i++) {
		struct naive_fetch *f = &n->fetches[i];

		for (uint32_t s = 0; s < n->sectors && naive_is_on_way(f, line); s++) {
			if (!touched[s] || !f->dirty[s])
				continue;
			writer = writer ? writer : f->writer;
			written[s] = true;
			f->dirty[s] = false;
		}
	}
	if (!writer)
		return;
	writer->write_backs++;
	writer->bytes_to_l2 += (uint64_t)naive_count(n, written) * n->sector_bytes;
	naive_send(n, MESSAGE_WRITE_BACK, line, naive_count(n, written) * n->sector_bytes, now);
}

uint32_t naive_past_bytes(const struct naive_whole *n, const struct request *r)
{
	uint32_t unit = n->gpu->l1_line_bytes < 32 ? n->gpu->l1_line_bytes : 32, bytes = 0;

	for (uint32_t first = 0; first < n->gpu->l1_line_bytes; first += unit) {
		bool is_touched = false;

		for (uint32_t i = first; i < first + unit; i++)
			is_touched = is_touched || (r->used[i / 64] >> i % 64 & 1);
		bytes += is_touched ? unit : 0;
	}
	return bytes;
}
