/* SPDX-License-Identifier: Apache-2.0 */
#include "svm_range.h"

#include "recorder.h"
#include "session.h"

void svm_range_add(struct session *s, const void *memory, size_t bytes, uint64_t flags,
                   bool is_of_the_device)
{
	struct address_range range = { .address = (uint64_t)(uintptr_t)memory,
		                       .bytes = bytes,
		                       .is_of_the_device = is_of_the_device };
	const struct recorded_buffer line = {
		.bytes = bytes, .flags = flags, .parent = -1, .svm_address = range.address
	};

	if (!bytes || !recorder_buffer(s->recorder, &line, &range.buffer_id))
		return;
	session_lock(s);
	address_ranges_put(&s->svm, &range);
	session_unlock(s);
}

void svm_range_end(struct session *s, const void *memory)
{
	session_lock(s);
	address_ranges_end(&s->svm, (uint64_t)(uintptr_t)memory);
	session_unlock(s);
}

int svm_range_find(const struct session *s, uint64_t address, struct address_range *out)
{
	return address_ranges_find(&s->svm, address, out);
}
