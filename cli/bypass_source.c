/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_source.h"

#include "err.h"

int bypass_source_write(const struct bypass_source_job *job, struct err *err)
{
	(void)job;
	return err_set(err, ERR_USAGE, "--source: not there yet");
}
