/* SPDX-License-Identifier: Apache-2.0 */
#include "kept_requests.h"

#include <string.h>

void kept_requests_init(struct kept_requests *k)
{
	array_init(&k->requests, sizeof(struct kept_request), SIZE_MAX, "requests of an access");
	array_init(&k->masks, sizeof(uint64_t), SIZE_MAX, "requests of an access");
	k->is_out_of_memory = false;
}

void kept_requests_release(struct kept_requests *k)
{
	array_release(&k->requests);
	array_release(&k->masks);
}

void kept_requests_add(struct kept_requests *k, const struct request *r, uint32_t words,
                       uint64_t cycle)
{
	uint64_t *mask = array_push(&k->masks, words, NULL);
	struct kept_request *kept = mask ? array_push(&k->requests, 1, NULL) : NULL;

	if (!kept) {
		k->is_out_of_memory = true;
		return;
	}
	memcpy(mask, r->used, words * sizeof(*mask));
	kept->request = *r;
	kept->cycle = cycle;
}

static size_t mask_words(const struct kept_requests *k)
{
	return k->requests.count ? k->masks.count / k->requests.count : 0;
}

const struct kept_request *kept_requests_at(struct kept_requests *k, size_t i)
{
	struct kept_request *kept = (struct kept_request *)k->requests.data + i;

	kept->request.used = (const uint64_t *)k->masks.data + i * mask_words(k);
	return kept;
}

static void drop(struct array *a, size_t count)
{
	char *items = a->data;

	a->count -= count;
	if (count)
		memmove(items, items + count * a->item_bytes, a->count * a->item_bytes);
}

void kept_requests_drop(struct kept_requests *k, size_t count)
{
	drop(&k->masks, count * mask_words(k));
	drop(&k->requests, count);
}
