/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_memory.h"

#include "gpu_session.h"
#include "recorder.h"

void gpu_memory_add(struct gpu_session *s, uint64_t address, uint64_t bytes, bool is_of_the_device)
{
	struct address_range range = { .address = address,
		                       .bytes = bytes,
		                       .is_of_the_device = is_of_the_device };
	const struct recorded_buffer line = { .bytes = bytes,
		                              .parent = -1,
		                              .svm_address = address };

	if (!address || !bytes || address > UINT64_MAX - bytes ||
	    !recorder_buffer(s->recorder, &line, &range.buffer_id))
		return;
	gpu_session_lock(s);
	address_ranges_put(&s->ranges, &range);
	gpu_session_unlock(s);
}

void gpu_memory_end(struct gpu_session *s, uint64_t address)
{
	gpu_session_lock(s);
	address_ranges_end(&s->ranges, address);
	gpu_session_unlock(s);
}

bool gpu_memory_find(const struct gpu_session *s, uint64_t address, struct address_range *out)
{
	return address_ranges_find(&s->ranges, address, out);
}
