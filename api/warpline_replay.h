/*
 * warpline_replay - replays recordings of Warpline through a model of a GPU's caches, inside a
 * program of yours: libwarpline-replay. docs/embedding.md has an example from end to end.
 *
 *     warpline_recording_open(&recording, "warpline.data", error)
 *     warpline_gpu_create(&gpu, "gtx480", "16k", error); warpline_gpu_set(gpu, "l2=on", error)
 *     warpline_replay_create(&replay, error); warpline_replay_run(replay, recording, 0, gpu, error)
 *     misses = warpline_replay_number(replay, WARPLINE_TABLE_LAUNCH, 0, WARPLINE_read_misses)
 *
 * The numbers are those of `warpline replay --json`, under the same names (docs/json.md). Nothing
 * is printed; no signal, locale or process of the caller's is touched.
 *
 * Calls that can fail return 0 or one of enum warpline_error_code, and leave a sentence in `error`
 * (warpline_replay_error.h), which may be NULL. What a failed call was to make is NULL. Handles
 * that are asked for something must not be NULL; freeing NULL is nothing. Texts are UTF-8.
 *
 * Threads: there is no state but the handles'. A recording that is open is not changed: any number
 * of threads may use it at once. Every other handle is for one thread at a time.
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

/* Open `folder`, which `warpline record` wrote. Close it with warpline_recording_close(), after the
 * last use of what a replay of it gave: rows borrow its texts. Errors: IO, FORMAT, VERSION, NOMEM.
 */
WARPLINE_API int warpline_recording_open(struct warpline_recording **out, const char *folder,
                                         struct warpline_error *error);
WARPLINE_API void warpline_recording_close(struct warpline_recording *recording);

/* What is missing of it, in words; NULL: nothing is. A recording of which something is missing is
 * replayed as far as it goes. Borrowed. */
WARPLINE_API const char *warpline_recording_missing(const struct warpline_recording *recording);

/* How many launches it lists; `launch` below is 0 .. that - 1. */
WARPLINE_API size_t warpline_recording_launches(const struct warpline_recording *recording);

/* The number of a launch among all that the program made: what `warpline replay --launch` takes and
 * `index` in its JSON is. Launches that were left out have numbers and are not listed. */
WARPLINE_API uint64_t warpline_launch_number(const struct warpline_recording *recording,
                                             size_t launch);

/* The kernel's name; work-items and work-items of a group, by dimension. Borrowed. */
WARPLINE_API const char *warpline_launch_kernel(const struct warpline_recording *recording,
                                                size_t launch);
WARPLINE_API void warpline_launch_size(const struct warpline_recording *recording, size_t launch,
                                       uint64_t global[3], uint64_t local[3]);

/* Why it cannot be replayed: its accesses were not recorded. NULL: it can be. Borrowed. */
WARPLINE_API const char *warpline_launch_refusal(const struct warpline_recording *recording,
                                                 size_t launch);

/*
 * A GPU by name ("gtx480", "V100"), or by the path of a description, which has a '/' or ends in
 * ".conf"; NULL: the A100. `l1` is one of its L1 configurations ("48k"), NULL: the first. Names are
 * sought in the folders of the environment variable WARPLINE_GPUS (with colons), then in
 * share/warpline/gpus beside the library. Errors: USAGE (no such GPU or L1: the sentence lists
 * those there are), CONFIG (with file and line), IO, LIMIT, NOMEM.
 */
WARPLINE_API int warpline_gpu_create(struct warpline_gpu **out, const char *name, const char *l1,
                                     struct warpline_error *error);

/* The same from the text of a description; `name` is for messages and reports. */
WARPLINE_API int warpline_gpu_parse(struct warpline_gpu **out, const char *name, const char *text,
                                    const char *l1, struct warpline_error *error);
WARPLINE_API void warpline_gpu_free(struct warpline_gpu *gpu);

/* Change a key of the description: "l1_sets=32" (`warpline gpus NAME` lists them). Whether the keys
 * go together is asked by warpline_replay_run(), so they may come in any order. Errors: USAGE. */
WARPLINE_API int warpline_gpu_set(struct warpline_gpu *gpu, const char *key_value,
                                  struct warpline_error *error);

/* The description as it is now, as warpline_gpu_parse() reads it. Borrowed until the next call with
 * this GPU; NULL without memory. */
WARPLINE_API const char *warpline_gpu_text(struct warpline_gpu *gpu);

/* Settings, and the rows of the launch that was played last. */
WARPLINE_API int warpline_replay_create(struct warpline_replay **out, struct warpline_error *error);
WARPLINE_API void warpline_replay_free(struct warpline_replay *replay);

/* Set "KEY=VALUE", a row of warpline_replay_settings.def: "schedule=gto", "jobs=4". It holds for
 * all runs that follow. Errors: USAGE; of lists in files also IO, FORMAT, VERSION, LIMIT, NOMEM. */
WARPLINE_API int warpline_replay_set(struct warpline_replay *replay, const char *key_value,
                                     struct warpline_error *error);

/* Tell `function` of each request that an L1 serves (warpline_replay_rows.h); NULL: no more. */
WARPLINE_API void warpline_replay_on_request(struct warpline_replay *replay,
                                             warpline_request_function function, void *context);

/*
 * Play a launch; `gpu` is copied. All caches are empty at its start. Rows of an earlier run are
 * gone, and after a failure there are none. Uses the calling thread, or with jobs=N so many of its
 * own, which have ended when it returns; long lists of large launches may go to a file in $TMPDIR
 * that has no name. Errors: USAGE (no such launch, it was not recorded, a rule that names nothing),
 * CONFIG (the GPU's keys do not go together, or it cannot hold a group), FORMAT, IO, LIMIT, NOMEM,
 * STOPPED by the function.
 */
WARPLINE_API int warpline_replay_run(struct warpline_replay *replay,
                                     const struct warpline_recording *recording, size_t launch,
                                     const struct warpline_gpu *gpu, struct warpline_error *error);

#ifdef __cplusplus
}
#endif

#endif
