/*
 * warpline_replay - replays Warpline's recordings through a model of a GPU's caches inside your own
 * program: libwarpline-replay. docs/embedding.md has a complete example.
 *
 *     warpline_recording_open(&recording, "warpline.data", error)
 *     warpline_gpu_create(&gpu, "gtx480", "16k", error); warpline_gpu_set(gpu, "l2=on", error)
 *     warpline_replay_create(&replay, error); warpline_replay_run(replay, recording, 0, gpu, error)
 *     misses = warpline_replay_number(replay, WARPLINE_TABLE_LAUNCH, 0, WARPLINE_read_misses)
 *
 * The numbers are those of `warpline replay --json`, under the same names (docs/json.md). The
 * library prints nothing and touches no signal, locale or process of the caller.
 *
 * Functions that can fail return 0 or one of enum warpline_error_code, with a message in `error`
 * (warpline_replay_error.h), which may be NULL. A failed call sets its result to NULL. Handles must
 * not be NULL, except when they are freed. Strings are UTF-8.
 *
 * Threads: all state is in the handles. An open recording does not change: any number of threads
 * may use it at once. Every other handle is for one thread at a time.
 *
 * Binary interface: see warpline_replay_version.h.
 */
#ifndef WARPLINE_REPLAY_H
#define WARPLINE_REPLAY_H

#include "warpline_replay_error.h"
#include "warpline_replay_rows.h"
#include "warpline_replay_version.h"

#ifdef __cplusplus
extern "C" {
#endif

struct warpline_gpu;
struct warpline_recording;
struct warpline_replay;

/* Open `folder`, which `warpline record` wrote. Close it with warpline_recording_close() after the
 * last use of the rows of its replays, which borrow its strings. Errors: IO, FORMAT, VERSION,
 * NOMEM.
 */
WARPLINE_API int warpline_recording_open(struct warpline_recording **out, const char *folder,
                                         struct warpline_error *error);
WARPLINE_API void warpline_recording_close(struct warpline_recording *recording);

/* What is missing from it, in words; NULL: nothing. An incomplete recording is replayed as far as
 * it goes. Borrowed. */
WARPLINE_API const char *warpline_recording_missing(const struct warpline_recording *recording);

/* The number of launches it lists; `launch` below is 0 .. that - 1. */
WARPLINE_API size_t warpline_recording_launches(const struct warpline_recording *recording);

/* The number of a launch among all launches of the program, as for `warpline replay --launch` and
 * `index` in its JSON. Launches that were left out have numbers but are not listed. */
WARPLINE_API uint64_t warpline_launch_number(const struct warpline_recording *recording,
                                             size_t launch);

/* The kernel's name, borrowed; work-items, and work-items per group, by dimension. */
WARPLINE_API const char *warpline_launch_kernel(const struct warpline_recording *recording,
                                                size_t launch);
WARPLINE_API void warpline_launch_size(const struct warpline_recording *recording, size_t launch,
                                       uint64_t global[3], uint64_t local[3]);

/* Why a launch cannot be replayed: its accesses were not recorded. NULL: it can be. Borrowed. */
WARPLINE_API const char *warpline_launch_refusal(const struct warpline_recording *recording,
                                                 size_t launch);

/*
 * A GPU by name ("gtx480", "V100"), or by the path of a description, which has a '/' or ends in
 * ".conf"; NULL: the A100. `l1` is one of its L1 configurations ("48k"), NULL: the first. Names are
 * searched in the folders of the environment variable WARPLINE_GPUS (colon-separated), then in
 * share/warpline/gpus beside the library. Errors: USAGE (no such GPU or L1: the message lists
 * them), CONFIG (with file and line), IO, LIMIT, NOMEM.
 */
WARPLINE_API int warpline_gpu_create(struct warpline_gpu **out, const char *name, const char *l1,
                                     struct warpline_error *error);

/* The same from the contents of a description; `name` is for messages and reports. */
WARPLINE_API int warpline_gpu_parse(struct warpline_gpu **out, const char *name, const char *text,
                                    const char *l1, struct warpline_error *error);
WARPLINE_API void warpline_gpu_free(struct warpline_gpu *gpu);

/* Change a key of the description: "l1_sets=32" (`warpline gpus NAME` lists them).
 * warpline_replay_run() checks whether the keys agree, so they may come in any order. Errors:
 * USAGE. */
WARPLINE_API int warpline_gpu_set(struct warpline_gpu *gpu, const char *key_value,
                                  struct warpline_error *error);

/* The current description, in the form that warpline_gpu_parse() reads. Borrowed until the next
 * call with this GPU; NULL if there is no memory. */
WARPLINE_API const char *warpline_gpu_text(struct warpline_gpu *gpu);

/* Settings, and the rows of the launch replayed last. */
WARPLINE_API int warpline_replay_create(struct warpline_replay **out, struct warpline_error *error);
WARPLINE_API void warpline_replay_free(struct warpline_replay *replay);

/* Set "KEY=VALUE", a row of warpline_replay_settings.def: "schedule=gto", "jobs=4". It applies
 * to all later runs. Errors: USAGE; for lists in files also IO, FORMAT, VERSION, LIMIT, NOMEM. */
WARPLINE_API int warpline_replay_set(struct warpline_replay *replay, const char *key_value,
                                     struct warpline_error *error);

/* Call `function` for each request that an L1 serves (warpline_replay_rows.h); NULL: stop that. */
WARPLINE_API void warpline_replay_on_request(struct warpline_replay *replay,
                                             warpline_request_function function, void *context);

/*
 * Replay a launch; `gpu` is copied. All caches are empty at its start. The rows of an earlier run
 * are dropped; after a failure there are none. Uses the calling thread, or, with jobs=N, N threads
 * of its own, which end before it returns; large launches may use an unnamed file in $TMPDIR.
 * Errors: USAGE (no such launch, it was not recorded, a rule that names nothing), CONFIG (the GPU's
 * keys contradict each other, or it cannot hold a group), FORMAT, IO, LIMIT, NOMEM, STOPPED by the
 * function.
 */
WARPLINE_API int warpline_replay_run(struct warpline_replay *replay,
                                     const struct warpline_recording *recording, size_t launch,
                                     const struct warpline_gpu *gpu, struct warpline_error *error);

#ifdef __cplusplus
}
#endif

#endif
