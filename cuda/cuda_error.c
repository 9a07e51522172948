/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_error.h"

#include <stddef.h>

static const struct {
	int code;
	const char *runtime_name, *driver_name, *text;
} rows[] = {
#define CUDA_ERROR(runtime_name, driver_name, code, text)                                          \
	{ code, #runtime_name, #driver_name, text },
#define CUDA_RUNTIME_ERROR(runtime_name, code, text) { code, #runtime_name, NULL, text },
#define CUDA_DRIVER_ERROR(driver_name, code, text)   { code, NULL, #driver_name, text },
#include "include/warpline/cuda_errors.def"
};

/* Returns the row of a code, or the number of rows. */
static size_t find(int code)
{
	size_t i = 0;

	while (i < sizeof(rows) / sizeof(rows[0]) && rows[i].code != code)
		i++;
	return i;
}

const char *cuda_error_runtime_name(int code)
{
	size_t i = find(code);

	return i < sizeof(rows) / sizeof(rows[0]) ? rows[i].runtime_name : NULL;
}

const char *cuda_error_driver_name(int code)
{
	size_t i = find(code);

	return i < sizeof(rows) / sizeof(rows[0]) ? rows[i].driver_name : NULL;
}

const char *cuda_error_text(int code)
{
	size_t i = find(code);

	return i < sizeof(rows) / sizeof(rows[0]) ? rows[i].text : NULL;
}
