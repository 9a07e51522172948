/*
 * report_rows - the rows of report_data that are sums over sites, and what names them: source
 * lines, arguments, buffers (private to analysis/report).
 */
#ifndef REPORT_ROWS_H
#define REPORT_ROWS_H

#include "report_data.h"

/* Fill d->sources, for the programs of d->kernels. Returns 0 or ERR_NOMEM; a source that cannot be
 * read is one that is not there. */
int report_rows_sources(struct report_data *d, struct err *err);

/* Fill the lines and the arguments of every kernel, from its sites, and d->buffers from the sum of
 * l1_stats' tables of buffers. Return 0 or ERR_NOMEM. */
int report_rows_sites(struct report_data *d, struct err *err);
int report_rows_buffers(struct report_data *d, const struct l1_stats_list *buffers,
                        struct err *err);

#endif
