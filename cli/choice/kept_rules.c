/* SPDX-License-Identifier: Apache-2.0 */
#include "kept_rules.h"

#include "read_rules.h"
#include "recording.h"
#include "say.h"

int read_rules_load_or_kept(struct bypass_list *list, const char *text_or_path, const char *command,
                            const struct recording *r, const struct gpu *gpu, struct err *err)
{
	int ret;

	if (text_or_path || !r->bypass.file)
		return read_rules_load(list, "--bypass", text_or_path, r, gpu, err);
	ret = read_rules_load_kept(list, r, gpu, err);
	if (!ret)
		say_line(command,
		         "the bypass list that the recording keeps is applied; --bypass none "
		         "replays without it");
	return ret;
}
