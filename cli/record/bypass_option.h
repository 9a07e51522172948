/*
 * bypass_option - the lists of `record --bypass LIST` and `--apply LIST`, for the recorder.
 *
 * A list is a file, or comma-separated rules (bypass_list.h). It is checked here, before the
 * program starts.
 */
#ifndef BYPASS_OPTION_H
#define BYPASS_OPTION_H

struct err;
struct recording;

/* The longest value of an environment variable. */
#define BYPASS_OPTION_BYTES_MAX 100000

/*
 * The value of WARPLINE_BYPASS: the rules, or the absolute path of the file. `what` names the
 * option in messages. On the heap; NULL with ERR_USAGE, ERR_IO, ERR_FORMAT, ERR_LIMIT, ERR_NOMEM.
 */
char *bypass_option_keep(const char *value, const char *what, struct err *err);

/*
 * The value of WARPLINE_APPLY: the contents of a list file, with only the rules that can be applied
 * to code; the number of others is reported on stderr. `value` may also be such contents. As above.
 */
char *bypass_option_apply(const char *value, const char *what, struct err *err);

/*
 * Report on stderr which rules of the recording's `applied` list could not be applied to its
 * kernels, and whether replay will refuse its `bypass` list.
 */
void bypass_option_report(const struct recording *r, struct err *err);

#endif
