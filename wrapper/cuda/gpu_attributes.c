/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_attributes.h"

#include "cuda_driver.h"

enum attribute_sort { PASSED, DROPPED, COOPERATIVE, REFUSED };

struct attribute_row {
	int number;
	enum attribute_sort sort;
	const char *what;
};

static const struct attribute_row rows[] = {
#define LAUNCH_ATTRIBUTE(number, sort, what) { number, sort, what },
#include "launch_attributes.def"
#undef LAUNCH_ATTRIBUTE
};

static struct attribute_row row_of(int number)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].number == number)
			return rows[i];
	return (struct attribute_row){ number, REFUSED, "an attribute that is not known" };
}

static unsigned count_of(const struct cuda_launch_config *config)
{
	return config && config->attributes ? config->attribute_count : 0;
}

const char *gpu_attributes_refused(const struct cuda_launch_config *config)
{
	for (unsigned i = 0; i < count_of(config); i++) {
		struct attribute_row row = row_of(config->attributes[i].id);

		if (row.sort == REFUSED)
			return row.what;
	}
	return NULL;
}

bool gpu_attributes_are_cooperative(const struct cuda_launch_config *config)
{
	for (unsigned i = 0; i < count_of(config); i++)
		if (row_of(config->attributes[i].id).sort == COOPERATIVE &&
		    config->attributes[i].value.number)
			return true;
	return false;
}

unsigned gpu_attributes_pass(const struct cuda_launch_config *config,
                             struct cuda_launch_attribute *out)
{
	unsigned count = 0;

	for (unsigned i = 0; i < count_of(config); i++) {
		enum attribute_sort sort = row_of(config->attributes[i].id).sort;

		if (sort == PASSED || sort == COOPERATIVE)
			out[count++] = config->attributes[i];
	}
	return count;
}
