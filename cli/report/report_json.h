/*
 * report_json - a report as JSON (docs/json.md).
 */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

struct err;
struct report_data;

/* Of the format: grows when a field changes its meaning or goes. */
enum { REPORT_JSON_VERSION = 1 };

/* Write to `file`, whole or not at all (out_file.h). Returns 0, ERR_IO or ERR_NOMEM. */
int report_json_write(const char *file, const struct report_data *d, struct err *err);

#endif
