/* SPDX-License-Identifier: Apache-2.0 */
#include "table_file.h"

#include "err.h"
#include "kernel_table.h"
#include "kernel_table_json.h"

#include <stdlib.h>
#include <string.h>

struct renaming {
	const char *name, *other;
	struct err *err;
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int rename_place(struct place *place, const struct renaming *r)
{
	char *other;

	if (!place->file || strcmp(base_name(place->file), base_name(r->name)) != 0)
		return 0;
	other = strdup(r->other);
	if (!other)
		return err_set(r->err, ERR_NOMEM, "out of memory for the places of a kernel");
	free(place->file);
	place->file = other;
	return 0;
}

static int rename_site(struct site *site, const struct renaming *r)
{
	int ret = rename_place(&site->place, r);

	for (size_t i = 0; !ret && i < site->inlined_count; i++)
		ret = rename_place(&site->inlined_at[i], r);
	return ret;
}

int table_file_rename(struct kernel_table *out, const struct kernel_table *from, const char *name,
                      const char *other, struct err *err)
{
	const struct renaming r = { name, other, err };
	json_t *copy = kernel_table_to_json(from);
	int ret = copy ? kernel_table_from_json(out, copy, err)
	               : err_set(err, ERR_NOMEM, "out of memory for the table of kernel %s",
	                         from->name);

	json_decref(copy);
	if (ret)
		return ret;
	for (size_t i = 0; !ret && i < out->site_count; i++)
		ret = rename_site(&out->sites[i], &r);
	for (size_t i = 0; !ret && i < out->loop_count; i++)
		ret = rename_place(&out->loops[i].place, &r);
	for (size_t i = 0; !ret && i < out->unrecorded_count; i++)
		ret = rename_place(&out->unrecorded[i].place, &r);
	if (ret)
		kernel_table_release(out);
	return ret;
}
