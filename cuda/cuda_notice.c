/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_notice.h"

#include "quiet_signals.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void cuda_notice(const char *fmt, ...)
{
	char line[1024] = "warpline: ";
	const size_t head = sizeof("warpline: ") - 1;
	struct quiet_signals signals;
	size_t length;
	va_list args;
	int put;

	va_start(args, fmt);
	put = vsnprintf(line + head, sizeof(line) - head - 1, fmt, args);
	va_end(args);
	if (put < 0)
		return;
	length = head + (size_t)put < sizeof(line) - 2 ? head + (size_t)put : sizeof(line) - 2;
	line[length++] = '\n';
	quiet_signals_begin(&signals);
	quiet_signals_end(&signals, write(STDERR_FILENO, line, length) < 0);
}
