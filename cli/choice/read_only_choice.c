/* SPDX-License-Identifier: Apache-2.0 */
#include "read_only_choice.h"

#include "err.h"
#include "gpu.h"
#include "read_rules.h"

int read_only_choice_load(struct bypass_list *out, const char *text, const struct recording *r,
                          const struct gpu *gpu, struct err *err)
{
	struct err why = { 0 };
	struct gpu cache;
	int ret;

	*out = (struct bypass_list){ 0 };
	if (!text)
		return 0;
	ret = read_only_list_parse(out, text, &why);
	if (ret)
		return err_set(err, (enum err_code)ret, "--read-only: %s", why.msg);
	ret = read_rules_check(out, "--read-only", r, gpu, err);
	if (ret || !read_only_gpu(&cache, gpu, &why))
		return ret;
	return err_set(err, ERR_USAGE, "--read-only: %s", why.msg);
}
