/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "err.h"
#include "manual.h"
#include "say.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int exit_code_of(int ret)
{
	if (ret >= 0)
		return ret;
	return ret == ERR_USAGE ? EXIT_USAGE : EXIT_FAILED;
}

/* Refuse --help=x and similar words. Returns true if the word was one of these. */
static bool refuse_value(const char *word, int *ret, struct err *err)
{
	*ret = err_set(err, ERR_USAGE, "%.*s: takes no value", (int)strcspn(word, "="), word);
	return true;
}

/* Handle help and version as options. Returns false for all other words. */
static bool is_option(const char *word, int *ret, struct err *err)
{
	size_t count;
	const struct command *list = command_list(&count);

	if (!strcmp(word, "--help") || !strcmp(word, "-h"))
		manual_help_all(stdout, list, count);
	else if (!strcmp(word, "--version"))
		printf("warpline %s\n", WARPLINE_VERSION);
	else if (!strncmp(word, "--help=", 7) || !strncmp(word, "--version=", 10))
		return refuse_value(word, ret, err);
	else
		return false;
	*ret = say_flush(stdout, "standard output", err);
	return true;
}

/* If a standard stream is closed, no file opened here may take its place: it would receive the
 * output. A recorded program still finds it closed. */
static void fill_standard_streams(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open("/dev/null", (fd ? O_RDONLY : O_WRONLY) | O_CLOEXEC);
}

int main(int argc, char **argv)
{
	struct err err = { 0 };
	const struct command *c;
	int ret;

	fill_standard_streams();
	if (argc < 2) {
		manual_next_step(stderr);
		return EXIT_USAGE;
	}
	if (is_option(argv[1], &ret, &err)) {
		if (ret)
			fprintf(stderr, "warpline: %s\n", err.msg);
		return exit_code_of(ret);
	}
	c = command_find(argv[1], &err);
	if (!c) {
		fprintf(stderr, "warpline: %s\n", err.msg);
		return EXIT_USAGE;
	}
	ret = command_run(c, argc - 2, argv + 2, &err);
	if (ret < 0)
		say_line(c->name, "%s", err.msg);
	return exit_code_of(ret);
}
