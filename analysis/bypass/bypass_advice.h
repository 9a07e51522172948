/*
 * bypass_advice - a bypass list of a kernel in words that a programmer can act on.
 *
 * It says what the list does; whether that is good is reported elsewhere (cli/bypass).
 */
#ifndef BYPASS_ADVICE_H
#define BYPASS_ADVICE_H

struct bypass_list;
struct bypass_try;
struct err;
struct str;

/*
 * Append "mm.cl:9: let the read of B[j] bypass L1", or the kernel's name in front where the reads
 * are not in one file. The list has a rule; of reads that were never made nothing is said. Returns
 * 0, ERR_LIMIT or ERR_NOMEM.
 */
int bypass_advice_put(struct str *out, const struct bypass_try *t, const struct bypass_list *list,
                      struct err *err);

#endif
