/* SPDX-License-Identifier: Apache-2.0 */
#include "replay_setup.h"

#include <stdlib.h>

void replay_setup_release(struct replay_setup *s)
{
	free(s->registers);
	reorder_config_release(&s->reorder);
	bypass_list_release(&s->options.read_only);
	bypass_list_release(&s->bypass);
	*s = (struct replay_setup){ 0 };
}
