/*
 * html_report - `report --html`: the page of a report, written to a file.
 */
#ifndef HTML_REPORT_H
#define HTML_REPORT_H

struct err;
struct report_data;

/*
 * Write the page of data made with curves and patterns to `file` (out_file.h), "-" for standard
 * output. One launch is replayed once more for its picture (html_order.h). Returns 0, ERR_IO,
 * ERR_NOMEM, or what replay_launch() does.
 */
int html_report_write(const struct report_data *d, const char *file, struct err *err);

#endif
