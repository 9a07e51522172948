/* SPDX-License-Identifier: Apache-2.0 */
#include "subprocess.h"

#include "array.h"
#include "err.h"

#include <errno.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* The child's standard input, output and error; -1 while not open. */
struct streams {
	int fd[3];
};

static void streams_close(struct streams *s)
{
	for (int i = 0; i < 3; i++)
		if (s->fd[i] >= 0)
			close(s->fd[i]);
}

static int write_all(int fd, const char *bytes, size_t length, struct err *err)
{
	while (length > 0) {
		ssize_t n = write(fd, bytes, length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_set(err, ERR_IO, "input of a helper program: %s",
			               strerror(errno));
		bytes += n;
		length -= (size_t)n;
	}
	return 0;
}

static int streams_open(struct streams *s, const struct str *input, struct err *err)
{
	*s = (struct streams){ .fd = { -1, -1, -1 } };
	for (int i = 0; i < 3; i++) {
		s->fd[i] = memfd_create("stream", MFD_CLOEXEC);
		if (s->fd[i] < 0)
			return err_set(err, ERR_IO, "memfd_create: %s", strerror(errno));
	}
	if (write_all(s->fd[0], input->text, input->length, err))
		return ERR_IO;
	if (lseek(s->fd[0], 0, SEEK_SET) < 0)
		return err_set(err, ERR_IO, "input of a helper program: %s", strerror(errno));
	return 0;
}

static int read_all(int fd, struct str *out, struct err *err)
{
	char bytes[65536];
	off_t offset = 0;

	for (;;) {
		ssize_t n = pread(fd, bytes, sizeof(bytes), offset);
		int ret;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_set(err, ERR_IO, "output of a helper program: %s",
			               strerror(errno));
		if (n == 0)
			return 0;
		ret = str_append(out, bytes, (size_t)n, err);
		if (ret)
			return ret;
		offset += n;
	}
}

static bool is_hidden_from_child(const char *setting)
{
	return !strncmp(setting, "LD_PRELOAD=", 11) || !strncmp(setting, "OPENCL_LAYERS=", 14);
}

/* The environment for the child: an array of borrowed strings; the caller frees the array. */
static char **child_environment(struct err *err)
{
	size_t count = 0, kept = 0;
	char **copy;

	while (environ[count])
		count++;
	copy = array_alloc(count + 1, sizeof(*copy), "an environment", err);
	for (size_t i = 0; copy && i < count; i++)
		if (!is_hidden_from_child(environ[i]))
			copy[kept++] = environ[i];
	return copy;
}

static int spawn(char *const argv[], const struct streams *s, pid_t *child, struct err *err)
{
	posix_spawn_file_actions_t actions;
	char **environment = child_environment(err);
	int code;

	if (!environment)
		return ERR_NOMEM;
	code = posix_spawn_file_actions_init(&actions);
	for (int i = 0; !code && i < 3; i++)
		code = posix_spawn_file_actions_adddup2(&actions, s->fd[i], i);
	if (!code)
		code = posix_spawnp(child, argv[0], &actions, NULL, argv, environment);
	posix_spawn_file_actions_destroy(&actions);
	free(environment);
	if (code)
		return err_set(err, ERR_SUBPROCESS, "%s cannot be started: %s", argv[0],
		               strerror(code));
	return 0;
}

static int wait_for(pid_t child, int *status, struct err *err)
{
	int raw;

	while (waitpid(child, &raw, 0) < 0)
		if (errno != EINTR)
			return err_set(err, ERR_SUBPROCESS, "waitpid: %s", strerror(errno));
	*status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
	return 0;
}

int subprocess_run(char *const argv[], const struct str *input, struct str *output,
                   struct str *errors, int *status, struct err *err)
{
	struct streams s;
	pid_t child = -1;
	int ret = streams_open(&s, input, err);

	if (!ret)
		ret = spawn(argv, &s, &child, err);
	if (!ret)
		ret = wait_for(child, status, err);
	if (!ret)
		ret = read_all(s.fd[1], output, err);
	if (!ret)
		ret = read_all(s.fd[2], errors, err);
	streams_close(&s);
	return ret;
}
