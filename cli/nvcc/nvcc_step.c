/* SPDX-License-Identifier: Apache-2.0 */
#include "nvcc_step.h"

#include "err.h"
#include "nvcc_plan.h"
#include "word_list.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int cannot_start(const char *name, int code, struct err *err)
{
	bool is_clang = !strcmp(name, NVCC_CLANG) || !strcmp(name, NVCC_CLANG_CXX);

	if (is_clang && code == ENOENT)
		return err_set(
			err, ERR_IO,
			"%s: not found in PATH, and it compiles CUDA sources here; on Debian "
			"and Ubuntu: apt install clang-14",
			name);
	return err_set(err, ERR_IO, "%s: %s", name, strerror(code));
}

int nvcc_step_run(struct word_list *step, struct err *err)
{
	char *const *argv = word_list_argv(step, err);
	int code, status = 0;
	pid_t child;

	if (!argv)
		return ERR_NOMEM;
	code = posix_spawnp(&child, argv[0], NULL, NULL, argv, environ);
	if (code)
		return cannot_start(argv[0], code, err);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return err_set(err, ERR_IO, "%s: %s", argv[0], strerror(errno));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
