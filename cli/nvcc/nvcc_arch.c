/* SPDX-License-Identifier: Apache-2.0 */
#include "nvcc_arch.h"

#include <stdlib.h>
#include <string.h>

/* Those that clang 14 knows. */
static const unsigned known[] = { 35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86 };

enum { KNOWN_COUNT = sizeof(known) / sizeof(known[0]) };

unsigned nvcc_arch_parse(const char *value)
{
	unsigned best = 0;

	for (const char *at = value; (at = strpbrk(at, "sc")); at++) {
		size_t prefix = !strncmp(at, "sm_", 3) ? 3 : !strncmp(at, "compute_", 8) ? 8 : 0;
		unsigned long number = prefix ? strtoul(at + prefix, NULL, 10) : 0;

		if (number > best && number < 1000)
			best = (unsigned)number;
	}
	return best;
}

unsigned nvcc_arch_for_clang(unsigned arch)
{
	unsigned best = known[0];

	if (!arch)
		return NVCC_ARCH_DEFAULT;
	for (size_t i = 0; i < KNOWN_COUNT && known[i] <= arch; i++)
		best = known[i];
	return best;
}
