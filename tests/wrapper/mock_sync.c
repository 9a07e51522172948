/* SPDX-License-Identifier: Apache-2.0 */
#include "mock_sync.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

/* Of ThreadSanitizer, where it is. */
#define WEAK __attribute__((weak))
void AnnotateIgnoreSyncBegin(const char *file, int line) WEAK;
void AnnotateIgnoreSyncEnd(const char *file, int line) WEAK;
void AnnotateIgnoreReadsBegin(const char *file, int line) WEAK;
void AnnotateIgnoreReadsEnd(const char *file, int line) WEAK;
void AnnotateIgnoreWritesBegin(const char *file, int line) WEAK;
void AnnotateIgnoreWritesEnd(const char *file, int line) WEAK;
void AnnotateHappensBefore(const char *file, int line, unsigned long address) WEAK;
void AnnotateHappensAfter(const char *file, int line, unsigned long address) WEAK;

#define TELL(name)                                                                                 \
	do {                                                                                       \
		if (Annotate##name)                                                                \
			Annotate##name(__FILE__, __LINE__);                                        \
	} while (0)
#define TELL_OF(name, thing)                                                                       \
	do {                                                                                       \
		if (Annotate##name)                                                                \
			Annotate##name(__FILE__, __LINE__, (unsigned long)(thing));                \
	} while (0)

/* The driver's own data is its own business. */
static void begin_private(void)
{
	TELL(IgnoreReadsBegin);
	TELL(IgnoreWritesBegin);
}

static void end_private(void)
{
	TELL(IgnoreWritesEnd);
	TELL(IgnoreReadsEnd);
}

void mock_hold(void)
{
	TELL(IgnoreSyncBegin);
	pthread_mutex_lock(&lock);
	TELL(IgnoreSyncEnd);
	begin_private();
}

void mock_let_go(void)
{
	end_private();
	TELL(IgnoreSyncBegin);
	pthread_mutex_unlock(&lock);
	TELL(IgnoreSyncEnd);
}

void mock_sleep(void)
{
	TELL(IgnoreSyncBegin);
	pthread_cond_wait(&changed, &lock);
	TELL(IgnoreSyncEnd);
}

void mock_wake(void)
{
	pthread_cond_broadcast(&changed);
}

void mock_before(const void *thing)
{
	TELL_OF(HappensBefore, thing);
}

void mock_after(const void *thing)
{
	TELL_OF(HappensAfter, thing);
}
