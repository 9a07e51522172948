/*
 * read_rules - the rules of an option that name reads (bypass_list.h), checked against a recording.
 */
#ifndef READ_RULES_H
#define READ_RULES_H

struct bypass_list;
struct err;
struct gpu;
struct recording;

/*
 * Each rule must be for a kernel of the recording and name one of its reads, a buffer of the
 * recording, or an SM of the GPU (NULL: SMs are not checked); a site must be at the place that the
 * rule gives. Whether a warp number occurs, or an address is read, is not checked: only a replay
 * knows. Returns 0, or ERR_USAGE with "OPTION: ..." for the first rule that fails.
 */
int read_rules_check(const struct bypass_list *list, const char *option, const struct recording *r,
                     const struct gpu *gpu, struct err *err);

/* Load `text_or_path`, of the same option, into *list and check it. NULL: the list stays empty.
 * Returns 0, ERR_USAGE, or an error of bypass_list_load(); release it with bypass_list_release()
 * in every case. */
int read_rules_load(struct bypass_list *list, const char *option, const char *text_or_path,
                    const struct recording *r, const struct gpu *gpu, struct err *err);

/* The same for the list that the recording keeps; *list stays empty if there is none. */
int read_rules_load_kept(struct bypass_list *list, const struct recording *r, const struct gpu *gpu,
                         struct err *err);

#endif
