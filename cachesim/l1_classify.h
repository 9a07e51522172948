/*
 * l1_classify - counting why a read missed (for l1*.c only).
 */
#ifndef L1_CLASSIFY_H
#define L1_CLASSIFY_H

#include "l1_private.h"

/* Count a miss by its class. Without a branch: the class is unpredictable, and arrives late from
 * memory. */
static inline void l1_count_class(enum miss_class class, struct counters *c)
{
	static const uint8_t offsets[] = {
		[MISS_COLD] = offsetof(struct counters, cold),
		[MISS_COHERENCE] = offsetof(struct counters, coherence),
		[MISS_CAPACITY] = offsetof(struct counters, capacity),
		[MISS_CONFLICT] = offsetof(struct counters, conflict),
	};

	++*(uint64_t *)(void *)((char *)c + offsets[class]);
}

/* Count why a read missed, if classes are wanted; its line is brought in now. The class is valid
 * only with has_classes. */
static inline enum miss_class l1_classify(struct l1 *l1, uint64_t line, struct counters *c,
                                          bool has_classes)
{
	enum miss_class class = MISS_COLD;

	if (has_classes) {
		class = miss_classes_miss(&l1->classes, line);
		l1_count_class(class, c);
	}
	return class;
}

#endif
