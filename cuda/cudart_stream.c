/* SPDX-License-Identifier: Apache-2.0 */
/* Streams and events of the runtime API. */
#include "cuda_core.h"
#include "cuda_error.h"
#include "cudart.h"

int cudart_StreamCreateWithPriority(struct cuda_stream **pStream, unsigned flags, int priority)
{
	int status = cuda_core()->status;

	if (!pStream || flags & ~(unsigned)CUDA_STREAM_NON_BLOCKING)
		return cudaErrorInvalidValue;
	return status ? status : cuda_stream_create(flags, priority, CUDA_STREAM_MADE, pStream);
}

int cudart_StreamCreateWithFlags(struct cuda_stream **pStream, unsigned flags)
{
	return cudart_StreamCreateWithPriority(pStream, flags, 0);
}

int cudart_StreamCreate(struct cuda_stream **pStream)
{
	return cudart_StreamCreateWithPriority(pStream, 0, 0);
}

int cudart_StreamDestroy(struct cuda_stream *stream)
{
	struct cuda_stream *s;
	int rc = cuda_stream_find(stream, &s);

	if (rc)
		return rc;
	if (s->kind != CUDA_STREAM_MADE)
		return cudaErrorInvalidResourceHandle;
	cuda_stream_free(s);
	return cudaSuccess;
}

int cudart_StreamGetPriority(struct cuda_stream *stream, int *priority)
{
	struct cuda_stream *s;
	int rc = cuda_stream_find(stream, &s);

	if (rc == cudaSuccess && priority)
		*priority = s->priority;
	return rc;
}

int cudart_StreamGetFlags(struct cuda_stream *stream, unsigned *flags)
{
	struct cuda_stream *s;
	int rc = cuda_stream_find(stream, &s);

	if (rc == cudaSuccess && flags)
		*flags = s->flags;
	return rc;
}

int cudart_StreamGetId(struct cuda_stream *stream, unsigned long long *streamId)
{
	struct cuda_stream *s;
	int rc = cuda_stream_find(stream, &s);

	if (rc == cudaSuccess && streamId)
		*streamId = s->id;
	return rc;
}

int cudart_StreamGetDevice(struct cuda_stream *stream, int *device)
{
	struct cuda_stream *s;
	int rc = cuda_stream_find(stream, &s);

	if (rc == cudaSuccess && device)
		*device = 0;
	return rc;
}

int cudart_StreamSynchronize(struct cuda_stream *stream)
{
	struct cuda_stream *s;
	int rc = cuda_stream_find(stream, &s);

	return rc ? rc : cuda_stream_wait(s);
}

int cudart_StreamQuery(struct cuda_stream *stream)
{
	struct cuda_stream *s;
	int rc = cuda_stream_find(stream, &s);

	return rc ? rc : cuda_stream_query(s);
}

int cudart_StreamWaitEvent(struct cuda_stream *stream, struct cuda_event *event, unsigned flags)
{
	struct cuda_stream *s;
	int rc = cuda_stream_find(stream, &s);

	return rc ? rc : cuda_stream_wait_event(event, s);
}

int cudart_StreamAddCallback(struct cuda_stream *stream, cuda_stream_callback callback,
                             void *userData, unsigned flags)
{
	const struct cuda_host_call call = { .callback = callback,
		                             .handle = stream,
		                             .data = userData };
	struct cuda_stream *s;
	int rc = cuda_stream_find(stream, &s);

	if (!callback || flags)
		return cudaErrorInvalidValue;
	return rc ? rc : cuda_host_call_add(&call, s);
}

int cudart_LaunchHostFunc(struct cuda_stream *stream, cuda_host_function fn, void *userData)
{
	const struct cuda_host_call call = { .function = fn, .data = userData };
	struct cuda_stream *s;
	int rc = cuda_stream_find(stream, &s);

	if (!fn)
		return cudaErrorInvalidValue;
	return rc ? rc : cuda_host_call_add(&call, s);
}

int cudart_StreamAttachMemAsync(struct cuda_stream *stream, void *devPtr, size_t length,
                                unsigned flags)
{
	struct cuda_stream *s;

	return cuda_stream_find(stream, &s);
}

/* Streams are never captured: graphs are not supported. */
int cudart_StreamIsCapturing(struct cuda_stream *stream, int *pCaptureStatus)
{
	struct cuda_stream *s;
	int rc = cuda_stream_find(stream, &s);

	if (rc == cudaSuccess && pCaptureStatus)
		*pCaptureStatus = 0;
	return rc;
}

int cudart_StreamGetCaptureInfo(struct cuda_stream *stream, int *captureStatus_out,
                                unsigned long long *id_out)
{
	return cudart_StreamIsCapturing(stream, captureStatus_out);
}

int cudart_StreamGetCaptureInfo_v2(struct cuda_stream *stream, int *captureStatus_out,
                                   unsigned long long *id_out)
{
	return cudart_StreamIsCapturing(stream, captureStatus_out);
}

int cudart_StreamGetCaptureInfo_v3(struct cuda_stream *stream, int *captureStatus_out,
                                   unsigned long long *id_out)
{
	return cudart_StreamIsCapturing(stream, captureStatus_out);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the interface's */
int cudart_ThreadExchangeStreamCaptureMode(int *mode)
{
	return mode ? cudaSuccess : (int)cudaErrorInvalidValue;
}

int cudart_EventCreateWithFlags(struct cuda_event **event, unsigned flags)
{
	return event ? cuda_event_create(flags, event) : (int)cudaErrorInvalidValue;
}

int cudart_EventCreate(struct cuda_event **event)
{
	return cudart_EventCreateWithFlags(event, 0);
}

int cudart_EventDestroy(struct cuda_event *event)
{
	return cuda_event_free(event);
}

int cudart_EventRecord(struct cuda_event *event, struct cuda_stream *stream)
{
	struct cuda_stream *s;
	int rc = cuda_stream_find(stream, &s);

	return rc ? rc : cuda_event_record(event, s);
}

int cudart_EventRecordWithFlags(struct cuda_event *event, struct cuda_stream *stream,
                                unsigned flags)
{
	return cudart_EventRecord(event, stream);
}

int cudart_EventQuery(struct cuda_event *event)
{
	return cuda_event_query(event);
}

int cudart_EventSynchronize(struct cuda_event *event)
{
	return cuda_event_wait(event);
}

int cudart_EventElapsedTime(float *ms, struct cuda_event *start, struct cuda_event *end)
{
	return ms ? cuda_event_elapsed(ms, start, end) : (int)cudaErrorInvalidValue;
}

int cudart_EventElapsedTime_v2(float *ms, struct cuda_event *start, struct cuda_event *end)
{
	return cudart_EventElapsedTime(ms, start, end);
}
