/*
 * svm_range - an SVM allocation of the application, to find which one a pointer lies in.
 */
#ifndef SVM_RANGE_H
#define SVM_RANGE_H

#include <stdint.h>

struct session;

struct svm_range {
	uint64_t address;
	uint64_t bytes;
	uint32_t buffer_id;
};

/*
 * The newest allocation that holds `address`: fills *out and returns 1, or returns 0. Freed
 * allocations stay known, since a newer one at the same place is found first. The session's
 * lock must be held.
 */
int svm_range_find(const struct session *s, uint64_t address, struct svm_range *out);

#endif
