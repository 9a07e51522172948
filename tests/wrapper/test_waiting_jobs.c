/* SPDX-License-Identifier: Apache-2.0 */
/* Launches whose turn never comes, and drivers that call back while the last look is being taken.
 */
#include "cmocka_all.h"
#include "launch_job.h"
#include "mock_driver.h"
#include "opencl_session.h"
#include "worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char work_dir[] = "/tmp/warpline-test-XXXXXX";
static struct opencl_real driver; /* the mock's calls, one of them ours */

/* What happens while the driver is asked about a head. */
static void (*meanwhile)(void);
static struct launch_job *asked;

static cl_int get_event_info(cl_event event, cl_event_info name, size_t bytes, void *value,
                             size_t *bytes_ret)
{
	if (meanwhile)
		meanwhile();
	return mock_driver()->clGetEventInfo(event, name, bytes, value, bytes_ret);
}

static struct session *begin(const char *name)
{
	struct session *s;
	char dir[128];

	snprintf(dir, sizeof(dir), "%s/%s", work_dir, name);
	mock_driver_reset();
	mock_driver_fail(SIZE_MAX);
	driver = *mock_driver();
	driver.clGetEventInfo = get_event_info;
	opencl_real_set(&driver);
	meanwhile = NULL;
	s = session_create(&opencl_part, dir, "/nowhere", 1 << 20);
	assert_non_null(s);
	return s;
}

static void finish(struct session *s, cl_context context)
{
	mock_driver()->clReleaseContext(context);
	session_end();
	session_free(s);
	assert_int_equal(mock_driver_alive(), 0);
}

/* A job whose head has this status, in the list. */
static struct launch_job *add_job(struct session *s, cl_context context, cl_int status)
{
	struct launch_job *job = calloc(1, sizeof(*job));
	cl_int rc;

	assert_non_null(job);
	job->session = s;
	job->head = mock_driver()->clCreateUserEvent(context, &rc);
	if (status != CL_QUEUED)
		mock_driver()->clSetUserEventStatus(job->head, status);
	worker_expect(opencl_session(s)->worker, 1);
	waiting_jobs_add(job);
	return job;
}

static cl_context make_context(void)
{
	cl_device_id device = NULL;
	cl_int rc;

	return mock_driver()->clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
}

static void only_those_that_failed_are_settled(void **state)
{
	static const cl_int statuses[] = { CL_QUEUED, -5, CL_COMPLETE, -14, CL_QUEUED };
	struct session *s = begin("settled");
	cl_context context = make_context();
	struct launch_job *jobs[5];

	for (int i = 0; i < 5; i++)
		jobs[i] = add_job(s, context, statuses[i]);
	assert_true(waiting_jobs_remove(jobs[4])); /* its head is reached before */
	waiting_jobs_settle(s);
	assert_false(jobs[0]->waiting.is_settled);
	mock_driver()->clSetUserEventStatus(jobs[0]->head, -9);
	waiting_jobs_settle(s);
	for (int i = 0; i < 4; i++) /* a late call of the driver */
		assert_int_equal(waiting_jobs_remove(jobs[i]), i == 2);
	for (int i = 0; i < 5; i++)
		launch_job_free(jobs[i]);
	worker_expect(opencl_session(s)->worker, -2);
	finish(s, context);
}

/* Jobs come out in any order, and the list stays whole. */
static void jobs_come_out_in_any_order(void **state)
{
	static const int order[] = { 2, 0, 4, 1, 3 };
	struct session *s = begin("order");
	cl_context context = make_context();
	struct launch_job *jobs[5];

	for (int i = 0; i < 5; i++)
		jobs[i] = add_job(s, context, CL_QUEUED);
	for (int i = 0; i < 5; i++) {
		int left = 0;

		assert_true(waiting_jobs_remove(jobs[order[i]]));
		for (struct launch_job *job = opencl_session(s)->waiting; job;
		     job = job->waiting.next)
			left++;
		assert_int_equal(left, 4 - i);
	}
	for (int i = 0; i < 5; i++)
		launch_job_free(jobs[i]);
	worker_expect(opencl_session(s)->worker, -5);
	finish(s, context);
}

static void reach_it(void)
{
	assert_true(waiting_jobs_remove(asked));
}

static void free_it(void)
{
	assert_true(waiting_jobs_remove(asked));
	launch_job_free(asked);
}

/* The driver calls back about the failure just then: who called back goes on with the job. */
static void a_job_that_is_reached_meanwhile_is_not_settled(void **state)
{
	struct session *s = begin("reached");
	cl_context context = make_context();

	asked = add_job(s, context, -5);
	meanwhile = reach_it;
	waiting_jobs_settle(s);
	assert_false(asked->waiting.is_settled);
	launch_job_free(asked);
	worker_expect(opencl_session(s)->worker, -1);
	finish(s, context);
}

/* The job has run and is done with while its head is looked at: it is freed once, afterwards. */
static void a_job_that_is_freed_meanwhile_is_freed_afterwards(void **state)
{
	struct session *s = begin("freed");
	cl_context context = make_context();

	asked = add_job(s, context, CL_COMPLETE);
	meanwhile = free_it;
	waiting_jobs_settle(s);
	worker_expect(opencl_session(s)->worker, -1);
	finish(s, context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_those_that_failed_are_settled),
		cmocka_unit_test(jobs_come_out_in_any_order),
		cmocka_unit_test(a_job_that_is_reached_meanwhile_is_not_settled),
		cmocka_unit_test(a_job_that_is_freed_meanwhile_is_freed_afterwards),
	};
	char text[128];
	int failed;

	if (!mkdtemp(work_dir))
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	snprintf(text, sizeof(text), "rm -rf %s", work_dir);
	if (!failed && system(text) != 0)
		return 1;
	return failed;
}
