/* SPDX-License-Identifier: Apache-2.0 */
#include "diff_side.h"

#include "recording.h"

void diff_side_release(struct diff_side *s)
{
	report_data_release(&s->data);
	replay_setup_release(&s->setup);
	recording_close(s->recording);
	*s = (struct diff_side){ 0 };
}
