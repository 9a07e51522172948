/*
 * thread_pool - a few threads that run tasks in the order of their submission.
 *
 * They start with the first task, receive no signals and make no driver calls.
 */
#ifndef THREAD_POOL_H
#define THREAD_POOL_H

struct err;
struct thread_pool;

/*
 * Create a pool of one thread less than the machine has processors, at least 1 and at most 8. No
 * thread runs yet. Returns 0 or ERR_NOMEM.
 */
int thread_pool_create(struct thread_pool **out, struct err *err);

/* Run the submitted tasks, end the threads and free. NULL is allowed. */
void thread_pool_free(struct thread_pool *p);

/* Returns the number of threads, whether they run yet or not. */
unsigned thread_pool_count(const struct thread_pool *p);

/*
 * Have a thread call run(argument). Returns 0; on failure (no thread can be started, ERR_NOMEM) it
 * is not called.
 */
int thread_pool_submit(struct thread_pool *p, void (*run)(void *argument), void *argument);

#endif
