/* SPDX-License-Identifier: Apache-2.0 */
#include "session_memory.h"

#include "job_argument.h"
#include "recorder.h"
#include "session.h"

void session_memory_add(struct session *s, uint64_t address, uint64_t bytes, uint64_t flags,
                        bool is_of_the_device)
{
	struct address_range range = { .address = address,
		                       .bytes = bytes,
		                       .is_of_the_device = is_of_the_device };
	const struct recorded_buffer line = {
		.bytes = bytes, .flags = flags, .parent = -1, .svm_address = address
	};

	if (!bytes || !recorder_buffer(s->recorder, &line, &range.buffer_id))
		return;
	session_lock(s);
	address_ranges_put(&s->ranges, &range);
	session_unlock(s);
}

void session_memory_end(struct session *s, uint64_t address)
{
	session_lock(s);
	address_ranges_end(&s->ranges, address);
	session_unlock(s);
}

bool session_memory_find(const struct session *s, uint64_t address, struct address_range *out)
{
	return address_ranges_find(&s->ranges, address, out);
}

void session_memory_identify(const struct session *s, uint64_t address, struct job_argument *a)
{
	struct address_range range;

	*a = (struct job_argument){ .buffer_id = -1, .has_pointer = address };
	if (!session_memory_find(s, address, &range))
		return;
	a->buffer_id = range.buffer_id;
	a->svm_address = range.address;
	a->buffer_bytes = range.is_of_the_device ? range.bytes : 0;
}
