/*
 * in_flight - launches that run in the application's own queues (direct_launch) and are not in the
 * recording yet.
 *
 * Nobody waits for them but the application. What is done is put into the recording in its calls:
 * before it learns, from any call of OpenCL, that a launch is done, the launch is in a file. That
 * does not hold where it learns so by other ways: from code of the host that the driver runs
 * (native kernels, functions that free memory), and from memory that a running kernel writes.
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
	atomic_uint_fast64_t noted_until_ns; /* up to when kernels' time is counted as work */
	atomic_bool is_unflushed;            /* launches were taken in that are in no file yet */
	pthread_mutex_t lock; /* of everything below; never held across a call of the driver */
	pthread_cond_t settled;
	struct launch_job *first, **end;
	bool is_settling; /* a thread has taken the list, or the part of it that it looks at */
};

void in_flight_init(struct in_flight *f);
void in_flight_release(struct in_flight *f);

/* A job's commands are enqueued, and it has its number. Takes the job over. */
void in_flight_add(struct session *s, struct launch_job *job);

/*
 * Put what is done into the recording. may_wait: for other threads that do so, and for the end of
 * a copy of records whose kernel has ended; not in a callback of the driver.
 */
void in_flight_settle(struct session *s, bool may_wait);

/* The application learns that commands are done: settle, and let go of what is done with. */
void in_flight_know(struct session *s);

/* Settle the oldest few, when there are many; in a call that launches. */
void in_flight_relieve(struct session *s);

/* For the end of the session: settle, and wait for the others as long as the device gets on with
 * them. */
void in_flight_end(struct session *s);

/* Write of the others that they are lost, since the program ends. Calls nothing of the driver. */
void in_flight_lose(struct session *s);

#endif
