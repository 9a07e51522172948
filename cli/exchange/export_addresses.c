/* SPDX-License-Identifier: Apache-2.0 */
#include "export_addresses.h"

#include "access_walk.h"
#include "player.h"
#include "recording.h"

#include <inttypes.h>

static void put_u64(FILE *out, uint64_t value)
{
	unsigned char bytes[8];

	for (unsigned i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(value >> (8 * i));
	fwrite(bytes, 1, sizeof(bytes), out);
}

/* Write one address of an access, if the list has its kind. */
static void put(struct export_addresses *x, uint64_t address, enum site_kind kind)
{
	x->lost_atomics += kind == SITE_ATOMIC;
	if (x->format == ADDRESS_U64) {
		x->lost_kinds += kind == SITE_WRITE;
		put_u64(x->out, address);
	} else {
		fprintf(x->out, "%d %" PRIx64 "\n",
		        kind == SITE_READ ? ADDRESS_READ : ADDRESS_WRITE, address);
	}
}

static int put_recorded(void *context, const struct access_walk *w, const struct access *a,
                        struct err *err)
{
	struct export_addresses *x = context;

	(void)w;
	(void)err;
	if (!site_kind_is_access(a->facts->kind)) {
		x->lost_others++;
	} else if (a->facts->space == SPACE_LOCAL) {
		x->lost_local++;
	} else {
		x->lost_sizes += a->bytes > 1;
		put(x, a->address, a->facts->kind);
	}
	return 0;
}

int export_addresses_recorded(struct export_addresses *x, struct access_walk *walk, struct err *err)
{
	const struct access_visitor visitor = { .context = x, .access = put_recorded };

	return access_walk_run(walk, &visitor, err);
}

static void put_access(void *context, uint32_t sm, const struct warp_access *a, uint64_t now)
{
	struct export_addresses *x = context;
	const struct site *site = &x->table->sites[a->site];

	(void)now;
	if (site->space == SPACE_LOCAL) {
		x->lost_local += a->lane_count;
		return;
	}
	if (sm != x->sm) {
		x->other_sms += a->lane_count;
		return;
	}
	for (uint32_t i = 0; i < a->lane_count; i++) {
		x->lost_sizes += site->bytes != 1;
		put(x, a->address[i], site->kind);
	}
}

static void put_request(void *context, uint32_t sm, const struct request *r, uint64_t now)
{
	struct export_addresses *x = context;

	(void)now;
	if (sm != x->sm)
		x->other_sms++;
	else
		put(x, r->line, r->kind);
}

/* player_visitor.begin. */
static int begin_launch(void *context, size_t launch, struct replay_options *options,
                        struct err *err)
{
	struct export_addresses *x = context;
	const struct recording *r = x->recording;

	(void)options;
	(void)err;
	x->table = &r->kernels[r->launches[launch].kernel].table;
	return 0;
}

int export_addresses_replayed(struct export_addresses *x, struct player *player, struct err *err)
{
	const struct player_visitor visitor = { .context = x, .begin = begin_launch };
	struct replay_options *options = &player->options;

	x->recording = player->launches.recording;
	options->is_unclassified = true;
	options->jobs = 1;
	if (x->order == EXPORT_ACCESSES)
		options->access = put_access;
	else
		options->request = put_request;
	options->access_context = options->request_context = x;
	player->is_strict = true; /* half a list is of no use */
	return player_play(player, &visitor, err);
}
