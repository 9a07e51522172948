/* SPDX-License-Identifier: Apache-2.0 */
#include "copy_dir.h"

#include "array.h"
#include "err.h"
#include "interrupt.h"
#include "recording_dir.h"
#include "str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The command of the first input, NULL-terminated for the writer. */
static char **command_of(const struct recording *r, struct err *err)
{
	char **words = array_alloc(r->command_count + 1, sizeof(*words), "command", err);

	for (size_t i = 0; words && i < r->command_count; i++)
		words[i] = r->command[i];
	return words;
}

static int add_all(struct copy_dir *c, struct recording_writer *w, int *status,
                   uint64_t *program_ns, struct err *err)
{
	struct recording_copy *copy = NULL;
	int ret = recording_copy_create(&copy, w, err);

	for (size_t i = 0; !ret && i < c->count; i++)
		ret = recording_copy_add(copy, c->inputs[i], &c->choice, err);
	if (!ret)
		ret = recording_copy_end(copy, err);
	if (!ret) {
		*status = recording_copy_status(copy, program_ns);
		c->left_out = recording_copy_left_out(copy, &c->left_out_bytes);
	}
	recording_copy_free(copy);
	return ret;
}

static int write_recording(struct copy_dir *c, const char *made, struct err *err)
{
	char **command = command_of(c->inputs[0], err);
	struct recording_writer *w = NULL;
	uint64_t program_ns = 0;
	int status = -1, ret = ERR_NOMEM;

	if (command)
		ret = recording_writer_create(&w, made, c->inputs[0]->tool_version, command, err);
	if (!ret)
		ret = add_all(c, w, &status, &program_ns, err);
	recording_writer_close(w);
	free(command);
	if (!ret && status >= 0)
		ret = recording_append_exit(made, status, program_ns, err);
	return ret;
}

/* Wait until everything is on disk. */
static int keep(const char *made, struct err *err)
{
	int fd = open(made, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret = 0;

	if (fd < 0 || syncfs(fd))
		ret = err_set(err, ERR_IO, "%s: %s", made, strerror(errno));
	if (fd >= 0)
		close(fd);
	return ret;
}

int copy_dir_make(struct copy_dir *c, const char *dir, const char *suffix, char **made,
                  struct err *err)
{
	size_t length = strlen(dir);
	int ret = 0, kept = 0;

	while (length > 1 && dir[length - 1] == '/')
		length--;
	*made = str_format(err, "%.*s.%s", (int)length, dir, suffix);
	if (!*made)
		return ERR_NOMEM;
	if (recording_dir_is_recording(*made))
		ret = recording_dir_remove(*made, err);
	if (!ret && access(*made, F_OK)) /* keep anything that is not our recording */
		kept = interrupt_keep(*made, INTERRUPT_DIR);
	if (!ret)
		ret = write_recording(c, *made, err);
	if (!ret)
		ret = keep(*made, err);
	interrupt_forget(kept);
	if (ret && recording_dir_is_recording(*made))
		recording_dir_remove(*made, NULL);
	return ret;
}

int copy_dir_exchange(const char *made, const char *dir, struct err *err)
{
	int ret = recording_dir_check(dir, err);

	if (ret)
		return ret;
	if (renameat2(AT_FDCWD, made, AT_FDCWD, dir, RENAME_EXCHANGE))
		return recording_dir_replace(made, dir, err);
	return recording_dir_remove(made, err);
}
