/* SPDX-License-Identifier: Apache-2.0 */
#include "suggest.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { NAME_LIMIT = 32 };

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

unsigned suggestion_distance(const char *a, const char *b)
{
	unsigned d[NAME_LIMIT][NAME_LIMIT];
	size_t m = strlen(a), n = strlen(b);

	if (m >= NAME_LIMIT || n >= NAME_LIMIT)
		return NAME_LIMIT;
	for (size_t i = 0; i <= m; i++) {
		for (size_t j = 0; j <= n; j++) {
			if (!i || !j) {
				d[i][j] = (unsigned)(i + j);
				continue;
			}
			d[i][j] = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			d[i][j] = least(d[i][j], least(d[i - 1][j], d[i][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[m][n];
}

void suggestion_init(struct suggestion *s, const char *wrong)
{
	*s = (struct suggestion){ .wrong = wrong, .distance = 3 };
}

void suggestion_offer(struct suggestion *s, const char *name)
{
	unsigned distance = suggestion_distance(s->wrong, name);

	if (distance < s->distance && distance < (strlen(name) + 1) / 2) {
		s->best = name;
		s->distance = distance;
	}
}
