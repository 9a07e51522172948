/*
 * thread_pool - a few threads of ours that do what they are handed, first come first served.
 *
 * They start with the first task, take no signals and make no driver calls.
 */
#ifndef THREAD_POOL_H
#define THREAD_POOL_H

struct err;
struct thread_pool;

/*
 * Make a pool of as many threads as the machine has, less one, at least 1 and at most 8; none
 * runs as yet. Returns 0 or ERR_NOMEM.
 */
int thread_pool_create(struct thread_pool **out, struct err *err);

/* Do what was handed in, end the threads and free. NULL is allowed. */
void thread_pool_free(struct thread_pool *p);

/* Threads that there are, or will be. */
unsigned thread_pool_count(const struct thread_pool *p);

/*
 * Have some thread call run(argument). Returns 0; on failure (no thread can be started,
 * ERR_NOMEM) it is not called.
 */
int thread_pool_submit(struct thread_pool *p, void (*run)(void *argument), void *argument);

#endif
