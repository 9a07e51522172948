/*
 * number_list - numbers given as a list, such as 1,2,8..64.
 */
#ifndef NUMBER_LIST_H
#define NUMBER_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

enum { NUMBER_LIST_LIMIT = 1024 };

struct number_list {
	uint32_t numbers[NUMBER_LIST_LIMIT]; /* ascending, each once */
	size_t count;
};

/* The meaning of A..B: every number, or the powers of two. */
enum number_range { NUMBER_RANGE_ALL, NUMBER_RANGE_POWERS };

/* The allowed numbers; `what` begins messages. */
struct number_bounds {
	const char *what;
	uint32_t min, max;
	enum number_range range;
};

/*
 * Parse all of `text`: numbers and ranges A..B (both included), comma-separated. Returns 0, or
 * ERR_USAGE with "WHAT: ..."; a range without a number, and more than NUMBER_LIST_LIMIT numbers,
 * are errors too.
 */
int number_list_parse(struct number_list *list, const char *text, const struct number_bounds *b,
                      struct err *err);

#endif
