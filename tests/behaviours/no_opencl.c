/* SPDX-License-Identifier: Apache-2.0 */
/* Linked to OpenCL, this program never calls it. */
#include "behaviour.h"

#include <stdio.h>

int main(int argc, char **argv)
{
	if (argc > 1)
		return clFinish(NULL);
	printf("nothing to do\n");
	return 4;
}
