/*
 * mock_sync - the mock driver's one lock, and what it means to ThreadSanitizer.
 *
 * The lock itself is hidden from it, or every call would seem to order all that
 * threads do around it. Shown is what a driver promises: what was before a
 * command is enqueued is before it runs, and what it did is before the end of a
 * wait for it. Without ThreadSanitizer this is a lock.
 */
#ifndef MOCK_SYNC_H
#define MOCK_SYNC_H

void mock_hold(void);
void mock_let_go(void);

/* Wait, without the lock, until something may have changed; and say that something has. */
void mock_sleep(void);
void mock_wake(void);

/* All that this thread did until now is before what comes after mock_after(thing) in any thread. */
void mock_before(const void *thing);
void mock_after(const void *thing);

#endif
