/* SPDX-License-Identifier: Apache-2.0 */
/* language_list: the names that mean something in OpenCL C, a line each, with an f before
 * functions. */
#include "language_names.h"

#include <stdio.h>

int main(void)
{
	for (size_t i = 0; i < language_name_count; i++)
		printf("%c %s\n", language_names[i].kind == LANGUAGE_FUNCTION ? 'f' : 'm',
		       language_names[i].name);
	return 0;
}
