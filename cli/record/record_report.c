/* SPDX-License-Identifier: Apache-2.0 */
#include "record_report.h"

#include "bypass_option.h"
#include "err.h"
#include "launch_summary.h"
#include "launch_summary_text.h"
#include "recording.h"
#include "say.h"
#include "shape_text.h"
#include "str.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NS_PER_SECOND 1e9

/* What was recorded of one kernel. */
struct kernel_sum {
	uint64_t launches, recorded, accesses, file_bytes, device_ns;
};

static struct kernel_sum sum_kernel(const struct recording *r, size_t kernel)
{
	struct kernel_sum s = { 0 };

	for (size_t i = 0; i < r->launch_count; i++) {
		const struct recorded_launch *l = &r->launches[i];

		if (l->kernel != kernel)
			continue;
		s.launches++;
		s.recorded += l->fate == LAUNCH_TRACED || l->fate == LAUNCH_COUNTED;
		s.accesses += l->totals.accesses;
		s.file_bytes += l->totals.file_bytes;
		s.device_ns += l->device_ns;
	}
	for (size_t i = 0; i < r->tally_count; i++)
		s.launches += r->tallies[i].kernel == kernel ? r->tallies[i].count : 0;
	return s;
}

static void print_kernels(const struct recording *r)
{
	const char *head = "kernels   ";

	for (size_t i = 0; i < r->kernel_count; i++) {
		const struct recorded_kernel *k = &r->kernels[i];
		struct kernel_sum s = sum_kernel(r, i);
		char launches[SHAPE_TEXT_BYTES], accesses[SHAPE_TEXT_BYTES],
			bytes[COUNT_TEXT_BYTES], recorded[COUNT_TEXT_BYTES];

		fprintf(stderr, "%s%s: %s, %s recorded, %s, %s bytes, %.3f s on the device; %s%s\n",
		        head, k->table.name, amount_text(launches, s.launches, "launch"),
		        count_text(recorded, s.recorded),
		        amount_text(accesses, s.accesses, "access"),
		        count_text(bytes, s.file_bytes), (double)s.device_ns / NS_PER_SECOND,
		        *k->door ? "by " : "unmodified: ",
		        *k->door    ? k->door
		        : k->reason ? k->reason
		                    : "no reason recorded");
		head = "          ";
	}
}

static void print_notes(const struct recording *r)
{
	const char *head = "notes     ";
	char times[SHAPE_TEXT_BYTES];

	for (size_t i = 0; i < r->note_count; i++) {
		fprintf(stderr, "%s%s %s: %s\n", head,
		        amount_text(times, r->notes[i].count, "time"), r->notes[i].what,
		        r->notes[i].reason);
		head = "          ";
	}
}

static void print_all(const struct recording *r, const struct launch_summary *s,
                      const struct record_talk *talk)
{
	fprintf(stderr, "warpline record: %s\n", r->dir);
	launch_summary_print(s, stderr);
	launch_summary_print_time(s, r, stderr);
	if (talk->is_cost)
		launch_summary_print_cost(r, stderr);
	launch_summary_print_counted(stderr, r);
	if (talk->loudness != RECORD_VERBOSE)
		return;
	print_kernels(r);
	print_notes(r);
}

bool record_report_is_full(const char *reason)
{
	static const int errors[] = { ENOSPC, EDQUOT, EFBIG };

	for (size_t i = 0; reason && i < sizeof(errors) / sizeof(errors[0]); i++)
		if (strstr(reason, strerror(errors[i])))
			return true;
	return false;
}

/* Whether the folder has room for a page. The program's own messages may be in another language, or
 * have been lost for lack of room. */
static bool has_room(const char *dir)
{
	static const char page[4096];
	char *path = str_format(NULL, "%s/room-XXXXXX", dir);
	int fd = path ? mkstemp(path) : -1;
	bool has = fd < 0 ? errno != ENOSPC && errno != EDQUOT
	                  : write(fd, page, sizeof(page)) == (ssize_t)sizeof(page);

	if (fd >= 0) {
		close(fd);
		unlink(path);
	}
	free(path);
	return has;
}

/* Whether something is missing from an incomplete recording because a disk was full. */
static bool lacks_room(const struct recording *r)
{
	for (size_t i = 0; i < r->launch_count; i++)
		if (r->launches[i].fate == LAUNCH_SKIPPED &&
		    record_report_is_full(r->launches[i].reason))
			return true;
	for (size_t i = 0; i < r->tally_count; i++)
		if (record_report_is_full(r->tallies[i].reason))
			return true;
	for (size_t i = 0; i < r->note_count; i++)
		if (record_report_is_full(r->notes[i].reason))
			return true;
	return !has_room(r->dir);
}

/* Print why nothing was recorded, and what could have been. */
static void say_empty(const struct recording *r, const struct launch_summary *s, const char *why)
{
	char kernels[LAUNCHED_KERNELS_BYTES];

	if (s->unselected)
		say_line("record", "%s; kernels launched: %s", why,
		         launched_kernels_text(kernels, r));
	else
		say_line("record", "%s", why);
}

bool record_report(const char *dir, const struct record_talk *talk, bool *is_full)
{
	struct err err = { 0 };
	struct recording *r = NULL;
	struct launch_summary s = { 0 };
	const char *why;
	int ret = recording_open(&r, dir, &err);

	if (!ret)
		ret = launch_summary_make(&s, r, &err);
	if (ret) {
		say_line("record", "%s", err.msg);
	} else {
		if (talk->loudness != RECORD_QUIET)
			print_all(r, &s, talk);
		else if (talk->is_cost)
			launch_summary_print_cost(r, stderr);
		if (launch_summary_is_empty(&s, &why))
			say_empty(r, &s, why);
		bypass_option_report(r, &err);
		if (say_verdict("record", r, NULL) == EXIT_INCOMPLETE && lacks_room(r)) {
			say_line("record", "%s: the disk is full", dir);
			*is_full = true;
		}
	}
	launch_summary_release(&s);
	recording_close(r);
	return s.seen > 0;
}
