/* SPDX-License-Identifier: Apache-2.0 */
#include "miss_classes.h"

#include "err.h"

#include <assert.h>

int miss_classes_init(struct miss_classes *m, uint32_t line_count, struct err *err)
{
	int ret;

	*m = (struct miss_classes){ 0 };
	if (!line_count)
		return 0;
	ret = full_lru_init(&m->recent, line_count, err);
	return ret ? ret : line_history_init(&m->history, err);
}

void miss_classes_release(struct miss_classes *m)
{
	full_lru_release(&m->recent);
	line_history_release(&m->history);
}

/* By whether a fully associative cache has the line, and its past. A table, since neither can be
 * foreseen and the past is waited for. */
static const unsigned char classes[2][3] = {
	{ [LINE_NEW] = MISS_COLD, [LINE_READ] = MISS_CAPACITY, [LINE_TAKEN] = MISS_COHERENCE },
	{ [LINE_NEW] = MISS_COLD, [LINE_READ] = MISS_CONFLICT, [LINE_TAKEN] = MISS_COHERENCE },
};

void miss_classes_hit(struct miss_classes *m, uint64_t line)
{
	if (m->recent.capacity)
		full_lru_touch(&m->recent, line);
}

enum miss_class miss_classes_miss(struct miss_classes *m, uint64_t line)
{
	bool is_recent;

	if (!m->recent.capacity)
		return MISS_COLD;
	is_recent = full_lru_touch(&m->recent, line);
	return (enum miss_class)classes[is_recent][line_history_read(&m->history, line)];
}

void miss_classes_reads(struct miss_classes *m, const uint64_t *lines, const bool *has_missed,
                        size_t count, uint64_t counts[MISS_CLASSES])
{
	uint64_t missed[MISS_CLASSES_READS] = { 0 };
	bool is_recent[MISS_CLASSES_READS];
	unsigned char pasts[MISS_CLASSES_READS];
	size_t misses = 0;

	assert(count <= MISS_CLASSES_READS);
	for (size_t i = 0; i < count; i++) {
		missed[misses] = lines[i];
		is_recent[misses] = full_lru_touch(&m->recent, lines[i]);
		misses += has_missed[i];
	}
	line_history_read_all(&m->history, missed, misses, pasts);
	for (size_t i = 0; i < misses; i++)
		counts[classes[is_recent[i]][pasts[i]]]++;
}

void miss_classes_take(struct miss_classes *m, uint64_t line)
{
	if (m->recent.capacity)
		line_history_take(&m->history, line);
}

int miss_classes_status(const struct miss_classes *m, struct err *err)
{
	if (!m->history.is_failed)
		return 0;
	return err_set(err, ERR_NOMEM,
	               "miss classes: out of memory for the history of %zu regions of %d lines",
	               m->history.pages.count, LINE_HISTORY_PAGE_LINES);
}
