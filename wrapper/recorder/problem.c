/* SPDX-License-Identifier: Apache-2.0 */
#include "problem.h"

#include "quiet_signals.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void problem(const char *fmt, ...)
{
	char line[1024] = "warpline: ";
	struct quiet_signals quiet;
	size_t length = strlen(line);
	va_list args;
	ssize_t put;

	va_start(args, fmt);
	vsnprintf(line + length, sizeof(line) - length - 1, fmt, args);
	va_end(args);
	length = strlen(line);
	line[length++] = '\n';
	/* Not through stdio: the application may hold, redirect or have closed its stream. */
	quiet_signals_begin(&quiet);
	put = write(STDERR_FILENO, line, length);
	quiet_signals_end(&quiet, put < 0);
}
