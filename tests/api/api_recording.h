/*
 * api_recording - a recording of tests/cli and a GPU, through the library's own door.
 */
#ifndef API_RECORDING_H
#define API_RECORDING_H

struct warpline_gpu;
struct warpline_recording;

/* Make the recording `kind` (recordings.h) and open it; a failure fails the test. The files go with
 * the recording that was opened last, at api_recording_remove(). */
struct warpline_recording *api_recording_open(const char *kind);
void api_recording_remove(void);

/* gtx480 with these keys changed, separated by spaces. */
struct warpline_gpu *api_recording_gpu(const char *keys);

#endif
