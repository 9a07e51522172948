/* SPDX-License-Identifier: Apache-2.0 */
#include "err.h"
#include "ptx_parser.h"

#include <string.h>

enum { OPERANDS_MAX = 8 };

/* The tokens of one operand: from..to of the statement's. */
struct span {
	size_t from, to;
};

/* An instruction taken apart. */
struct instruction {
	struct ptx_parser *p;
	const struct ptx_token *tokens;
	size_t suffix_end;                  /* tokens 1..suffix_end are suffixes of the opcode */
	struct span operands[OPERANDS_MAX]; /* count of them; further ones are not looked at */
	size_t count;
};

static const struct {
	const char *opcode;
	unsigned sources;
} flows[] = {
#define PTX_FLOW(opcode, sources) { opcode, sources },
#include "ptx_flows.def"
#undef PTX_FLOW
};

static const struct {
	const char *suffix, *why;
} obstacles[] = {
#define PTX_OBSTACLE(suffix, why) { suffix, why },
#include "ptx_obstacles.def"
#undef PTX_OBSTACLE
};

static const char *const cache_ops[] = {
#define PTX_CACHE_OP(suffix) suffix,
#include "ptx_cache_ops.def"
#undef PTX_CACHE_OP
};

static bool is(const struct instruction *i, size_t token, const char *word)
{
	return ptx_token_is(i->p->m->text, i->tokens[token], word);
}

/* Split what stands behind the opcode at commas that no bracket holds. */
static void split_operands(struct instruction *i)
{
	size_t count = i->p->tokens.count, depth = 0, from = i->suffix_end;

	for (size_t t = i->suffix_end; t <= count && i->count < OPERANDS_MAX; t++) {
		if (t < count && (is(i, t, "{") || is(i, t, "[") || is(i, t, "(")))
			depth++;
		if (t < count && depth && (is(i, t, "}") || is(i, t, "]") || is(i, t, ")")))
			depth--;
		if (t < count && (depth || !is(i, t, ",")))
			continue;
		i->operands[i->count++] = (struct span){ from, t };
		from = t + 1;
	}
}

/* The place of a suffix among the tokens; 0: it has none. A '*' at its end stands for anything. */
static size_t find_suffix(const struct instruction *i, const char *suffix)
{
	size_t length = strlen(suffix);
	bool is_prefix = suffix[length - 1] == '*';

	for (size_t t = 1; t < i->suffix_end; t++) {
		struct ptx_token token = i->tokens[t];
		size_t have = token.end - token.begin;

		if (is_prefix && have >= length - 1 &&
		    !memcmp(i->p->m->text + token.begin, suffix, length - 1))
			return t;
		if (!is_prefix && is(i, t, suffix))
			return t;
	}
	return 0;
}

static int add_flow(const struct instruction *i, uint32_t to, uint32_t from)
{
	struct ptx_flow *flow = array_push(&i->p->m->flows, 1, i->p->err);

	if (!flow)
		return i->p->err->code;
	*flow = (struct ptx_flow){ to, from };
	return 0;
}

static uint32_t number_of(const struct instruction *i, struct ptx_token name)
{
	return ptx_registers_number(&i->p->registers, name, i->p->err);
}

/* To each register of the first operand from `from`. */
static int flow_to_results(const struct instruction *i, uint32_t from)
{
	int ret = 0;

	for (size_t t = i->operands[0].from; !ret && t < i->operands[0].to; t++) {
		uint32_t to;

		if (i->tokens[t].kind != PTX_WORD)
			continue;
		to = number_of(i, i->tokens[t]);
		ret = to == PTX_NONE ? i->p->err->code : add_flow(i, to, from);
	}
	return ret;
}

/* To the results from each register of an operand. */
static int flow_from_operand(const struct instruction *i, struct span operand)
{
	int ret = 0;

	for (size_t t = operand.from; !ret && t < operand.to; t++) {
		uint32_t from;

		if (i->tokens[t].kind != PTX_WORD)
			continue;
		from = number_of(i, i->tokens[t]);
		ret = from == PTX_NONE ? i->p->err->code : flow_to_results(i, from);
	}
	return ret;
}

static int note_flows(const struct instruction *i)
{
	unsigned sources = 0;
	int ret = 0;

	for (size_t f = 0; f < sizeof(flows) / sizeof(flows[0]); f++)
		if (is(i, 0, flows[f].opcode))
			sources = flows[f].sources;
	for (size_t o = 1; !ret && o < i->count; o++)
		if (sources >> (o - 1) & 1)
			ret = flow_from_operand(i, i->operands[o]);
	return ret;
}

/* The number of the function's parameter of that name, or PTX_NONE. */
static uint32_t parameter_of(const struct instruction *i, struct ptx_token name)
{
	const struct ptx_function *f = i->p->f;
	const struct ptx_parameter *all = i->p->m->parameters.data;
	const char *text = i->p->m->text;
	size_t length = name.end - name.begin;

	for (size_t n = 0; n < f->parameter_count; n++) {
		struct ptx_token own = all[f->first_parameter + n].name;

		if (own.end - own.begin == length &&
		    !memcmp(text + own.begin, text + name.begin, length))
			return (uint32_t)n;
	}
	return PTX_NONE;
}

/* ld.param.u64 %rd1, [mm_param_0]; */
static int note_parameter(const struct instruction *i)
{
	uint32_t number = PTX_NONE;

	for (size_t t = i->operands[1].from; i->count > 1 && t < i->operands[1].to; t++)
		if (i->tokens[t].kind == PTX_WORD && number == PTX_NONE)
			number = parameter_of(i, i->tokens[t]);
	return number == PTX_NONE ? 0 : flow_to_results(i, PTX_FROM_PARAMETER | number);
}

/* The register of the address: the first name in the brackets. */
static int find_address(const struct instruction *i, struct ptx_load *load)
{
	load->address = PTX_NONE;
	for (size_t t = i->operands[1].from; i->count > 1 && t < i->operands[1].to; t++) {
		if (i->tokens[t].kind != PTX_WORD)
			continue;
		load->address = number_of(i, i->tokens[t]);
		return load->address == PTX_NONE ? i->p->err->code : 0;
	}
	return 0;
}

/* What is in the way of changing it, and which operator it has. */
static void judge(const struct instruction *i, struct ptx_load *load)
{
	size_t space = find_suffix(i, ".global"), op;

	if (is(i, 0, "ldu"))
		load->obstacle = "it is a uniform load (ldu)";
	else if (!space)
		load->obstacle = "its address is generic: it may be of any memory";
	else
		load->space = i->tokens[space];
	for (size_t n = 0; !load->obstacle && n < sizeof(obstacles) / sizeof(obstacles[0]); n++)
		if (find_suffix(i, obstacles[n].suffix))
			load->obstacle = obstacles[n].why;
	for (size_t n = 0; n < sizeof(cache_ops) / sizeof(cache_ops[0]); n++) {
		op = find_suffix(i, cache_ops[n]);
		if (op)
			load->op = i->tokens[op];
	}
}

static bool is_of_other_memory(const struct instruction *i)
{
	static const char *const others[] = { ".param*", ".shared*", ".local", ".const*" };

	for (size_t n = 0; n < sizeof(others) / sizeof(others[0]); n++)
		if (find_suffix(i, others[n]))
			return true;
	return false;
}

static int note_load(const struct instruction *i, const struct ptx_guard *guard, size_t end)
{
	struct ptx_load *load;

	if (is_of_other_memory(i))
		return find_suffix(i, ".param*") ? note_parameter(i) : 0;
	load = array_push(&i->p->m->loads, 1, i->p->err);
	if (!load)
		return i->p->err->code;
	*load = (struct ptx_load){
		.begin = guard->begin,
		.end = end,
		.opcode = i->tokens[0].begin,
		.guard = guard->name,
		.is_negated = guard->is_negated,
		.place = i->p->place,
	};
	judge(i, load);
	return find_address(i, load);
}

int ptx_parser_instruction(struct ptx_parser *p, const struct ptx_guard *guard, size_t end)
{
	struct instruction i = { .p = p, .tokens = p->tokens.data, .suffix_end = 1 };

	while (i.suffix_end < p->tokens.count && i.tokens[i.suffix_end].kind == PTX_SUFFIX)
		i.suffix_end++;
	split_operands(&i);
	if (is(&i, 0, "ld") || is(&i, 0, "ldu"))
		return note_load(&i, guard, end);
	return note_flows(&i);
}
