/*
 * bypass_choice - which of several bypass lists to apply, or none; and the hybrid of two kinds.
 *
 * Lists whose figure is within a threshold of the best are taken to be as good: the one of fewest
 * rules wins, then the better one, then the first. Cache-all is one of them, without rules: so it
 * wins, "no gain: do not bypass", unless something is better by more than the threshold.
 */
#ifndef BYPASS_CHOICE_H
#define BYPASS_CHOICE_H

#include "bypass_measure.h"
#include "warp_curve.h"

#include <stddef.h>
#include <stdint.h>

struct bypass_list;
struct err;

enum { BYPASS_CHOICE_THRESHOLD_PPM = 10000 }; /* by default 1 % of what cache-all takes */

struct bypass_option {
	struct bypass_measure measure;
	size_t rules;
};

/*
 * The number of the option to apply. options[0] is cache-all; count >= 1. The threshold is in
 * millionths of options[0]'s figure.
 */
size_t bypass_choose(const struct bypass_option *options, size_t count,
                     enum bypass_objective objective, uint32_t threshold_ppm);

/*
 * The hybrid (Li 2016, 5.4.2: left there for later): the best list of sites, `sites`, then the
 * best PI for what it leaves to L1. *curve is measured with `sites` in every list (release it in
 * every case), and the best point's list is added to *list: `sites` and the warps rule, without
 * the rule where PI is `warps`, and without `sites` where PI is 0, as all is bypassed then.
 * Returns as warp_curve_measure().
 */
int bypass_hybrid(const struct bypass_judge *judge, const char *kernel, uint32_t warps,
                  const struct bypass_list *sites, struct warp_curve *curve,
                  struct bypass_list *list, struct err *err);

#endif
