/* SPDX-License-Identifier: Apache-2.0 */
#include "group_spec.h"

#include "err.h"
#include "gpu.h"
#include "gpu_catalogue.h"
#include "number.h"
#include "str.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { RESOLVED_LIMIT_BYTES = 1 << 20 };

/* Append one part; `part` is overwritten. */
static int resolve_part(struct str *out, char *part, const char *what, struct err *err)
{
	struct err why = { 0 };
	struct gpu gpu;
	uint64_t sm;
	char *at;
	int ret;

	if (strncmp(part, "sm:", 3) != 0)
		return str_append(out, part, strlen(part), err);
	at = strchr(part, '@');
	if (!at || at == part + 3 || !at[1])
		return err_set(err, ERR_USAGE, "%s: '%s': expected sm:S@GPU, an SM of a GPU", what,
		               part);
	*at = '\0';
	ret = gpu_catalogue_load(&gpu, at + 1, NULL, &why);
	if (ret)
		return err_set(err, ERR_USAGE, "%s: %s", what, why.msg);
	ret = number_parse(part + 3, what, 0, UINT64_MAX, &sm, err);
	if (!ret && sm >= gpu.sm_count)
		ret = err_set(err, ERR_USAGE, "%s: %s has the SMs 0..%" PRIu32 ", not %" PRIu64,
		              what, gpu.name, gpu.sm_count - 1, sm);
	return ret ? ret : str_printf(out, err, "%" PRIu64 "../%" PRIu32, sm, gpu.sm_count);
}

char *group_spec_resolve(const char *spec, const char *what, struct err *err)
{
	char *copy = str_copy(spec, err), *rest = copy, *part;
	struct str out;
	int ret = copy ? 0 : ERR_NOMEM;

	str_init(&out, RESOLVED_LIMIT_BYTES);
	if (!ret)
		ret = str_append(&out, "", 0, err);
	while (!ret && (part = strsep(&rest, ","))) {
		ret = resolve_part(&out, part, what, err);
		if (!ret && rest)
			ret = str_append(&out, ",", 1, err);
	}
	free(copy);
	if (ret) {
		str_release(&out);
		return NULL;
	}
	return str_take(&out);
}
