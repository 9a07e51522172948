/*
 * curve_json - miss-ratio curves as JSON (docs/json.md), with the points that curve_walk_next()
 * shows.
 */
#ifndef CURVE_JSON_H
#define CURVE_JSON_H

struct curve_facts;
struct curve_set;
struct err;
struct recording;

/* Write the curves of a recording. Returns what json_out_write() does. */
int curve_json_write(const struct curve_set *c, const struct recording *r,
                     const struct curve_facts *f, const char *file, struct err *err);

#endif
