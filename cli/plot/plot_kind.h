/*
 * plot_kind - the kinds of picture that `plot --what` draws: one of them into a file, or each into
 * a file of its own.
 */
#ifndef PLOT_KIND_H
#define PLOT_KIND_H

#include "plot_job.h"

enum plot_kind {
#define PLOT_KIND(name, text) PLOT_KIND_##name,
#include "plot_kinds.def"
#undef PLOT_KIND
	PLOT_KINDS /* all of them */
};

/* "order", ..., "all". Static storage. */
const char *plot_kind_name(uint32_t kind);

/* Draw a kind into `file`, as plot_output_make() does; *outcome is zeroed before. Returns 0, what
 * a plot_write_fn or plot_output_make() returns. */
int plot_kind_draw(const struct plot_job *job, uint32_t kind, const char *file,
                   struct player_outcome *outcome, struct err *err);

/* Draw each kind into a file named after `file` and itself. Of one that has nothing to draw this is
 * said on stderr, and the others are drawn. Returns 0 or the first other error. */
int plot_kind_draw_all(const struct plot_job *job, const char *file, struct player_outcome *outcome,
                       struct err *err);

#endif
