/*
 * in_flight - launches that run in the application's own queues (direct_launch) and are not in the
 * recording yet.
 *
 * Only the application waits for them. Its calls put finished launches into the recording: before
 * any OpenCL call reports that a launch is done, the launch is in a file. There is no such
 * guarantee when the application finds out in other ways: from host code that the driver runs
 * (native kernels, functions that free memory), or from memory that a running kernel writes.
 */
#ifndef IN_FLIGHT_H
#define IN_FLIGHT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct launch_job;
struct session;

struct in_flight {
	atomic_uint count;
	atomic_uint_fast64_t noted_until_ns; /* until when kernels' time is counted as work */
	atomic_bool is_unflushed;            /* settled launches are not in a file yet */
	pthread_mutex_t lock; /* of everything below; never held across a call of the driver */
	pthread_cond_t settled;
	struct launch_job *first, **end;
	bool is_settling; /* a thread has taken the list, or a part of it */
};

void in_flight_init(struct in_flight *f);
void in_flight_release(struct in_flight *f);

/* Add a job that has its number and whose commands are enqueued. Takes ownership. */
void in_flight_add(struct session *s, struct launch_job *job);

/*
 * Put finished launches into the recording. may_wait: wait for other threads that do so, and for
 * the records of ended kernels; not allowed in a callback of the driver.
 */
void in_flight_settle(struct session *s, bool may_wait);

/* Settle, and free finished jobs: the application is about to find out that commands are done. */
void in_flight_collect(struct session *s);

/* Settle a few of the oldest launches if there are many. For calls that launch. */
void in_flight_settle_oldest(struct session *s);

/* At the end of the session: settle, and wait for the rest as long as the device makes progress.
 */
void in_flight_end(struct session *s);

/* Record the rest as lost, since the program ends. Does not call the driver. */
void in_flight_record_lost(struct session *s);

#endif
