/*
 * tally_reason - why launches that have no line of their own in the recording were not recorded.
 */
#ifndef TALLY_REASON_H
#define TALLY_REASON_H

#include <stdint.h>

struct recorded_tally;
struct recording;

enum { TALLY_REASON_BYTES = 512 };

/* Why the launches of a tally were not recorded; borrowed. */
const char *tally_reason(const struct recorded_tally *t);

/* Why launch `number`, which has no line, was not recorded, as far as that is known; in `text`. */
const char *tally_reason_launch(char text[TALLY_REASON_BYTES], const struct recording *r,
                                uint64_t number);

#endif
