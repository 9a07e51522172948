/*
 * launch_notice - how Warpline's CUDA libraries report a refused kernel to a recorder above them.
 *
 * A kernel that these libraries refuse never becomes an OpenCL launch, so a recorder of OpenCL
 * calls cannot see that it is missing. The libraries ask
 * clGetExtensionFunctionAddressForPlatform() for LAUNCH_NOTICE_NAME: no driver has it, the
 * recorder's hook answers with its own.
 */
#ifndef LAUNCH_NOTICE_H
#define LAUNCH_NOTICE_H

#define LAUNCH_NOTICE_NAME "clNoteRefusedLaunchWARPLINE"

/* Report a refused launch. `reason` is a finished clause that names the kernel; it is copied. */
typedef void (*launch_notice)(const char *reason);

#endif
