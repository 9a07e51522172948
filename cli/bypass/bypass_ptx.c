/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_ptx.h"

#include "bypass_ptx_edit.h"
#include "err.h"
#include "file.h"
#include "out_file.h"
#include "say.h"
#include "str.h"

#include <string.h>

#define INPUT_BYTES_MAX  ((size_t)1 << 30)
#define OUTPUT_BYTES_MAX ((size_t)1 << 32)

/* "mm: .cg on 2 of 6 loads of global memory" */
static void say_function(const struct ptx_module *m, const struct bypass_ptx_match *x,
                         size_t number, const char *cache_op)
{
	const struct ptx_module_function *f = ptx_module_function(m, number);
	size_t passing = 0, paired = 0;

	for (size_t i = 0; i < f->load_count; i++) {
		enum bypass_ptx_fate fate =
			bypass_ptx_fate(m, x, number, f->first_load + i, cache_op);

		passing += fate == BYPASS_PTX_PASSES;
		paired += fate == BYPASS_PTX_PAIRED;
	}
	if (paired)
		say_line("bypass",
		         "%s: %s on %zu of %zu loads of global memory, and on %zu in warps from "
		         "%u on",
		         f->name, cache_op, passing, f->load_count, paired, x->warps[number]);
	else if (passing)
		say_line("bypass", "%s: %s on %zu of %zu loads of global memory", f->name, cache_op,
		         passing, f->load_count);
	else if (f->is_entry)
		say_line("bypass", "%s: unchanged", f->name);
}

static void say(const struct ptx_module *m, const struct bypass_ptx_match *x, const char *cache_op)
{
	char *const *notes = x->notes.data;

	for (size_t i = 0; i < m->functions.count; i++)
		say_function(m, x, i, cache_op);
	for (size_t i = 0; i < x->notes.count; i++)
		say_line("bypass", "%s", notes[i]);
	if (x->notes_left)
		say_line("bypass", "and %zu more of such sentences", x->notes_left);
}

static int write_text(const char *path, const struct str *text, struct err *err)
{
	struct out_file file;
	int ret = out_file_open(&file, path, err);

	if (!ret && text->length)
		fwrite(text->text, 1, text->length, file.stream);
	if (!ret)
		ret = out_file_end(&file, err);
	out_file_release(&file);
	return ret;
}

static int rewrite(const struct bypass_ptx_job *job, const char *name, const struct str *input,
                   struct err *err)
{
	const char *cache_op = job->cache_op && !strcmp(job->cache_op, "cs") ? ".cs" : ".cg";
	struct bypass_ptx_match match = { .left_rules = 0 };
	struct ptx_module module;
	struct str output;
	int ret =
		ptx_module_read(&module, name, input->text ? input->text : "", input->length, err);

	str_init(&output, OUTPUT_BYTES_MAX);
	if (!ret && !module.functions.count)
		ret = err_set(err, ERR_FORMAT, "%s: has no function with a body, expected PTX",
		              name);
	if (!ret)
		ret = bypass_ptx_match_init(&match, &module, job->list, job->recording, err);
	if (!ret)
		ret = bypass_ptx_edit(&module, &match, cache_op, &output, err);
	if (!ret)
		ret = write_text(job->output, &output, err);
	if (!ret)
		say(&module, &match, cache_op);
	if (!ret && match.left_rules)
		ret = EXIT_UNMATCHED;
	bypass_ptx_match_release(&match);
	ptx_module_release(&module);
	str_release(&output);
	return ret;
}

int bypass_ptx_rewrite(const struct bypass_ptx_job *job, struct err *err)
{
	bool is_stdin = !strcmp(job->input, "-");
	struct str input;
	int ret;

	if (job->cache_op && strcmp(job->cache_op, "cg") != 0 && strcmp(job->cache_op, "cs") != 0)
		return err_set(err, ERR_USAGE, "--cache-op: '%s' is not one of cg|cs",
		               job->cache_op);
	str_init(&input, INPUT_BYTES_MAX);
	ret = file_read(is_stdin ? "/dev/stdin" : job->input, &input, err);
	if (!ret)
		ret = rewrite(job, is_stdin ? "stdin" : job->input, &input, err);
	str_release(&input);
	return ret;
}
