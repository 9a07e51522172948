/*
 * read_rules - rules that name reads (bypass_list.h), of an option, checked against a recording.
 */
#ifndef READ_RULES_H
#define READ_RULES_H

struct bypass_list;
struct err;
struct gpu;
struct recording;

/*
 * Each rule must be of a kernel of the recording and name a read of it, a buffer of the recording,
 * or an SM of the GPU, which are not asked for without one (NULL); a site must be where the rule
 * says that it is. Whether a warp has a number as high as a rule tells, or reads an address, is not
 * asked: only a replay knows. Returns 0, or ERR_USAGE with "OPTION: ..." for the first rule that
 * does not.
 */
int read_rules_check(const struct bypass_list *list, const char *option, const struct recording *r,
                     const struct gpu *gpu, struct err *err);

/* Read `text_or_path`, of the same option, into *list and check it. NULL: the list stays empty.
 * Returns 0, ERR_USAGE, or what bypass_list_load() does; release it with bypass_list_release() in
 * every case. */
int read_rules_load(struct bypass_list *list, const char *option, const char *text_or_path,
                    const struct recording *r, const struct gpu *gpu, struct err *err);

/* The same for the list that the recording keeps; where it keeps none *list stays empty. */
int read_rules_load_kept(struct bypass_list *list, const struct recording *r, const struct gpu *gpu,
                         struct err *err);

#endif
