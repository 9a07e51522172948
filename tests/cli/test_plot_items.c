/* SPDX-License-Identifier: Apache-2.0 */
/* Linear global ids of work-items, from the ids that a kernel would see. */
#include "cmocka_all.h"

#include "plot_items.h"

#include <string.h>

static const struct launch_shape shapes[] = {
	{ 1, { 100, 1, 1 }, { 32, 1, 1 }, { 0, 0, 0 } }, /* the last group has 4 */
	{ 1, { 5, 1, 1 }, { 8, 1, 1 }, { 7, 0, 0 } },    /* the only group is not full */
	{ 2, { 30, 22, 1 }, { 7, 5, 1 }, { 100, 200, 0 } },
	{ 3, { 9, 10, 11 }, { 2, 3, 4 }, { 0, 1, 0 } },
	{ 3, { 8, 8, 8 }, { 8, 8, 8 }, { 0, 0, 0 } },
};

static void each_work_item_has_the_number_of_its_place(void **unused)
{
	static unsigned char seen[1000];

	(void)unused;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		const struct launch_shape *s = &shapes[i];
		uint64_t count = s->global[0] * s->global[1] * s->global[2];
		struct plot_items p;

		assert_int_equal(launch_shape_check(s, NULL), 0);
		assert_int_equal(plot_items_init(&p, s, NULL), 0);
		assert_int_equal(plot_items_count(&p), count);
		memset(seen, 0, sizeof(seen));
		for (uint64_t g = 0; g < launch_shape_group_count(s); g++) {
			uint32_t size[3], items = launch_shape_group_size(s, g, size);

			plot_items_group(&p, g);
			for (uint32_t item = 0; item < items; item++) {
				uint64_t id[3], mine = plot_items_id(&p, item);

				launch_shape_global_id(s, g, item, id);
				assert_int_equal(mine % s->global[0], id[0] - s->offset[0]);
				assert_int_equal(mine / s->global[0] % s->global[1],
				                 id[1] - s->offset[1]);
				assert_int_equal(mine / s->global[0] / s->global[1],
				                 id[2] - s->offset[2]);
				assert_int_equal(seen[mine]++, 0);
			}
		}
		for (uint64_t k = 0; k < count; k++)
			assert_int_equal(seen[k], 1);
		plot_items_release(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_work_item_has_the_number_of_its_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
