/*
 * bypass_option - what `record --bypass LIST` and `--apply LIST` give to the recorder.
 *
 * A list is checked here, before a program starts. It is a file, or rules with commas between them
 * (bypass_list.h).
 */
#ifndef BYPASS_OPTION_H
#define BYPASS_OPTION_H

struct err;
struct recording;

/* So long a text may be as a variable of the environment. */
#define BYPASS_OPTION_BYTES_MAX 100000

/*
 * What WARPLINE_BYPASS is to be: the rules, or the whole path of the file. `what` names the option
 * in messages. On the heap; NULL with ERR_USAGE, ERR_IO, ERR_FORMAT, ERR_LIMIT, ERR_NOMEM.
 */
char *bypass_option_keep(const char *value, const char *what, struct err *err);

/*
 * What WARPLINE_APPLY is to be: the text of a file with those rules that code can be changed by.
 * How many others there are is said on stderr. Also accepts such a text. As above.
 */
char *bypass_option_apply(const char *value, const char *what, struct err *err);

/*
 * Say on stderr what of the list that a recording keeps as `applied` came into its kernels' code,
 * and which rules did not; and whether the list that it keeps as `bypass` is one that replay
 * refuses.
 */
void bypass_option_report(const struct recording *r, struct err *err);

#endif
