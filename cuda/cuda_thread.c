/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_thread.h"

struct cuda_thread *cuda_thread(void)
{
	static _Thread_local struct cuda_thread thread;

	return &thread;
}
