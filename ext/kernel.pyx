# cython: language_level=3, initializedcheck=False
"""The compiled kernel: dice enumeration, and the loops over turns. Knows arrays only.

Callers validate; nothing here checks a range, and nothing can fail. Methods release the GIL and
write only to the blocks they are given, so threads share one `Game`.

Tasks (m, 2) name blocks as (status, block). They come in fronts: ends (f,) says where each ends in
the list. Threads with the same `Crew` make the same call; they share out a front, and none begins
the next before all of this one is done and its results are in the table.
"""

cimport cython
import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.math cimport INFINITY, fabs
from libc.string cimport memcpy

cdef extern from "lanes.h" nogil:
    enum: LANES
    ctypedef double lanes_t[LANES]
    struct node:
        int32_t offset, depth, parent, unused
        double count
    struct game:
        int levels, dice, hot_may_bank
        const node *nodes
        const int32_t *node_start
        const double *bust_count
        const double *outcomes
        const uint8_t *dump
    struct row:
        int level, bank_from
        const double *table
        Py_ssize_t stride
        const int32_t *bank_status
        const int32_t *opponent_level
        const int32_t *overtaken
        const double *bust_first
        const double *bust_later
        const double *dump
    struct scratch:
        double *cells
        double *reach
        lanes_t *best
        lanes_t *share
    struct ends:
        double *bust_first
        double *bust_later
        double *dump
        double *bank
        int32_t *levels
        int count
    struct line:
        double sign
        const double *rhs
        const double *bust_first
        const double *bust_later
        const double *dump
        const float *narrow
        const double *wide
        const int32_t *levels
        int count
    struct copy:
        void (*turn)(const game *, const row *, const scratch *, double *,
                     double *) noexcept nogil
        void (*flow)(const game *, const row *, const scratch *, double, ends *) noexcept nogil
        void (*apply)(const row *, const line *, double *) noexcept nogil
    int widest_copy() noexcept
    const copy *copy_of(int width) noexcept

cdef extern from "crew.h" nogil:
    struct crew:
        pass
    bint crew_take(crew *, Py_ssize_t grain, Py_ssize_t base, Py_ssize_t count, Py_ssize_t *first,
                   Py_ssize_t *end)
    void crew_done(crew *, Py_ssize_t count)
    void crew_wait(crew *, Py_ssize_t count)
    void crew_stop(crew *)

BLOCK = LANES
WIDEST = widest_copy()
NODE = np.dtype([("offset", "i4"), ("depth", "i4"), ("parent", "i4"), ("unused", "i4"),
                 ("count", "f8")])

cdef enum:
    FEW = 8  # tasks that a thread takes at once where each is short


cdef int points_of(int64_t key, const int64_t[::1] keys, const int32_t[::1] points) noexcept nogil:
    """The points of one combination, 0 if there is none with this key: binary search."""
    cdef Py_ssize_t low = 0, high = len(keys), middle
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return points[low] if low < len(keys) and keys[low] == key else 0


cdef void best_splits(int count, const int *dice, const int64_t[::1] keys,
                      const int32_t[::1] points, int *best) noexcept nogil:
    """The most points that each subset (bit mask) of sorted dice splits into wholly; 0: none."""
    cdef int mask, part, rest, worth, position
    cdef int64_t key
    cdef int single[64]
    best[0] = 0
    for mask in range(1, 1 << count):
        key = 0
        for position in range(count):
            if mask >> position & 1:
                key = key << 5 | dice[position]
        single[mask] = points_of(key, keys, points)
        best[mask] = single[mask]
        part = (mask - 1) & mask
        while part:  # proper subsets of the mask
            rest = mask ^ part
            worth = single[part]
            if worth and best[rest] and worth + best[rest] > best[mask]:
                best[mask] = worth + best[rest]
            part = (part - 1) & mask


cdef bint is_first(int mask, int count, const int *dice) noexcept nogil:
    """Whether a mask takes the first of equal dice: one mask for each multiset."""
    cdef int position
    for position in range(1, count):
        if dice[position] == dice[position - 1] and mask >> position & 1:
            if not mask >> (position - 1) & 1:
                return False
    return True


def throws(int count, int sides, const int64_t[::1] keys, const int32_t[::1] points):
    """Every distinct throw of `count` dice: its outcomes, and what may be kept of it.

    Parameters
    ----------
    count, sides : int
        At most 6 dice of at most 20 sides.
    keys : (c,) int64, sorted; points : (c,) int32
        Combinations: five bits a face, sorted, the first face highest; and their points.

    Returns
    -------
    list of (dice, outcomes, masks, points)
        dice: sorted tuple; outcomes: how many of the sides ** count ordered outcomes it is;
        masks, points: lists of the keepable subsets as bit masks over dice, with their points.
    """
    cdef int dice[6]
    cdef int best[64]
    cdef int position, mask, run
    cdef int64_t outcomes
    result = []
    for position in range(count):
        dice[position] = 1
    while True:
        outcomes, run = 1, 0
        for position in range(count):  # the multinomial coefficient, exact at every step
            run = run + 1 if position and dice[position] == dice[position - 1] else 1
            outcomes = outcomes * (position + 1) // run
        best_splits(count, dice, keys, points, best)
        masks = [mask for mask in range(1, 1 << count)
                 if best[mask] and is_first(mask, count, dice)]
        result.append((tuple([dice[position] for position in range(count)]), outcomes, masks,
                       [best[mask] for mask in masks]))
        position = count - 1
        while position >= 0 and dice[position] == sides:
            position -= 1
        if position < 0:
            return result
        mask = dice[position] + 1
        for position in range(position, count):
            dice[position] = mask


@cython.final
cdef class Scratch:
    """Room for one thread to work in: see `Game.scratch`."""

    cdef scratch s
    cdef double *bank
    cdef double *start
    cdef int32_t *levels
    cdef double *local
    cdef double *rolls
    cdef int32_t level_of[LANES]
    cdef int32_t shift[LANES]
    cdef double[::1] buffer

    def __init__(self, Py_ssize_t levels, Py_ssize_t pad, Py_ssize_t dice, Py_ssize_t nodes,
                 Py_ssize_t statuses):
        cdef Py_ssize_t cells = (levels + pad) * dice * LANES
        cdef Py_ssize_t k
        self.buffer = np.zeros(2 * (cells + nodes * LANES) + (2 * levels + 1) * LANES + 8
                               + (levels * dice + 2 * statuses) * LANES)
        self.s.cells = <double *> ((<size_t> &self.buffer[0] + 63) & ~<size_t> 63)
        self.s.reach = self.s.cells + cells
        self.s.best = <lanes_t *> (self.s.reach + cells)
        self.s.share = self.s.best + nodes
        self.bank = <double *> (self.s.share + nodes)
        self.start = self.bank + levels * LANES
        self.levels = <int32_t *> (self.start + LANES)
        self.rolls = self.start + (levels + 1) * LANES
        self.local = self.rolls + levels * dice * LANES
        for k in range(levels * dice * LANES, cells):
            self.s.cells[k] = 1.0  # the target is reached: won


@cython.final
cdef class Crew:
    """Threads that go through tasks together; for one call of each."""

    cdef crew c

    def stop(self):
        """Let every thread return as soon as its task is done, whatever is left undone."""
        crew_stop(&self.c)


@cython.final
cdef class Map:
    """How turns end under a policy, block by block.

    Parameters
    ----------
    chances : flat array of lines of LANES, float32 or float64; levels : flat array
        Line starts[i, block] + k has the chances to bank at level levels[same], for
        k < counts[i, block].
    starts : (statuses, blocks) int64
    counts : (statuses, blocks) int32
        -1: the block has no map yet.
    others : (3, statuses, lanes)
        The chances of a bust on the first throw, on a later one, and of a dump truck.
    """

    cdef float[::1] narrow
    cdef double[::1] wide
    cdef int32_t[::1] levels
    cdef int64_t[:, ::1] starts
    cdef int32_t[:, ::1] counts
    cdef double[:, :, ::1] others
    cdef bint single

    def __init__(self, chances, levels, starts, counts, others):
        self.single = chances.dtype == np.float32
        if self.single:
            self.narrow = chances
        else:
            self.wide = chances
        self.levels, self.starts, self.counts, self.others = levels, starts, counts, others

    cdef void line(self, line *one, int i, int block, double sign,
                   const double[:, ::1] rhs) noexcept nogil:
        """One block."""
        cdef int lane = block * LANES
        cdef int64_t start = self.starts[i, block]
        one.sign, one.rhs, one.count = sign, &rhs[i, lane], self.counts[i, block]
        one.narrow, one.wide = NULL, NULL
        if self.single:
            one.narrow = &self.narrow[start * LANES]
        else:
            one.wide = &self.wide[start * LANES]
        one.levels = &self.levels[start]
        one.bust_first, one.bust_later = &self.others[0, i, lane], &self.others[1, i, lane]
        one.dump = &self.others[2, i, lane]

    cdef void ends_of(self, ends *e, int i, int block) noexcept nogil:
        """Let the chances of what is no bank go to a block's place."""
        cdef int lane = block * LANES
        e.bust_first, e.bust_later = &self.others[0, i, lane], &self.others[1, i, lane]
        e.dump = &self.others[2, i, lane]

    cdef void put(self, const ends *e, int i, int block) noexcept nogil:
        """The chances of banks of a block."""
        cdef Py_ssize_t n
        cdef int64_t start = self.starts[i, block]
        self.counts[i, block] = e.count
        for n in range(e.count):
            self.levels[start + n] = e.levels[n]
        if self.single:
            for n in range(e.count * LANES):
                self.narrow[start * LANES + n] = <float> e.bank[n]
        else:
            for n in range(e.count * LANES):
                self.wide[start * LANES + n] = e.bank[n]


cdef inline void solve_own(const row *r, const line *one, const double *own, int lane,
                           double *x) noexcept nogil:
    """Two players of one status: where a turn may leave all as it was, x depends on itself.

    `own` is the row of the table that holds the old x.
    """
    cdef double chance = (one.bust_first[lane] * (r.bust_first == own) +
                          one.bust_later[lane] * (r.bust_later == own) +
                          one.dump[lane] * (r.dump == own))
    x[0] = (x[0] - one.sign * chance * own[lane]) / (1.0 - one.sign * chance)


@cython.final
cdef class Game:
    """The arrays of one rule set, as the loops want them.

    Parameters
    ----------
    levels, dice, hot_may_bank : int
        Scores below the target, in steps from the floor; dice; whether hot dice may be banked.
    nodes : (m,) NODE array, node_start : (dice + 1,) int32
        Tries of option sets for 1 .. dice dice.
    bust_count, outcomes : (dice,) float64
    dump : (levels,) uint8
    status : (n, 4) int32
        Of each status: level, lowest level to bank, status after a bust on the first throw, and
        after one on a later throw.
    opponent : (n padded to whole blocks, 2) int32
        Of each lane: level if the opponent can be overtaken, else -1; shift to the lane of the
        overtaken opponent.
    bank_status : (levels,) int32
        The status that banking at a level leads to.
    dump_status : int
    width : int
        Instruction set: 0 baseline, 1 AVX2, 2 AVX-512.
    """

    cdef game g
    cdef const copy *run
    cdef readonly int statuses, lanes, nodes
    cdef int pad, dump_status, largest
    cdef object keep
    cdef const int32_t[:, ::1] status
    cdef const int32_t[::1] level, shift, bank_status

    def __init__(self, int levels, int dice, int hot_may_bank, nodes, const int32_t[::1] node_start,
                 const double[::1] bust_count, const double[::1] outcomes, const uint8_t[::1] dump,
                 const int32_t[:, ::1] status, opponent, const int32_t[::1] bank_status,
                 int dump_status, int width):
        cdef const uint8_t[::1] raw = nodes.view(np.uint8)
        self.keep = (nodes, node_start, bust_count, outcomes, dump)
        self.g.levels, self.g.dice, self.g.hot_may_bank = levels, dice, hot_may_bank
        self.g.nodes = <const node *> &raw[0]
        self.g.node_start = &node_start[0]
        self.g.bust_count = &bust_count[0]
        self.g.outcomes = &outcomes[0]
        self.g.dump = &dump[0]
        self.status, self.bank_status = status, bank_status
        self.level = np.ascontiguousarray(opponent[:, 0])
        self.shift = np.ascontiguousarray(opponent[:, 1])
        self.nodes = len(nodes)
        self.statuses, self.lanes = len(status), len(opponent)
        self.pad = int(nodes["offset"].max()) // dice + 1
        self.largest = int(np.diff(node_start).max()) + 1
        self.dump_status = dump_status
        self.run = copy_of(width)

    def scratch(self):
        """Room for one thread; every method that works through turns wants one."""
        return Scratch(self.g.levels, self.pad, self.g.dice, self.largest, self.statuses)

    cdef void describe(self, row *r, int i, int lane, const double[:, ::1] table) noexcept nogil:
        """Status i against the block of opponents from `lane`."""
        r.level, r.bank_from = self.status[i, 0], self.status[i, 1]
        r.table, r.stride = &table[0, lane], self.lanes
        r.bank_status = &self.bank_status[0]
        r.opponent_level, r.overtaken = &self.level[lane], &self.shift[lane]
        r.bust_first = &table[self.status[i, 2], lane]
        r.bust_later = &table[self.status[i, 3], lane]
        r.dump = &table[self.dump_status, lane]

    cdef Py_ssize_t close(self, Crew crew, const int32_t[:, ::1] tasks, Py_ssize_t first,
                          Py_ssize_t last, Py_ssize_t base, const double[:, ::1] x,
                          double[:, ::1] table, double *change) noexcept nogil:
        """Once all before `base` is done: table[o, i] = x[i, o] at a front. The next base.

        The largest change that this thread makes goes to `change`, if that is smaller.
        """
        cdef Py_ssize_t k, begin, end
        cdef int i, block, lane
        cdef double moved
        crew_wait(&crew.c, base)
        while crew_take(&crew.c, FEW, base, last - first, &begin, &end):
            for k in range(first + begin, first + end):
                i, block = tasks[k, 0], tasks[k, 1]
                for lane in range(block * LANES, min((block + 1) * LANES, self.statuses)):
                    moved = fabs(x[i, lane] - table[lane, i])
                    if not moved <= change[0]:
                        change[0] = moved if moved == moved else INFINITY
                    table[lane, i] = x[i, lane]
            crew_done(&crew.c, end - begin)
        base += last - first
        crew_wait(&crew.c, base)
        return base

    def backward(self, Crew crew, Scratch scratch, const int32_t[:, ::1] tasks,
                 const int64_t[::1] ends, double[:, ::1] table, double[:, ::1] out):
        """Backward passes over the turns of some blocks.

        Parameters
        ----------
        table : (statuses, lanes)
            [j, o]: the chance of opponent o to win when he moves and the player stands at j. Gets
            the transpose of what is new, front by front.
        out : (statuses, lanes)
            Gets the value of the turn at the tasks' places.
        """
        cdef row r
        cdef Py_ssize_t f, k, end, first = 0, base = 0
        cdef double change = 0.0
        with nogil:
            for f in range(len(ends)):
                while crew_take(&crew.c, 1, base, ends[f] - first, &k, &end):
                    k += first
                    self.describe(&r, tasks[k, 0], tasks[k, 1] * LANES, table)
                    self.run.turn(&self.g, &r, &scratch.s, NULL, scratch.start)
                    memcpy(&out[tasks[k, 0], tasks[k, 1] * LANES], scratch.start, sizeof(lanes_t))
                    crew_done(&crew.c, 1)
                base += ends[f] - first
                base = self.close(crew, tasks, first, ends[f], base, out, table, &change)
                first = ends[f]

    def outcomes(self, Crew crew, Scratch scratch, const int32_t[:, ::1] tasks,
                 const int64_t[::1] ends, double[:, ::1] table, double drop, double slack, Map map,
                 double[:, ::1] constant, double[:, ::1] out):
        """Backward passes, and how each turn ends under the choices that are best in them.

        The map of a block is constant - chances * table. Where the old one still gives the value
        of the backward pass to within `slack` only the constant is put right.

        Parameters
        ----------
        table, out : as in `backward`
        drop : float
            What is reached with at most this chance is not followed.
        map : Map
            Gets the chances; it has a line for every level above a player's own.
        constant : (statuses, lanes)

        Returns
        -------
        int
            Blocks whose map is new, of those that this thread took.
        """
        cdef Py_ssize_t f, k, end, first = 0, base = 0
        cdef int renewed = 0
        cdef double change = 0.0
        with nogil:
            for f in range(len(ends)):
                while crew_take(&crew.c, 1, base, ends[f] - first, &k, &end):
                    k += first
                    renewed += self.outcome(scratch, tasks[k, 0], tasks[k, 1], table, drop, slack,
                                            map, constant, out)
                    crew_done(&crew.c, 1)
                base += ends[f] - first
                base = self.close(crew, tasks, first, ends[f], base, out, table, &change)
                first = ends[f]
        return renewed

    cdef bint outcome(self, Scratch scratch, int i, int block, const double[:, ::1] table,
                      double drop, double slack, Map map, double[:, ::1] constant,
                      double[:, ::1] out) noexcept nogil:
        """One block of `outcomes`; whether its map is new."""
        cdef row r
        cdef ends e
        cdef line one
        cdef lanes_t old
        cdef int l, lane = block * LANES
        cdef double off = INFINITY
        self.describe(&r, i, lane, table)
        self.run.turn(&self.g, &r, &scratch.s, NULL, scratch.start)
        memcpy(&out[i, lane], scratch.start, sizeof(lanes_t))
        if map.counts[i, block] >= 0:
            map.line(&one, i, block, -1.0, constant)
            self.run.apply(&r, &one, old)
            off = 0
            for l in range(LANES):
                off = max(off, fabs(scratch.start[l] - old[l]))
                constant[i, lane + l] += scratch.start[l] - old[l]
        if off <= slack:
            return False
        e.bank, e.levels = scratch.bank, scratch.levels
        map.ends_of(&e, i, block)
        self.run.flow(&self.g, &r, &scratch.s, drop, &e)
        map.put(&e, i, block)
        memcpy(&constant[i, lane], scratch.start, sizeof(lanes_t))
        map.line(&one, i, block, 1.0, constant)
        self.run.apply(&r, &one, old)
        memcpy(&constant[i, lane], old, sizeof(lanes_t))
        return True

    def sweep(self, Crew crew, const int32_t[:, ::1] tasks, const int64_t[::1] ends,
              double[:, :, ::1] tables, Map one, Map other, double sign,
              const double[:, :, ::1] rhs, double[:, :, ::1] out, bint own=False):
        """x = rhs[0] + sign * P y and y = rhs[1] + sign * Q x at some blocks, in place.

        Parameters
        ----------
        tables : (1 or 2, statuses, lanes)
            The transposes of x and y; get what is new, front by front. Of one table only: x = y.
        one, other : Map
            P and Q.
        rhs : (1 or 2, statuses, lanes)
        out : (1 or 2, statuses, lanes)
            x and y.
        own : bool
            Of one table: whether an equation that holds its own unknown is solved for it, as
            Gauss-Seidel sweeps do.

        Returns
        -------
        float
            The largest change of an entry, of those that this thread put into the tables.
        """
        cdef Py_ssize_t f, first = 0, base = 0
        cdef double change = 0.0
        cdef bint both = len(out) > 1
        with nogil:
            for f in range(len(ends)):
                base = self.apply(crew, tasks, first, ends[f], base, tables[both], one, sign,
                                  rhs[0], out[0], own)
                base = self.close(crew, tasks, first, ends[f], base, out[0], tables[0],
                                  &change)
                if both:
                    base = self.apply(crew, tasks, first, ends[f], base, tables[0], other, sign,
                                      rhs[1], out[1], own)
                    base = self.close(crew, tasks, first, ends[f], base, out[1], tables[1],
                                      &change)
                first = ends[f]
        return change

    cdef Py_ssize_t apply(self, Crew crew, const int32_t[:, ::1] tasks, Py_ssize_t first,
                          Py_ssize_t last, Py_ssize_t base, const double[:, ::1] table, Map map,
                          double sign, const double[:, ::1] rhs, double[:, ::1] out,
                          bint own) noexcept nogil:
        """out = rhs + sign * map * x at a front, where table is x's transpose. The next base."""
        cdef row r
        cdef line one
        cdef Py_ssize_t k, begin, end
        cdef int i, lane
        while crew_take(&crew.c, FEW, base, last - first, &begin, &end):
            for k in range(first + begin, first + end):
                i, lane = tasks[k, 0], tasks[k, 1] * LANES
                self.describe(&r, i, lane, table)
                map.line(&one, i, tasks[k, 1], sign, rhs)
                self.run.apply(&r, &one, &out[i, lane])
                if own and lane <= i < lane + LANES:
                    solve_own(&r, &one, &table[i, lane], i - lane, &out[i, i])
            crew_done(&crew.c, end - begin)
        return base + last - first

    def turns(self, Scratch scratch, const double[:, ::1] table, int i,
              const int32_t[::1] opponents, double[:, :, ::1] rolls, double[:, ::1] banks):
        """All that a turn of status i can come to, against up to LANES opponents of any kind.

        Parameters
        ----------
        table : as in `backward`
        opponents : (m,), m from 1 to LANES
        rolls : (m, levels, dice)
            Gets the value of rolling in each cell above the player's level, and of the first roll
            in the last column at his level.
        banks : (m, levels)
            Gets the value of banking at each level above the player's, allowed or not.
        """
        cdef row r
        cdef int l, level, column, m = len(opponents)
        cdef Py_ssize_t cell
        with nogil:
            self.look_ahead(&r, scratch, table, i, &opponents[0], m)
            for l in range(m):
                rolls[l, r.level, self.g.dice - 1] = scratch.start[l]
                for level in range(r.level + 1, self.g.levels):
                    banks[l, level] = self.banked(&r, level, l)
                    cell = level * self.g.dice * LANES + l
                    for column in range(self.g.dice):
                        rolls[l, level, column] = scratch.rolls[cell + column * LANES]

    cdef void look_ahead(self, row *r, Scratch scratch, const double[:, ::1] table, int i,
                         const int32_t *opponents, int m) noexcept nogil:
        """Work through the turn of status i against m opponents of any kind; `r` then refers to
        copies of what they have in the table, and scratch.rolls holds the values of rolling."""
        cdef int l, level
        for l in range(LANES):
            scratch.level_of[l], scratch.shift[l] = self.level[opponents[min(l, m - 1)]], LANES
        self.describe(r, i, 0, table)
        for level in range(r.level + 1, self.g.levels):
            self.copy_lanes(scratch.local, table, opponents, m, self.bank_status[level])
        self.copy_lanes(scratch.local, table, opponents, m, self.status[i, 2])
        self.copy_lanes(scratch.local, table, opponents, m, self.status[i, 3])
        self.copy_lanes(scratch.local, table, opponents, m, self.dump_status)
        r.table, r.stride = scratch.local, 2 * LANES
        r.opponent_level, r.overtaken = scratch.level_of, scratch.shift
        r.bust_first = scratch.local + self.status[i, 2] * r.stride
        r.bust_later = scratch.local + self.status[i, 3] * r.stride
        r.dump = scratch.local + self.dump_status * r.stride
        self.run.turn(&self.g, r, &scratch.s, scratch.rolls, scratch.start)

    cdef inline double banked(self, const row *r, int level, int lane) noexcept nogil:
        """The value of banking at a level, after `look_ahead`."""
        cdef int o = LANES if r.level < r.opponent_level[lane] < level else 0
        return 1.0 - r.table[self.bank_status[level] * r.stride + o + lane]

    cdef void copy_lanes(self, double *local, const double[:, ::1] table,
                         const int32_t *opponents, int m, int status) noexcept nogil:
        """One row of the table for these opponents, and for them overtaken."""
        cdef int l, o
        cdef double *to = local + status * 2 * LANES
        for l in range(LANES):
            o = opponents[min(l, m - 1)]
            to[l] = table[status, o]
            to[LANES + l] = table[status, o + self.shift[o]]


include "games.pxi"
