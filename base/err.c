/* SPDX-License-Identifier: Apache-2.0 */
#include "err.h"

#include <stdarg.h>
#include <stdio.h>

int err_set(struct err *err, enum err_code code, const char *fmt, ...)
{
	va_list ap;

	if (!err || err->code)
		return code;

	err->code = code;
	va_start(ap, fmt);
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	return code;
}

const char *err_text(int code)
{
	switch (code) {
	case 0:
		return "no error";
#define ERR(name, value, text)                                                                     \
	case ERR_##name:                                                                           \
		return text;
#include "errors.def"
#undef ERR
	default:
		return "unknown error";
	}
}
