/*
 * warp_curve - how a kernel performs if, in each group, the warps below a threshold PI use L1 and
 * the others bypass it (Li 2015; Li 2016, chapter 5). PI = 0 bypasses all; PI = W, the most warps
 * of a group, caches all; groups with fewer warps than PI cache all as well.
 *
 * On hardware the threshold costs a predicate, which is not modelled. W + 1 replays; if W is 65 or
 * more, 65 thresholds, as even as possible, including 0 and W.
 *
 * The class of the curve v (the objective's figure, least is best), with low = min v. Differences
 * of up to `noise` = 2% of low do not count, and a trend may be broken by up to slip = max(noise, a
 * tenth of (max v - low)):
 *     insensitive       max v - low <= noise
 *     bypass-favourite  v[0] - low <= noise, and v never falls by more than slip from any earlier
 *                       point
 *     cache-favourite   v[W] - low <= noise, and v never rises by more than slip from any earlier
 *                       point
 *     congested         both ends are above low by more than noise, and v does not rise by more
 *                       than slip before its least point, nor fall by more than that after it
 *     irregular         all others
 * in this order. The paper names the classes and gives no thresholds.
 *
 * The class ignores a ceiling of bytes. The best point is that of bypass_pick(), with a greater PI
 * instead of fewer rules, and BYPASS_SLACK_PPM.
 */
#ifndef WARP_CURVE_H
#define WARP_CURVE_H

#include "bypass_measure.h"

#include <stddef.h>
#include <stdint.h>

struct bypass_list;
struct err;

enum warp_class {
#define WARP_CLASS(name, word, text) WARP_##name,
#include "warp_classes.def"
#undef WARP_CLASS
};

enum { WARP_CURVE_POINTS = 65, WARP_CURVE_NOISE_PPM = 20000, WARP_CURVE_SLIP_PERCENT = 10 };

struct warp_point {
	uint32_t pi;
	struct bypass_measure measure;
};

struct warp_curve {
	struct warp_point *points; /* by PI; the first for 0, the last for `warps` */
	size_t count;
	uint32_t warps;
	size_t best; /* of the points: the greatest PI among those as good as the best */
	enum warp_class shape;
};

/*
 * Measure the curve of a kernel (NULL: all kernels) whose groups have at most `warps` >= 1 warps,
 * with the rules of `base` (NULL: none) in every list. Fills *out (release it in every case).
 * Returns 0, ERR_NOMEM, or an error of the judge or bypass_list_add().
 */
int warp_curve_measure(struct warp_curve *out, const struct bypass_judge *judge, char *kernel,
                       uint32_t warps, const struct bypass_list *base, struct err *err);

/* Add the best point's rule to *list: `all` of the kernel for PI = 0, none for PI = `warps`.
 * Returns 0 or an error of bypass_list_add(). */
int warp_curve_list(const struct warp_curve *c, char *kernel, struct bypass_list *list,
                    struct err *err);

/*
 * The hybrid (Li 2016, 5.4.2, leaves it to later work): the best list of sites, and then the best
 * PI for the reads that it leaves to L1. `c` is that of warp_curve_measure() with `sites` as its
 * base. Add the list of its best point to *list: `sites` and the warps rule, without the rule if PI
 * is all warps, and without `sites` if PI is 0, since everything is bypassed then. Returns 0 or an
 * error of bypass_list_add().
 */
int warp_curve_hybrid(const struct warp_curve *c, char *kernel, const struct bypass_list *sites,
                      struct bypass_list *list, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void warp_curve_release(struct warp_curve *c);

/* The class of v[0..count), count >= 1, as above. */
enum warp_class warp_curve_classify(const uint64_t *v, size_t count);
const char *warp_class_word(enum warp_class shape);
const char *warp_class_text(enum warp_class shape);

#endif
