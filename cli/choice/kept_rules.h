/*
 * kept_rules - which reads bypass L1 in a replay: what --bypass says, else the list that the
 * recording keeps.
 */
#ifndef KEPT_RULES_H
#define KEPT_RULES_H

struct bypass_list;
struct err;
struct gpu;
struct recording;

/* read_rules_load() for --bypass of `command`; without a text, the list that the recording keeps,
 * which the command reports on stderr. Release it with bypass_list_release() in every case. */
int read_rules_load_or_kept(struct bypass_list *list, const char *text_or_path, const char *command,
                            const struct recording *r, const struct gpu *gpu, struct err *err);

#endif
