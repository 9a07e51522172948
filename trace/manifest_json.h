/*
 * manifest_json - writes the lines of a manifest as JSON, and reads them; private to trace/.
 *
 * FORMAT.md, section "Manifest", is the specification. Writing a line returns a new reference, or
 * NULL when out of memory. Reading a line fills a zeroed struct; after a failure f->ret is set and
 * the struct must still be released. The caller checks references to other lines.
 */
#ifndef MANIFEST_JSON_H
#define MANIFEST_JSON_H

#include "json_fields.h"
#include "recording.h"

#define MANIFEST_MAGIC           "warpline recording"
#define MANIFEST_VERSION         7 /* the first that may have local memory of a sample */
#define MANIFEST_VERSION_OLD     2 /* without tallies, and numbers of launches without gaps */
#define MANIFEST_VERSION_SUMS    4 /* the first whose lines have sums */
#define MANIFEST_VERSION_LISTS   5 /* the first that may have bypass lists */
#define MANIFEST_VERSION_FILES   6 /* the first that has sums of all files */
#define MANIFEST_VERSION_BUNDLES 6 /* the first that may have bundles */
#define MANIFEST_ITEMS_MAX       ((size_t)1 << 24) /* lines of one type; words of the command */
#define MANIFEST_ARGUMENTS_MAX   ((size_t)1 << 12) /* of a launch */

json_t *manifest_begin_to_json(const char *tool_version, char *const command[]);
json_t *manifest_list_to_json(const char *type, const struct recorded_list *l);
json_t *manifest_device_to_json(const struct recorded_device *d, uint32_t id);
json_t *manifest_program_to_json(const struct recorded_program *p, uint32_t id);
json_t *manifest_source_to_json(const struct recorded_program *p, uint32_t program);
json_t *manifest_buffer_to_json(const struct recorded_buffer *b, uint32_t id);
json_t *manifest_kernel_to_json(const struct recorded_kernel *k, uint32_t id);
json_t *manifest_launch_to_json(const struct recorded_launch *l, uint32_t id);
json_t *manifest_fate_to_json(const struct recorded_launch *l, uint32_t id);
json_t *manifest_bundle_to_json(const struct recorded_bundle *b);
json_t *manifest_tally_to_json(const struct recorded_tally *t, uint32_t id);
json_t *manifest_note_to_json(const struct recorded_note *n);
json_t *manifest_time_to_json(const struct recorded_work *work);
json_t *manifest_end_to_json(void);
json_t *manifest_exit_to_json(int status, uint64_t program_ns);

/* Fills tool_version and the command. Checks magic, version and byte order; returns the version. */
uint32_t manifest_begin_from_json(struct recording *r, struct json_fields *f);
/* Here and below `version` is that of the recording. There is at most one list of each type. */
void manifest_list_from_json(struct recorded_list *l, uint32_t version, struct json_fields *f);
void manifest_device_from_json(struct recorded_device *d, struct json_fields *f);
void manifest_program_from_json(struct recorded_program *p, uint32_t version,
                                struct json_fields *f);
/* For a program that has no source yet. */
void manifest_source_from_json(struct recorded_program *p, uint32_t version, struct json_fields *f);
void manifest_buffer_from_json(struct recorded_buffer *b, struct json_fields *f);
void manifest_kernel_from_json(struct recorded_kernel *k, struct json_fields *f);
void manifest_launch_from_json(struct recorded_launch *l, struct json_fields *f);
/* `sites` is the kernel's number of sites. */
void manifest_fate_from_json(struct recorded_launch *l, size_t sites, uint32_t version,
                             struct json_fields *f);
void manifest_bundle_from_json(struct recorded_bundle *b, struct json_fields *f);
void manifest_tally_from_json(struct recorded_tally *t, struct json_fields *f);
void manifest_note_from_json(struct recorded_note *n, struct json_fields *f);
void manifest_time_from_json(struct recorded_work *work, struct json_fields *f);

#endif
