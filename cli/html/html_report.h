/*
 * html_report - `report --html`: the page of a report, written to a file.
 */
#ifndef HTML_REPORT_H
#define HTML_REPORT_H

#include <stdbool.h>

struct err;
struct report_data;

/*
 * Write the page of data made with curves and patterns to `file` (out_file.h), "-" for standard
 * output. One launch is replayed twice more for its picture (html_order.h), which with `is_quiet`
 * no line on the terminal says. Returns 0, ERR_IO, ERR_NOMEM, or what replay_launch() does.
 */
int html_report_write(const struct report_data *d, const char *file, bool is_quiet,
                      struct err *err);

#endif
