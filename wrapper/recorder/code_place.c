/* SPDX-License-Identifier: Apache-2.0 */
#include "code_place.h"

#include "err.h"
#include "file.h"
#include "line_walk.h"
#include "program_code.h"
#include "str.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIST_LIMIT_BYTES (64u << 20)

int code_place_folder(const struct program_code *code, const char **folder, struct err *err)
{
	*folder = NULL;
	for (size_t i = 0; i < code->part_count; i++) {
		const char *other = code->parts[i].folder;

		if (*folder && other && strcmp(*folder, other) != 0)
			return err_set(err, ERR_UNSUPPORTED,
			               "linked of programs that include files and were compiled in "
			               "different folders");
		*folder = other ? other : *folder;
	}
	return 0;
}

/* Check the header whose path is the first `length` bytes of `line`. */
static int check_header(const char *line, size_t length, int64_t built_ns, struct err *err)
{
	char path[PATH_MAX];
	struct stat st;

	if (length >= sizeof(path))
		return err_set(err, ERR_LIMIT, "the name of a header has %zu bytes", length);
	memcpy(path, line, length);
	path[length] = '\0';
	if (stat(path, &st) < 0 ||
	    (int64_t)st.st_ctim.tv_sec * 1000000000 + st.st_ctim.tv_nsec > built_ns)
		return err_set(err, ERR_UNSUPPORTED,
		               "the header %.300s has changed since the program was compiled",
		               path);
	return 0;
}

static int check_list(const struct str *list, int64_t built_ns, struct err *err)
{
	struct line_walk walk = line_walk_begin(list->text, list->length);
	struct line line;
	int rc = 0;

	while (rc == 0 && line_walk_next(&walk, &line))
		rc = check_header(line.text, line.length, built_ns, err);
	return rc;
}

int code_place_check(const struct program_code *code, const char *list, struct err *err)
{
	int64_t built_ns = INT64_MAX;
	bool is_kept = false;
	struct str paths;
	int rc;

	for (size_t i = 0; i < code->part_count; i++) {
		const struct code_part *part = &code->parts[i];

		if (!part->folder)
			continue;
		built_ns = part->built_ns < built_ns ? part->built_ns : built_ns;
		is_kept |= part->is_kept;
	}
	if (built_ns == INT64_MAX)
		return 0;
	if (access(list, R_OK) != 0)
		return is_kept ? err_set(err, ERR_UNSUPPORTED,
		                         "which headers the program includes "
		                         "is not known")
		               : 0;
	str_init(&paths, LIST_LIMIT_BYTES);
	rc = file_read(list, &paths, err);
	if (rc == 0)
		rc = check_list(&paths, built_ns, err);
	str_release(&paths);
	return rc;
}
