/* SPDX-License-Identifier: Apache-2.0 */
#include "script_file.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <sys/stat.h>

void script_file_write(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fprintf(file, "#!/bin/sh\n%s\n", text);
	fclose(file);
	assert_int_equal(chmod(path, 0755), 0);
}
