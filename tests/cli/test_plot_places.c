/* SPDX-License-Identifier: Apache-2.0 */
/* Which buffer an address lies in, what of it is touched, and in elements of what size. */
#include "cmocka_all.h"

#include "err.h"
#include "plot_places.h"
#include "recording.h"

#include <string.h>

static const struct plot_names ALL = { .count = 0 };

/* Two arguments show buffer 0 and 2; 1 is not of this launch; 3 is shared virtual memory. */
static struct recorded_buffer buffers[] = {
	{ .bytes = 4096, .parent = -1 },
	{ .bytes = 64, .parent = -1 },
	{ .bytes = 256, .parent = -1 },
	{ .bytes = 512, .parent = -1, .svm_address = 0x9000 },
};
static char name_a[] = "a", name_b[] = "0", no_name[] = "";
static struct kernel_argument names[] = { { .name = name_a },
	                                  { .name = no_name },
	                                  { .name = name_b } };
static struct recorded_argument arguments[] = {
	{ 0, 0, 0x7000 }, { 1, -1, 0 }, { 2, 2, 0x100 }, { 9, 1, 0 }
};
static struct recorded_kernel kernel = { .table = { .arguments = names, .argument_count = 3 } };
static struct recorded_launch launch = { .arguments = arguments, .argument_count = 4 };
static const struct recording recording = { .buffers = buffers,
	                                    .buffer_count = 4,
	                                    .kernels = &kernel,
	                                    .kernel_count = 1,
	                                    .launches = &launch,
	                                    .launch_count = 1 };

static void an_address_has_its_buffer_and_its_offset(void **unused)
{
	static const struct {
		uint64_t address;
		int64_t buffer;
		uint64_t offset;
	} rows[] = {
		{ 0x7000, 0, 0 },       { 0x7fff, 0, 0xfff },
		{ 0x8000, -1, 0x8000 }, { 0x100, 2, 0 },
		{ 0x1ff, 2, 0xff },     { 0xff, -1, 0xff },
		{ 0x9000, 3, 0 },       { 0x91ff, 3, 0x1ff },
		{ 0x7004, 0, 4 },       { UINT64_MAX, -1, UINT64_MAX },
	};
	struct plot_places p;

	(void)unused;
	assert_int_equal(plot_places_init(&p, &recording, 0, &ALL, NULL), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct plot_place *place = plot_places_find(&p, rows[i].address);

		assert_int_equal(place->buffer, rows[i].buffer);
		assert_int_equal(rows[i].address - place->base, rows[i].offset);
		assert_true(place->is_wanted);
	}
	plot_places_release(&p);
}

/* An argument's name goes before a number. */
static void buffers_are_chosen_by_name_or_number(void **unused)
{
	static const struct {
		const char *name;
		int wanted; /* bits: buffers; < 0: refused */
	} rows[] = {
		{ "a", 1 },
		{ "0", 4 },
		{ "2", 4 },
		{ "3", 8 },
		{ "1", -1 }, /* not of the launch */
		{ "4", -1 },
		{ "b", -1 },
		{ "", -1 },
		{ "-1", -1 },
		{ "99999999999", -1 },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct plot_names list = { &rows[i].name, 1 };
		struct plot_places p;
		struct err err = { 0 };
		int wanted = 0, ret = plot_places_init(&p, &recording, 0, &list, &err);

		for (size_t k = 0; !ret && k < p.count; k++)
			wanted |= p.places[k].is_wanted << k;
		assert_int_equal(ret ? -1 : wanted, rows[i].wanted);
		assert_int_equal(ret, ret ? ERR_USAGE : 0);
		plot_places_release(&p);
	}
}

static void an_element_is_what_all_offsets_and_sizes_are_multiples_of(void **unused)
{
	static const struct {
		struct {
			uint64_t address, bytes;
		} accesses[3];
		uint32_t shift;
	} rows[] = {
		{ { { 0x7000, 4 }, { 0x7100, 4 }, { 0x7200, 4 } },
		  2 }, /* far apart, and yet of 4 */
		{ { { 0x7000, 16 }, { 0x7010, 16 }, { 0x7020, 16 } }, 4 },
		{ { { 0x7000, 16 }, { 0x7008, 16 }, { 0x7020, 16 } }, 3 },
		{ { { 0x7000, 12 }, { 0x700c, 12 }, { 0x7018, 12 } }, 2 },
		{ { { 0x7000, 8 }, { 0x7008, 1 }, { 0x7010, 8 } }, 0 },
		{ { { 0x7000, 0 }, { 0x7040, 0 }, { 0x7080, 0 } }, 6 }, /* sizes not known */
		{ { { 0x7000, 0 }, { 0x7000, 0 }, { 0x7000, 0 } }, 0 },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct plot_places p;

		assert_int_equal(plot_places_init(&p, &recording, 0, &ALL, NULL), 0);
		for (int k = 0; k < 3; k++)
			plot_place_note(plot_places_find(&p, rows[i].accesses[k].address),
			                rows[i].accesses[k].address, rows[i].accesses[k].bytes,
			                PLOT_WRITES);
		assert_int_equal(plot_place_element_shift(&p.places[0]), rows[i].shift);
		assert_int_equal(p.places[0].low, 0);
		assert_int_equal(p.places[0].high, rows[i].accesses[2].address - 0x7000);
		assert_int_equal(p.places[0].counts[PLOT_WRITES], 3);
		assert_int_equal(p.places[0].counts[PLOT_READS], 0);
		plot_places_release(&p);
	}
}

static void what_is_in_no_buffer_begins_at_its_lowest_address(void **unused)
{
	struct plot_place *none;
	struct plot_places p;

	(void)unused;
	assert_int_equal(plot_places_init(&p, &recording, 0, &ALL, NULL), 0);
	plot_places_settle(&p); /* nothing there: nothing happens */
	none = plot_places_find(&p, 0x5010);
	assert_int_equal(none->base, 0);
	plot_place_note(none, 0x5010, 4, PLOT_READS);
	plot_place_note(none, 0x5004, 4, PLOT_ATOMICS);
	plot_place_note(none, 0x5100, 4, PLOT_READS);
	plot_places_settle(&p);
	assert_int_equal(none->base, 0x5004);
	assert_int_equal(none->low, 0);
	assert_int_equal(none->high, 0xfc);
	assert_int_equal(plot_place_element_shift(none), 2);
	plot_places_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_has_its_buffer_and_its_offset),
		cmocka_unit_test(buffers_are_chosen_by_name_or_number),
		cmocka_unit_test(an_element_is_what_all_offsets_and_sizes_are_multiples_of),
		cmocka_unit_test(what_is_in_no_buffer_begins_at_its_lowest_address),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
