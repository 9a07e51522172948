/*
 * report_curve - the points of a miss-ratio curve, from reuse distances (private to
 * analysis/report).
 */
#ifndef REPORT_CURVE_H
#define REPORT_CURVE_H

#include "report_play.h"

/*
 * Points for 1, 2, 3, 4, 6, 8, 12, ... lines, the GPU's own number, and the least with which more
 * would not miss less, up to twice the last of these. Returns 0 or ERR_NOMEM; free(curve->points).
 */
int report_curve_make(struct report_curve *curve, const struct report_distances *distances,
                      uint32_t sets, uint64_t own_lines, struct err *err);

#endif
