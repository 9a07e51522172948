/* SPDX-License-Identifier: Apache-2.0 */
#include "pager.h"

#include "out_file.h"
#include "text.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NO_SHELL = 127 };

#define TEXT_LIMIT_BYTES (SIZE_MAX / 2)

/* The command line of the pager, or NULL. */
static const char *find_pager(void)
{
	const char *own = getenv("WARPLINE_PAGER"), *common = getenv("PAGER");
	const char *pager = own ? own : common ? common : "less";

	return *pager && strcmp(pager, "cat") != 0 ? pager : NULL;
}

void pager_begin(struct pager *p)
{
	const char *term = getenv("TERM");

	*p = (struct pager){ -1, -1 };
	if (!isatty(STDOUT_FILENO) || !term || !strcmp(term, "dumb") || !find_pager())
		return;
	p->text = out_file_in_memory("text", NULL);
	p->terminal = p->text < 0 ? -1 : dup(STDOUT_FILENO);
	if (p->terminal >= 0 && dup2(p->text, STDOUT_FILENO) == STDOUT_FILENO)
		return;
	if (p->terminal >= 0)
		close(p->terminal);
	if (p->text >= 0)
		close(p->text);
	*p = (struct pager){ -1, -1 };
}

size_t pager_rows(const char *text, size_t length, size_t columns)
{
	size_t rows = 0, column = 0;
	bool is_sequence = false;

	for (size_t i = 0; i < length; i++) {
		if (text[i] == '\n') {
			rows += 1 + (column ? (column - 1) / columns : 0);
			column = 0;
		} else if (text[i] == '\033') {
			is_sequence = true;
		} else if (is_sequence) {
			is_sequence = text[i] != 'm';
		} else if (!text_is_tail(text[i])) {
			column++;
		}
	}
	return rows + (column ? 1 + (column - 1) / columns : 0);
}

static bool is_long(int terminal, const struct str *text)
{
	struct winsize size;

	if (ioctl(terminal, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col)
		return false;
	return pager_rows(text->text, text->length, size.ws_col) >= size.ws_row;
}

static void write_all(int fd, const char *text, size_t length)
{
	while (length) {
		ssize_t written = write(fd, text, length);

		if (written < 0 && errno != EINTR)
			return;
		if (written > 0) {
			text += written;
			length -= (size_t)written;
		}
	}
}

/* Only in the child: become the pager. */
static _Noreturn void become(const struct pager *p)
{
	if (lseek(p->text, 0, SEEK_SET) == 0 && dup2(p->text, STDIN_FILENO) == STDIN_FILENO &&
	    !setenv("LESS", "FRX", 0))
		execl("/bin/sh", "sh", "-c", find_pager(), (char *)NULL);
	_exit(NO_SHELL);
}

/* Whether the pager has shown the text. It handles Ctrl-C until it ends. */
static bool show(const struct pager *p)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct sigaction interrupt;
	int status = -1;
	pid_t child = fork();

	if (!child)
		become(p);
	if (child < 0)
		return false;
	sigaction(SIGINT, &ignore, &interrupt);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	sigaction(SIGINT, &interrupt, NULL);
	return !WIFEXITED(status) || WEXITSTATUS(status) < NO_SHELL - 1;
}

void pager_end(struct pager *p)
{
	struct str text;

	if (p->terminal < 0)
		return;
	fflush(stdout);
	dup2(p->terminal, STDOUT_FILENO);
	str_init(&text, TEXT_LIMIT_BYTES);
	if (out_file_take(p->text, &text, NULL))
		fputs("warpline: out of memory for the text\n", stderr);
	else if (text.length && !(is_long(p->terminal, &text) && show(p)))
		write_all(STDOUT_FILENO, text.text, text.length);
	str_release(&text);
	close(p->terminal);
	close(p->text);
	*p = (struct pager){ -1, -1 };
}
