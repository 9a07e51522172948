/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_binding.h"

#include "array.h"
#include "cuda_core.h"

#include <string.h>

/* Where an address is, or would be put; the lock must be held. */
static size_t place_of(const struct array *list, uintptr_t host)
{
	const struct cuda_binding *items = list->data;
	size_t low = 0, high = list->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (items[middle].host < host)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_at(const struct array *list, size_t place, uintptr_t host)
{
	const struct cuda_binding *items = list->data;

	return place < list->count && items[place].host == host;
}

static bool add(struct array *list, const struct cuda_binding *binding)
{
	struct cuda_core *c = cuda_core_unopened();
	struct cuda_binding *items;
	size_t place;
	bool is_added;

	pthread_mutex_lock(&c->lock);
	place = place_of(list, binding->host);
	is_added = is_at(list, place, binding->host);
	if (!is_added && array_push(list, 1, NULL)) {
		items = list->data;
		memmove(&items[place + 1], &items[place],
		        (list->count - 1 - place) * sizeof(*items));
		is_added = true;
	}
	if (is_added)
		((struct cuda_binding *)list->data)[place] = *binding;
	pthread_mutex_unlock(&c->lock);
	return is_added;
}

static bool find(const struct array *list, const void *host, struct cuda_binding *out)
{
	struct cuda_core *c = cuda_core_unopened();
	size_t place;
	bool is_found;

	pthread_mutex_lock(&c->lock);
	place = place_of(list, (uintptr_t)host);
	is_found = is_at(list, place, (uintptr_t)host);
	if (is_found)
		*out = ((const struct cuda_binding *)list->data)[place];
	pthread_mutex_unlock(&c->lock);
	return is_found;
}

bool cuda_binding_add_function(const struct cuda_binding *binding)
{
	return add(&cuda_core_unopened()->functions, binding);
}

bool cuda_binding_add_variable(const struct cuda_binding *binding)
{
	return add(&cuda_core_unopened()->variables, binding);
}

bool cuda_binding_find_function(const void *host, struct cuda_binding *out)
{
	return find(&cuda_core_unopened()->functions, host, out);
}

bool cuda_binding_find_variable(const void *host, struct cuda_binding *out)
{
	return find(&cuda_core_unopened()->variables, host, out);
}

void cuda_binding_publish(const struct cuda_module *module,
                          void *(*find_name)(void *context, const char *name), void *context)
{
	struct cuda_core *c = cuda_core_unopened();
	const struct cuda_binding *items;

	pthread_mutex_lock(&c->lock);
	items = c->variables.data;
	for (size_t i = 0; i < c->variables.count; i++)
		if (items[i].module == module && items[i].managed)
			*items[i].managed = find_name(context, items[i].name);
	pthread_mutex_unlock(&c->lock);
}

/* Keep what is not the module's. */
static void remove_from(struct array *list, const struct cuda_module *module)
{
	struct cuda_binding *items = list->data;
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++)
		if (items[i].module != module)
			items[kept++] = items[i];
	list->count = kept;
}

void cuda_binding_remove(const struct cuda_module *module)
{
	struct cuda_core *c = cuda_core_unopened();

	pthread_mutex_lock(&c->lock);
	remove_from(&c->functions, module);
	remove_from(&c->variables, module);
	pthread_mutex_unlock(&c->lock);
}
