/*
 * event_list - the events of a launch as a test expects them, or as it finds them
 * in what the probes wrote: per work-item, in its order.
 *
 * Addresses are kept relative to the kernel's arguments: argument number in the
 * upper 16 bits, offset in bytes in the rest. Those in local memory are offsets as they are.
 */
#ifndef EVENT_LIST_H
#define EVENT_LIST_H

#include "event.h"
#include "kernel_table.h"

#include <stdbool.h>
#include <stddef.h>

struct array;

struct event_list {
	size_t group_count, item_count;
	struct item_events {
		struct event *events;
		size_t count;
	} *items; /* group * item_count + item */
};

/* Lists for every work-item, empty; release with event_list_release(). */
void event_list_init(struct event_list *l, size_t group_count, size_t item_count);
void event_list_release(struct event_list *l);

/* The list of one work-item; borrowed. Fails the running test when there is no such work-item. */
struct item_events *event_list_item(struct event_list *l, size_t group, size_t item);

/* Expected events. An access: site number, iteration, argument and byte offset. */
void event_list_access(struct item_events *to, uint32_t site, uint64_t iteration, uint64_t argument,
                       uint64_t offset_bytes);

/* Expected events. The size of the access, or prefetch, that follows. */
void event_list_size(struct item_events *to, uint32_t site, uint64_t iteration, uint64_t bytes);

/* Expected events. A barrier or fence; the entry of a loop from an iteration of its parent. */
void event_list_sync(struct item_events *to, uint32_t site, uint64_t iteration);
void event_list_enter(struct item_events *to, uint32_t loop, uint64_t parent_iteration);

/*
 * Append events, an array of struct event; addresses become relative to the argument of their site,
 * by the table and the values of the arguments.
 */
void event_list_append(struct item_events *to, const struct array *events,
                       const uint64_t *arguments, const struct kernel_table *table);

/* Number of events of all work-items. */
size_t event_list_total(const struct event_list *l);

/* Fail the running test, naming the first difference, unless both are the same. */
void event_list_assert_equal(const struct event_list *found, const struct event_list *expected);

#endif
