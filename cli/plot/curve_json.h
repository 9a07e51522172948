/*
 * curve_json - miss-ratio curves as JSON (docs/json.md), with the points that curve_walk_next()
 * shows.
 */
#ifndef CURVE_JSON_H
#define CURVE_JSON_H

#include <stdbool.h>

struct curve_set;
struct err;
struct recording;

/* Write the curves of a recording; `is_whole`: so was every launch played. Returns what
 * json_out_write() does. */
int curve_json_write(const struct curve_set *c, const struct recording *r, bool is_whole,
                     const char *file, struct err *err);

#endif
