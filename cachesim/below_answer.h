/*
 * below_answer - an answer to an L1 from the levels below it (private to this room).
 */
#ifndef BELOW_ANSWER_H
#define BELOW_ANSWER_H

#include <stdint.h>

enum below_answer_kind {
	ANSWER_DATA,       /* a message's data is in L1 from this cycle on */
	ANSWER_INVALIDATE, /* the line is no longer below; from this cycle on it is not in L1 */
};

struct below_answer {
	uint64_t cycle;
	uint64_t token_or_line; /* DATA: the token; INVALIDATE: address of the line's first byte */
	enum below_answer_kind kind;
};

#endif
