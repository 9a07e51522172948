/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_link.h"

#include "gpu_session.h"
#include "str.h"

#include <stdlib.h>

/* What is known of a link, begun if need be. The lock is held. */
static struct gpu_link *link_of(struct session *s, CUlinkState state)
{
	struct gpu_link *link = handle_map_get(&gpu_session(s)->links, state);

	if (link)
		return link;
	link = calloc(1, sizeof(*link));
	if (link && handle_map_put(&gpu_session(s)->links, state, link, NULL, NULL) < 0) {
		free(link);
		return NULL;
	}
	return link;
}

void gpu_link_add(struct session *s, CUlinkState state, const char *ptx, size_t bytes)
{
	struct gpu_link *link;

	session_lock(s);
	link = link_of(s, state);
	if (link && link->parts++ == 0 && ptx)
		link->ptx = str_format(NULL, "%.*s", (int)(bytes < INT_MAX ? bytes : INT_MAX), ptx);
	session_unlock(s);
}

void gpu_link_complete(struct session *s, CUlinkState state, const void *image)
{
	struct gpu_link *link;

	session_lock(s);
	link = handle_map_get(&gpu_session(s)->links, state);
	if (link)
		link->image = image;
	session_unlock(s);
}

void gpu_link_end(struct session *s, CUlinkState state)
{
	struct gpu_link *link;

	session_lock(s);
	link = handle_map_remove(&gpu_session(s)->links, state);
	session_unlock(s);
	if (link)
		gpu_link_free(link);
}

static const struct gpu_link *with_image(const struct session *s, const void *image)
{
	for (size_t i = 0; i < gpu_session(s)->links.capacity; i++) {
		const struct gpu_link *link = gpu_session(s)->links.slots[i].key
		                                      ? gpu_session(s)->links.slots[i].value
		                                      : NULL;

		if (link && link->image == image)
			return link;
	}
	return NULL;
}

bool gpu_link_find(struct session *s, const void *image, char **ptx, const char **reason)
{
	const struct gpu_link *link;

	*ptx = NULL;
	*reason = NULL;
	session_lock(s);
	link = with_image(s, image);
	if (link && link->parts > 1)
		*reason = "it is linked of several parts at run time";
	else if (link && link->ptx)
		*ptx = str_copy(link->ptx, NULL);
	if (link && !*ptx && !*reason)
		*reason = "it is linked at run time of something else than PTX";
	session_unlock(s);
	return link;
}

void gpu_link_free(void *link)
{
	struct gpu_link *l = link;

	free(l->ptx);
	free(l);
}
