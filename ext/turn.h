/* The inner loops over one turn, for LANES positions in lockstep.
 *
 * Included once per instruction set by lanes.h, with VEC, VMAX and NAME(x). Every lane does the
 * same operations in the same order whatever the width of VEC, so all copies give bit-identical
 * values (no fused multiply-add: the build passes -ffp-contract=off).
 *
 * A cell is (level, column): the level counts score + turn total in steps from the floor, column c
 * stands for c + 1 dice left, the last one also for hot dice. cells[level][column][lane] is the
 * chance of winning just after a set-aside; levels from game.levels up are the target: all 1.
 */
#define GROUPS (LANES / (int)(sizeof(VEC) / sizeof(double)))

typedef __typeof__((VEC){0} > (VEC){0}) NAME(ivec);
#define IVEC NAME(ivec)
typedef float NAME(fvec) __attribute__((vector_size(sizeof(VEC) / 2)));

static inline VEC NAME(load)(const double *from)
{
    VEC value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline VEC NAME(widen)(const float *from)
{
    NAME(fvec) value;
    memcpy(&value, from, sizeof value);
    return __builtin_convertvector(value, VEC);
}

/* One node of a trie: the better of its parent and one option, weighted into a sum. best[0] is
 * below every value; best[depth + 1] is the last node of that depth. */
static inline void NAME(visit)(const struct node *node, const VEC *here, VEC (*best)[GROUPS],
                               VEC *sum)
{
    const VEC *option = here + (ptrdiff_t)node->offset * GROUPS;
    VEC *parent = best[node->depth];
    for (int v = 0; v < GROUPS; v++) {
        VEC value = VMAX(option[v], parent[v]);
        parent[GROUPS + v] = value;
        sum[v] += node->count * value;
    }
}

/* The value of rolling the dice of `column`: bust, and the best option of every throw. Nodes go to
 * two sums in turn, since an addition takes several cycles. */
static inline void NAME(roll)(const struct game *g, const VEC *here, int column, const VEC *bust,
                              VEC (*best)[GROUPS], VEC *result)
{
    VEC sum[2][GROUPS];
    const double bust_count = g->bust_count[column], outcomes = g->outcomes[column];
    for (int v = 0; v < GROUPS; v++) {
        sum[0][v] = bust_count * bust[v];
        sum[1][v] = (VEC){0};
    }
    const struct node *node = g->nodes + g->node_start[column];
    const struct node *end = g->nodes + g->node_start[column + 1];
    for (; node + 1 < end; node += 2) {
        NAME(visit)(node, here, best, sum[0]);
        NAME(visit)(node + 1, here, best, sum[1]);
    }
    if (node < end)
        NAME(visit)(node, here, best, sum[0]);
    for (int v = 0; v < GROUPS; v++)
        result[v] = (sum[0][v] + sum[1][v]) / outcomes;
}

/* The lowest level of an opponent above the player: who may be overtaken; INT32_MAX for none. */
static inline int NAME(lowest_above)(const struct row *row)
{
    int lowest = INT32_MAX;
    for (int l = 0; l < LANES; l++)
        if (row->opponent_level[l] > row->level && row->opponent_level[l] < lowest)
            lowest = row->opponent_level[l];
    return lowest;
}

/* The table's row for banking at `level`: an opponent strictly between is overtaken. */
static inline const double *NAME(bank)(const struct row *row, int level, int lowest, double *room)
{
    const double *to = row->table + row->bank_status[level] * row->stride;
    if (level <= lowest)
        return to;
    for (int l = 0; l < LANES; l++) {
        const int opponent = row->opponent_level[l];
        room[l] = to[l + (opponent > row->level && opponent < level ? row->overtaken[l] : 0)];
    }
    return room;
}

/* What the opponent's chances leave to the player. */
static inline void NAME(rest)(const double *chances, VEC *result)
{
    for (int v = 0; v < GROUPS; v++)
        result[v] = 1.0 - NAME(load)(chances + v * (LANES / GROUPS));
}

/* Fill the cells from the top down to the row's own level; `start` gets the value of the turn and
 * `rolls`, if given, the value of rolling in every cell. `start` is aligned to 64 bytes. */
static void NAME(turn)(const struct game *g, const struct row *row, const struct scratch *scratch,
                       double *rolls, double *start)
{
    double *cells = scratch->cells;
    lanes_t room;
    VEC rolled[GROUPS], banked[GROUPS], bust_first[GROUPS], bust_later[GROUPS], dump[GROUPS];
    VEC(*best)[GROUPS] = (VEC(*)[GROUPS])scratch->best;
    const ptrdiff_t width = g->dice * GROUPS;
    const int lowest = NAME(lowest_above)(row);
    for (int v = 0; v < GROUPS; v++)
        best[0][v] = (VEC){0} - 1e300;
    NAME(rest)(row->bust_first, bust_first);
    NAME(rest)(row->bust_later, bust_later);
    NAME(rest)(row->dump, dump);
    for (int level = g->levels - 1; level > row->level; level--) {
        VEC *here = (VEC *)cells + level * width;
        const int may_bank = level >= row->bank_from;
        if (may_bank)
            NAME(rest)(NAME(bank)(row, level, lowest, room), banked);
        for (int column = 0; column < g->dice; column++, here += GROUPS) {
            if (g->dump[level]) {
                memcpy(here, dump, sizeof dump);
                continue;
            }
            NAME(roll)(g, here - column * GROUPS, column, bust_later, best, rolled);
            if (rolls)
                memcpy(rolls + ((ptrdiff_t)level * g->dice + column) * LANES, rolled, sizeof rolled);
            const int choice = may_bank && (column < g->dice - 1 || g->hot_may_bank);
            for (int v = 0; v < GROUPS; v++)
                here[v] = choice ? VMAX(banked[v], rolled[v]) : rolled[v];
        }
    }
    NAME(roll)(g, (VEC *)cells + row->level * width, g->dice - 1, bust_first, best,
               (VEC *)start);
}

/* Pass the mass of one roll on to the options that are taken: the adjoint of NAME(roll). The
 * first of equal options is taken. Returns the highest offset that got any. */
static inline int NAME(spread)(const struct game *g, const VEC *here, int column, const VEC *mass,
                               VEC (*best)[GROUPS], VEC (*share)[GROUPS], VEC *reach)
{
    const struct node *nodes = g->nodes + g->node_start[column];
    const int count = g->node_start[column + 1] - g->node_start[column];
    int top = 0;
    for (int v = 0; v < GROUPS; v++)
        best[0][v] = (VEC){0} - 1e300; /* the parent of those that have none */
    for (int n = 0; n < count; n++) {
        const VEC *option = here + (ptrdiff_t)nodes[n].offset * GROUPS;
        const VEC *parent = best[nodes[n].parent + 1];
        for (int v = 0; v < GROUPS; v++) {
            share[n + 1][v] = nodes[n].count * mass[v];
            best[n + 1][v] = VMAX(option[v], parent[v]);
        }
    }
    for (int n = count - 1; n >= 0; n--) {
        const int parent = nodes[n].parent + 1;
        VEC *to = reach + (ptrdiff_t)nodes[n].offset * GROUPS;
        top = nodes[n].offset > top ? nodes[n].offset : top;
        for (int v = 0; v < GROUPS; v++) {
            const VEC taken = (VEC)((best[n + 1][v] > best[parent][v]) & (IVEC)share[n + 1][v]);
            to[v] += taken;
            share[parent][v] += share[n + 1][v] - taken;
        }
    }
    return top;
}

static inline double NAME(largest)(const double *values)
{
    double result = 0.0;
    for (int l = 0; l < LANES; l++)
        result = values[l] > result ? values[l] : result;
    return result;
}

/* Split what reaches a cell into what is banked and what is rolled on, per outcome of the roll. */
static inline void NAME(split)(const double *here, const double *cell, const double *banked,
                               double outcomes, double *bank_mass, double *mass)
{
    for (int l = 0; l < LANES; l++) {
        const int hold = banked && banked[l] >= cell[l];
        bank_mass[l] += hold ? here[l] : 0.0;
        mass[l] = hold ? 0.0 : here[l] / outcomes;
    }
}

static inline void NAME(add)(double *sum, double factor, const double *values)
{
    for (int l = 0; l < LANES; l++)
        sum[l] += factor * values[l];
}

/* Spread what was left out over the ends that were kept. */
static inline void NAME(make_up)(struct ends *ends, const double *left_out)
{
    lanes_t kept, scale;
    for (int l = 0; l < LANES; l++)
        kept[l] = ends->bust_first[l] + ends->bust_later[l] + ends->dump[l];
    for (int k = 0; k < ends->count; k++)
        NAME(add)(kept, 1.0, ends->bank + k * LANES);
    for (int l = 0; l < LANES; l++)
        scale[l] = kept[l] > 0.0 ? 1.0 + left_out[l] / kept[l] : 1.0;
    for (int l = 0; l < LANES; l++) {
        ends->bust_first[l] *= scale[l];
        ends->bust_later[l] *= scale[l];
        ends->dump[l] *= scale[l];
        for (int k = 0; k < ends->count; k++)
            ends->bank[k * LANES + l] *= scale[l];
    }
}

/* How the turn ends under the choices that are best in the cells that NAME(turn) left, banking
 * before rolling. scratch->reach is all 0 before and after. What is reached with a chance of at
 * most `drop` is not followed further. */
static void NAME(flow)(const struct game *g, const struct row *row, const struct scratch *scratch,
                       double drop, struct ends *ends)
{
    lanes_t room, left_out = {0}, mass __attribute__((aligned(64)));
    VEC banked[GROUPS];
    VEC(*best)[GROUPS] = (VEC(*)[GROUPS])scratch->best;
    VEC(*share)[GROUPS] = (VEC(*)[GROUPS])scratch->share;
    const ptrdiff_t width = g->dice * LANES;
    const int all = g->dice - 1, lowest = NAME(lowest_above)(row);
    const VEC *cells = (const VEC *)scratch->cells + row->level * g->dice * GROUPS;
    double *reach = scratch->reach + row->level * width;
    for (int l = 0; l < LANES; l++) {
        mass[l] = 1.0 / g->outcomes[all];
        ends->bust_first[l] = g->bust_count[all] * mass[l];
        ends->bust_later[l] = ends->dump[l] = 0.0;
    }
    int last = NAME(spread)(g, cells, all, (VEC *)mass, best, share, (VEC *)reach) / g->dice;
    last += row->level; /* the highest level that anything reaches */
    ends->count = 0;
    for (int level = row->level + 1; level <= last && level < g->levels; level++) {
        const int may_bank = level >= row->bank_from;
        double *bank_mass = ends->bank + ends->count * LANES;
        memset(bank_mass, 0, sizeof(lanes_t));
        if (may_bank)
            NAME(rest)(NAME(bank)(row, level, lowest, room), banked);
        cells = (const VEC *)scratch->cells + level * g->dice * GROUPS;
        reach = scratch->reach + level * width;
        for (int column = 0; column <= all; column++) {
            double *here = reach + column * LANES;
            const int choice = may_bank && (column < all || g->hot_may_bank);
            if (g->dump[level]) {
                NAME(add)(ends->dump, 1.0, here);
            } else if (NAME(largest)(here) <= drop) {
                NAME(add)(left_out, 1.0, here);
            } else {
                NAME(split)(here, (const double *)(cells + column * GROUPS),
                            choice ? (const double *)banked : NULL, g->outcomes[column], bank_mass,
                            mass);
                if (NAME(largest)(mass) * g->outcomes[column] > drop) {
                    NAME(add)(ends->bust_later, g->bust_count[column], mass);
                    const int top = level + NAME(spread)(g, cells, column, (VEC *)mass, best, share,
                                                         (VEC *)reach) / g->dice;
                    last = top > last ? top : last;
                } else {
                    NAME(add)(left_out, g->outcomes[column], mass);
                }
            }
            memset(here, 0, sizeof(lanes_t));
        }
        if (NAME(largest)(bank_mass) > drop)
            ends->levels[ends->count++] = level;
        else
            NAME(add)(left_out, 1.0, bank_mass);
    }
    if (last >= g->levels) /* what reached the target */
        memset(scratch->reach + g->levels * width, 0, (last + 1 - g->levels) * width * sizeof(double));
    if (drop > 0.0)
        NAME(make_up)(ends, left_out);
}

/* result = rhs + sign * chances * table, for one player against LANES opponents. */
static void NAME(apply)(const struct row *row, const struct line *line, double *result)
{
    lanes_t room;
    VEC sum[GROUPS];
    const int lowest = NAME(lowest_above)(row);
    for (int l = 0; l < LANES; l++)
        room[l] = line->bust_first[l] * row->bust_first[l] +
                  line->bust_later[l] * row->bust_later[l] + line->dump[l] * row->dump[l];
    memcpy(sum, room, sizeof sum);
    for (int k = 0; k < line->count; k++) {
        const double *to = NAME(bank)(row, line->levels[k], lowest, room);
        for (int v = 0; v < GROUPS; v++) {
            const int l = v * (LANES / GROUPS);
            sum[v] += NAME(load)(to + l) * (line->narrow ? NAME(widen)(line->narrow + k * LANES + l)
                                                         : NAME(load)(line->wide + k * LANES + l));
        }
    }
    memcpy(room, sum, sizeof sum);
    for (int l = 0; l < LANES; l++)
        result[l] = line->rhs[l] + line->sign * room[l];
}
#undef GROUPS
#undef IVEC
