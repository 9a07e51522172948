/* SPDX-License-Identifier: Apache-2.0 */
#include "register_choice.h"

#include "array.h"
#include "err.h"
#include "recording.h"
#include "say.h"

#include <stdlib.h>

int register_source_open(struct register_source *s, const struct register_choice *c,
                         struct err *err)
{
	*s = (struct register_source){ .registers = (uint32_t)c->registers.value };
	if (c->ptxas && c->registers.is_given)
		return err_set(err, ERR_USAGE,
		               "--registers and --ptxas: expected one of them, not both");
	if (!c->ptxas)
		return 0;
	s->has_log = true;
	return ptxas_log_load(&s->log, c->ptxas, err);
}

void register_source_release(struct register_source *s)
{
	if (s->has_log)
		ptxas_log_release(&s->log);
}

int register_source_find(const struct register_source *s, const char *command, const char *kernel,
                         uint32_t *registers, struct err *err)
{
	int ret;

	*registers = s->registers;
	if (!s->has_log)
		return 0;
	if (!kernel)
		return err_set(err, ERR_USAGE,
		               "--ptxas gives registers by kernel: expected DIR, a recording");
	ret = ptxas_log_find(&s->log, kernel, registers, err);
	if (!ret && !*registers)
		say_line(command,
		         "%s: kernel %s is not in it, so registers do not limit its groups",
		         s->log.what, kernel);
	return ret;
}

static int find_all(const struct register_source *s, const char *command, const struct recording *r,
                    bool *is_asked, uint32_t *registers, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < r->launch_count; i++) {
		uint32_t kernel = r->launches[i].kernel;

		if (is_asked[kernel])
			continue;
		is_asked[kernel] = true;
		ret = register_source_find(s, command,
		                           kernel_table_symbol(&r->kernels[kernel].table),
		                           &registers[kernel], err);
	}
	return ret;
}

uint32_t *register_choice_kernels(const struct register_choice *c, const char *command,
                                  const struct recording *r, struct err *err)
{
	uint32_t *registers = array_alloc(r->kernel_count, sizeof(*registers), "kernels", err);
	bool *is_asked = array_alloc(r->kernel_count, sizeof(*is_asked), "kernels", err);
	struct register_source source = { 0 };

	if (!registers || !is_asked || register_source_open(&source, c, err) ||
	    find_all(&source, command, r, is_asked, registers, err)) {
		free(registers);
		registers = NULL;
	}
	register_source_release(&source);
	free(is_asked);
	return registers;
}
