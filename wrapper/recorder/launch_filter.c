/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_filter.h"

#include "cpp_names.h"
#include "err.h"
#include "group_selection.h"
#include "recorder_settings.h"

#include <stdlib.h>
#include <string.h>

int launch_filter_init(struct launch_filter *f, const struct recorder_settings *settings,
                       struct err *err)
{
	int rc = 0;

	memset(f, 0, sizeof(*f));
	if (settings->kernel && regcomp(&f->kernel, settings->kernel, REG_EXTENDED | REG_NOSUB))
		return err_set(err, ERR_USAGE,
		               "kernels: expected a POSIX extended regular expression, not '%s'",
		               settings->kernel);
	f->has_kernel = settings->kernel;
	if (settings->launches)
		rc = group_selection_parse(&f->launches, settings->launches, "launches", err);
	if (rc == 0 && settings->groups)
		rc = group_selection_parse(&f->groups, settings->groups, "groups", err);
	return rc;
}

void launch_filter_release(struct launch_filter *f)
{
	if (f->has_kernel)
		regfree(&f->kernel);
	group_selection_free(f->launches);
	group_selection_free(f->groups);
	memset(f, 0, sizeof(*f));
}

bool launch_filter_has_kernel(const struct launch_filter *f, const char *name)
{
	char *written = NULL;
	bool has = !f->has_kernel || regexec(&f->kernel, name, 0, NULL, 0) == 0;

	if (!has)
		written = cpp_name(name, false);
	has = has || (written && regexec(&f->kernel, written, 0, NULL, 0) == 0);
	free(written);
	return has;
}

bool launch_filter_has_launch(const struct launch_filter *f, uint64_t number, uint64_t group_count)
{
	if (f->launches && !group_selection_has(f->launches, number))
		return false;
	return !f->groups || group_selection_next(f->groups, 0, group_count) < group_count;
}
