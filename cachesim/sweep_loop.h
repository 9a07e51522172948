/*
 * sweep_loop - the inner loops of sweep_chain, once for each width of keys (private; included by
 * sweep_portable.c and sweep_avx512.c).
 *
 * Before it is included: KEY, the type of a key; NAME(x), a name for this width; and the functions
 *   NAME(find)(stack, depth, key)       the place of a key, depth when it is not there
 *   NAME(put_first)(stack, place, key)  the keys before `place` move one back over it
 */
static const KEY NAME(nobody) = (KEY)-1;

static inline KEY *NAME(set)(const struct sweep_chain *c, const struct sweep_level *l,
                             uint64_t line)
{
	return (KEY *)c->keys + l->first + (size_t)set_index_find(&l->index, line) * c->depth;
}

/* Make a line the first of its set; where it was found. */
static inline uint32_t NAME(read)(KEY *stack, uint32_t depth, KEY key, bool has_holes)
{
	uint32_t at = NAME(find)(stack, depth, key);
	uint32_t to = at < depth ? at : depth - 1;

	if (has_holes) {
		uint32_t hole = NAME(find)(stack, depth, NAME(nobody));

		if (hole < at) { /* what comes in fills it; where it was is empty now */
			if (at < depth)
				stack[at] = NAME(nobody);
			to = hole;
		}
	}
	NAME(put_first)(stack, to, key);
	return at;
}

static inline void NAME(read_line)(struct sweep_chain *c, uint64_t line, uint32_t depth,
                                   bool has_holes)
{
	uint32_t at = 0;

	for (size_t i = 0; i < c->level_count; i++) {
		struct sweep_level *l = &c->levels[i];
		KEY *stack = NAME(set)(c, l, line);

		if (stack[0] == (KEY)line) {
			l->stops++;
			return;
		}
		at = NAME(read)(stack, depth, (KEY)line, has_holes);
		l->reads[at]++;
	}
	c->missed[c->missed_count] = line;
	c->missed_count += at == depth;
}

/* A write or an atomic: where is the line, and out with it if it `takes`. */
static inline void NAME(touch_line)(struct sweep_chain *c, uint64_t line, bool is_write, bool takes)
{
	for (size_t i = 0; i < c->level_count; i++) {
		struct sweep_level *l = &c->levels[i];
		KEY *stack = NAME(set)(c, l, line);
		uint32_t at = NAME(find)(stack, c->depth, (KEY)line);

		(is_write ? l->writes : l->atomics)[at]++;
		if (at < c->depth && takes) {
			stack[at] = NAME(nobody);
			c->has_holes = true;
		}
	}
}

static inline void NAME(play_reads)(struct sweep_chain *c, const struct sweep_batch *b,
                                    uint32_t depth)
{
	for (size_t i = 0; i < b->count; i++)
		NAME(read_line)(c, b->lines[i], depth, false);
}

static inline void NAME(play_mixed)(struct sweep_chain *c, const struct sweep_batch *b)
{
	for (size_t i = 0; i < b->count; i++) {
		enum site_kind kind = b->kinds ? b->kinds[i] : SITE_READ;

		if (kind == SITE_READ)
			NAME(read_line)(c, b->lines[i], c->depth, c->has_holes);
		else
			NAME(touch_line)
		(c, b->lines[i], kind == SITE_WRITE, kind != SITE_WRITE || c->is_evicting);
	}
}

/* The usual depths are constants to the compiler. */
static inline void NAME(play)(struct sweep_chain *c, const struct sweep_batch *b)
{
	if (b->kinds || c->has_holes)
		NAME(play_mixed)(c, b);
	else if (c->depth == SWEEP_PLACES)
		NAME(play_reads)(c, b, SWEEP_PLACES);
	else if (c->depth == 2 * SWEEP_PLACES)
		NAME(play_reads)(c, b, 2 * SWEEP_PLACES);
	else
		NAME(play_reads)(c, b, c->depth);
}
