/*
 * trace_launch - a whole random launch, and its file as bytes, for the tests of trace/.
 */
#ifndef TRACE_LAUNCH_H
#define TRACE_LAUNCH_H

#include "kernel_table.h"
#include "launch_reader.h"
#include "launch_writer.h"
#include "trace_random.h"

/* A launch with events for some of its groups, and the order in which they are written. */
struct test_launch {
	struct kernel_table table;
	struct launch_shape shape;
	uint64_t group_count;
	struct owned_group *groups; /* all; events NULL for those that are left out */
	uint64_t *order;
	uint64_t written;
};

/* At most about `groups` groups; some are left out if so wished. */
void test_launch_make(struct random *r, struct test_launch *l, uint64_t groups, bool leave_out);
void test_launch_free(struct test_launch *l);

/* Write the file and close it as whole; fails the test if that fails. */
void test_launch_write(const struct test_launch *l, const char *path, struct launch_totals *totals);

/* The file's bytes, on the heap. */
unsigned char *test_launch_bytes(const struct test_launch *l, size_t *length);

/* Fails the test unless group g comes from r as it was made. */
void test_launch_check_group(const struct test_launch *l, struct launch_reader *r, uint64_t g);

/*
 * Open a file from memory and read every group. Returns 0, or the first error. Fails the test
 * when a group comes back otherwise than it was made, or is missing from a file that is whole.
 */
int test_launch_read(const struct test_launch *l, const unsigned char *bytes, size_t length,
                     struct err *err);

#endif
