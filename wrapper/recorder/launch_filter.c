/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_filter.h"

#include "cpp_names.h"
#include "err.h"
#include "group_selection.h"
#include "recorder_settings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int launch_filter_init(struct launch_filter *f, const struct recorder_settings *settings,
                       struct err *err)
{
	int rc = 0;

	memset(f, 0, sizeof(*f));
	if (settings->kernel && regcomp(&f->kernel, settings->kernel, REG_EXTENDED | REG_NOSUB))
		return err_set(err, ERR_USAGE,
		               "kernels: expected a POSIX extended regular expression, not '%s'",
		               settings->kernel);
	f->has_kernel = settings->kernel;
	if (settings->launches)
		rc = group_selection_parse(&f->launches, settings->launches, "launches", err);
	if (rc == 0 && settings->groups)
		rc = group_selection_parse(&f->groups, settings->groups, "groups", err);
	return rc;
}

void launch_filter_release(struct launch_filter *f)
{
	if (f->has_kernel)
		regfree(&f->kernel);
	group_selection_free(f->launches);
	group_selection_free(f->groups);
	memset(f, 0, sizeof(*f));
}

bool launch_filter_has_kernel(const struct launch_filter *f, const char *name)
{
	char *written = NULL;
	bool has = !f->has_kernel || regexec(&f->kernel, name, 0, NULL, 0) == 0;

	if (!has)
		written = cpp_name(name, false);
	has = has || (written && regexec(&f->kernel, written, 0, NULL, 0) == 0);
	free(written);
	return has;
}

bool launch_filter_has_launch(const struct launch_filter *f, uint64_t number, uint64_t group_count)
{
	if (f->launches && !group_selection_has(f->launches, number))
		return false;
	return !f->groups || group_selection_next(f->groups, 0, group_count) < group_count;
}

#define KERNELS_LIMIT (1 << 20)
#define NS_PER_SECOND UINT64_C(1000000000)

void launch_quota_init(struct launch_quota *q, const struct recorder_settings *settings,
                       uint64_t now_ns)
{
	*q = (struct launch_quota){ .skip = settings->skip,
		                    .per_kernel = settings->per_kernel,
		                    .max_launches = settings->max_launches,
		                    .max_bytes = settings->max_bytes,
		                    .duration_ns = settings->duration_ns,
		                    .begun_ns = now_ns };
	pthread_mutex_init(&q->lock, NULL);
	array_init(&q->kernels, sizeof(uint64_t), KERNELS_LIMIT, "kernels with a quota");
}

void launch_quota_release(struct launch_quota *q)
{
	array_release(&q->kernels);
	pthread_mutex_destroy(&q->lock);
	memset(q, 0, sizeof(*q));
}

/* Returns the count of a kernel's launches, or NULL when out of memory. Called with the lock held.
 */
static uint64_t *kernel_count(struct launch_quota *q, uint32_t kernel)
{
	uint64_t *counts;

	if (kernel >= q->kernels.count &&
	    !array_push(&q->kernels, kernel + 1 - q->kernels.count, NULL))
		return NULL;
	counts = q->kernels.data;
	return &counts[kernel];
}

static void end_by_bytes(struct launch_quota *q)
{
	if (q->has_ended)
		return;
	q->has_ended = true;
	snprintf(q->end, sizeof(q->end),
	         "the recording had reached its %" PRIu64 " bytes (--max-bytes)", q->max_bytes);
}

static void end_by_time(struct launch_quota *q)
{
	char text[32]; /* not "%g": the application may have set a locale */
	int length = snprintf(text, sizeof(text), "%" PRIu64 ".%09" PRIu64,
	                      q->duration_ns / NS_PER_SECOND, q->duration_ns % NS_PER_SECOND);

	while (text[length - 1] == '0')
		length--;
	length -= text[length - 1] == '.';
	q->has_ended = true;
	snprintf(q->end, sizeof(q->end), "the recording's %.*s s were over (--duration)", length,
	         text);
}

/* Whether the recording has ended; ends it when its time is over. Called with the lock held. */
static bool has_ended(struct launch_quota *q, uint64_t now_ns)
{
	if (q->has_ended || !q->duration_ns || now_ns - q->begun_ns < q->duration_ns)
		return q->has_ended;
	end_by_time(q);
	return true;
}

/* Count a launch for --skip; false when all launches to skip are counted. */
static bool passes_over(struct launch_quota *q)
{
	uint_fast64_t count = atomic_load_explicit(&q->passed_over, memory_order_relaxed);

	while (count < q->skip)
		if (atomic_compare_exchange_weak(&q->passed_over, &count, count + 1))
			return true;
	return false;
}

/* Steps 2 to 5 of the header. Called with the lock held. */
static enum quota_answer ask(struct launch_quota *q, uint32_t kernel, uint64_t now_ns)
{
	uint64_t *count;

	if (passes_over(q))
		return QUOTA_PASSED_OVER;
	count = q->per_kernel ? kernel_count(q, kernel) : NULL;
	if (count && *count >= q->per_kernel)
		return QUOTA_LEFT_OUT;
	if (q->max_launches && q->taken >= q->max_launches)
		return QUOTA_FULL;
	if (count)
		++*count;
	q->taken++;
	return has_ended(q, now_ns) ? QUOTA_ENDED : QUOTA_GRANTED;
}

enum quota_answer launch_quota_ask(struct launch_quota *q, uint32_t kernel, uint64_t now_ns)
{
	enum quota_answer answer;

	pthread_mutex_lock(&q->lock);
	answer = ask(q, kernel, now_ns);
	pthread_mutex_unlock(&q->lock);
	return answer;
}

bool launch_quota_is_set(const struct launch_quota *q)
{
	return q->skip || q->per_kernel || q->max_launches || q->max_bytes || q->duration_ns;
}

#define ANSWER_BITS 8

enum quota_answer launch_quota_foresee(struct launch_quota *q, const atomic_uint_fast64_t *kept)
{
	uint64_t known = atomic_load_explicit(kept, memory_order_relaxed);

	if (passes_over(q))
		return QUOTA_PASSED_OVER;
	if (!known || known >> ANSWER_BITS != atomic_load(&q->returns))
		return QUOTA_NOT_ASKED;
	return (enum quota_answer)(known & ((1u << ANSWER_BITS) - 1));
}

void launch_quota_keep_answer(atomic_uint_fast64_t *kept, enum quota_answer answer,
                              uint64_t returns)
{
	if (answer == QUOTA_LEFT_OUT || answer == QUOTA_FULL)
		atomic_store(kept, returns << ANSWER_BITS | (uint64_t)answer);
}

void launch_quota_take_back(struct launch_quota *q, uint32_t kernel, enum quota_answer answer)
{
	bool is_taken = answer == QUOTA_GRANTED || answer == QUOTA_ENDED;
	uint64_t *count;

	if (answer == QUOTA_PASSED_OVER)
		atomic_fetch_sub(&q->passed_over, 1);
	if (!is_taken)
		return;
	pthread_mutex_lock(&q->lock);
	q->taken--;
	count = q->per_kernel ? kernel_count(q, kernel) : NULL;
	if (count && *count)
		--*count;
	atomic_fetch_add(&q->returns, 1);
	pthread_mutex_unlock(&q->lock);
}

/* Whether a file of `bytes` fits. Called with the lock held. */
static bool fits(struct launch_quota *q, uint64_t bytes)
{
	uint64_t used = q->bytes + q->shared_bytes;

	if (!q->max_bytes || (used <= q->max_bytes && bytes <= q->max_bytes - used))
		return true;
	end_by_bytes(q);
	return false;
}

bool launch_quota_allows(struct launch_quota *q, uint64_t bytes)
{
	bool is_allowed;

	pthread_mutex_lock(&q->lock);
	is_allowed = fits(q, bytes);
	pthread_mutex_unlock(&q->lock);
	return is_allowed;
}

bool launch_quota_keep(struct launch_quota *q, uint64_t bytes)
{
	bool is_kept;

	pthread_mutex_lock(&q->lock);
	is_kept = fits(q, bytes);
	if (is_kept)
		q->bytes += bytes;
	pthread_mutex_unlock(&q->lock);
	return is_kept;
}

uint64_t launch_quota_room(struct launch_quota *q, uint64_t shared_bytes)
{
	uint64_t room = UINT64_MAX, used;

	pthread_mutex_lock(&q->lock);
	q->shared_bytes = shared_bytes;
	used = q->bytes + shared_bytes;
	if (q->max_bytes)
		room = used < q->max_bytes ? q->max_bytes - used : 0;
	pthread_mutex_unlock(&q->lock);
	return room;
}

void launch_quota_end_by_bytes(struct launch_quota *q)
{
	pthread_mutex_lock(&q->lock);
	end_by_bytes(q);
	pthread_mutex_unlock(&q->lock);
}

bool launch_quota_has_ended(struct launch_quota *q, uint64_t now_ns)
{
	bool is_over;

	pthread_mutex_lock(&q->lock);
	is_over = has_ended(q, now_ns);
	pthread_mutex_unlock(&q->lock);
	return is_over;
}

bool launch_quota_is_spent(struct launch_quota *q, uint64_t now_ns)
{
	bool is_spent;

	pthread_mutex_lock(&q->lock);
	is_spent = has_ended(q, now_ns) || (q->max_launches && q->taken >= q->max_launches);
	pthread_mutex_unlock(&q->lock);
	return is_spent;
}

void launch_quota_end(struct launch_quota *q, char text[LAUNCH_QUOTA_TEXT_BYTES])
{
	pthread_mutex_lock(&q->lock);
	memcpy(text, q->end, LAUNCH_QUOTA_TEXT_BYTES);
	pthread_mutex_unlock(&q->lock);
}
