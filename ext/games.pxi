# Simulated games. Included by kernel.pyx, at its end.
#
# Throws are drawn as option sets (all that matters of them to a player), each with its exact
# chance, from a generator that belongs to one game alone: what a game comes to depends on the
# seed and its number, not on threads or on how the work was cut up.

from libc.stdint cimport INT64_MIN

cdef extern from *:
    """
    /* A counter in steps of the golden ratio, hashed: splitmix64 (Steele, Lea and Flood, 2014). */
    static inline uint64_t hash64(uint64_t z)
    {
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        return z ^ (z >> 31);
    }
    static inline uint64_t game_key(uint64_t seed, uint64_t number)
    {
        return hash64(hash64(seed) + number);
    }
    /* Walker's alias method: the high half of a product picks a column, the low half compares. */
    static inline int draw(uint64_t *key, int count, const uint64_t *threshold,
                           const int32_t *alias)
    {
        *key += UINT64_C(0x9e3779b97f4a7c15);
        const unsigned __int128 product = (unsigned __int128)hash64(*key) * (unsigned)count;
        const int column = (int)(product >> 64);
        return (uint64_t)product < threshold[column] ? column : alias[column];
    }
    """
    uint64_t game_key(uint64_t seed, uint64_t number) noexcept nogil
    int draw(uint64_t *key, int count, const uint64_t *threshold,
             const int32_t *alias) noexcept nogil

cdef enum:
    WINNER, TURNS, THROWS, BOLTS, DUMPS = 5, OVERTAKES = 7, COLUMNS = 9

RECORD = COLUMNS  # columns of a game's record; from BOLTS on there are two of each, one a player

cdef enum:  # what a set-aside leads to, or a throw; ranks come in this order
    DUMP, ROLL, BANK, WIN, BUST

cdef struct outcome:
    int kind, level, first, throws


@cython.final
cdef class Habit:
    """A player with rules of thumb, one for each kind of position.

    Parameters
    ----------
    which : (n, n) int32
        The rule that a status follows against another.
    threshold : (rules, levels, dice) int32
        The least turn total, in levels, to bank at a level with a number of dice left.
    rank : (rules, 4, options) int64
        How much an option is wanted if it is a dump truck, is rolled on, is banked, or wins; of
        equals the first is taken.
    """

    cdef const int32_t[:, :] which
    cdef const int32_t[:, :, ::1] threshold
    cdef const int64_t[:, :, ::1] rank

    def __init__(self, which, threshold, rank):
        self.which, self.threshold, self.rank = which, threshold, rank


@cython.final
cdef class Games:
    """What it takes to play the games of one rule set; shared by threads.

    Parameters
    ----------
    game : Game
    bolts : (n, 2) uint8
        Whether a bust writes a bolt: on the first throw, on a later one.
    set_start : (dice + 1,) int32
        Where the option sets of each number of dice begin.
    threshold : (m,) uint64, alias : (m,) int32
        The alias tables of the sets of each number of dice, counted within it.
    option_start : (m + 1,) int32
        Where the options of each set begin; none: a bust.
    options : (k, 2) int32
        Gain in levels, column; of one set in the order in which equals are preferred.
    """

    cdef Game game
    cdef const uint8_t[:, ::1] bolts
    cdef const int32_t[::1] set_start, alias, option_start
    cdef const uint64_t[::1] threshold
    cdef const int32_t[:, ::1] options

    def __init__(self, Game game, bolts, set_start, threshold, alias, option_start, options):
        self.game, self.bolts, self.set_start = game, bolts, set_start
        self.threshold, self.alias = threshold, alias
        self.option_start, self.options = option_start, options

    cdef inline int throw(self, uint64_t *key, int column) noexcept nogil:
        """The option set of a throw."""
        cdef int start = self.set_start[column]
        return start + draw(key, self.set_start[column + 1] - start, &self.threshold[start],
                            &self.alias[start])

    cdef inline void end_turn(self, int32_t *seats, int32_t *record,
                              const outcome *end) noexcept nogil:
        """Write down how a turn ended. seats: the mover's status, the opponent's; they change
        places."""
        cdef int me = seats[0], other = seats[1], who = record[TURNS] & 1
        cdef int mine = self.game.status[me, 0], level = self.game.level[other]
        record[TURNS] += 1
        record[THROWS] += end.throws
        seats[0] = other
        if end.kind == BUST:
            record[BOLTS + who] += self.bolts[me, 0 if end.first else 1]
            seats[1] = self.game.status[me, 2 if end.first else 3]
        elif end.kind == DUMP:
            record[DUMPS + who] += 1
            seats[1] = self.game.dump_status
        elif end.kind == WIN:
            record[WINNER] = who
        else:
            seats[1] = self.game.bank_status[end.level]
            if mine < level < end.level:
                record[OVERTAKES + who] += 1
                seats[0] = other + self.game.shift[other]

    cdef inline bint may_bank(self, int at, int column, int bank_from) noexcept nogil:
        """Whether the rules allow to bank at a level below the target."""
        return at >= bank_from and (column < self.game.g.dice - 1 or self.game.g.hot_may_bank)

    cdef inline void turn_by_habit(self, Habit habit, const int32_t *seats, uint64_t *key,
                                   outcome *end) noexcept nogil:
        """Play one turn by habit."""
        cdef int dice = self.game.g.dice, levels = self.game.g.levels, size = len(self.options)
        cdef int me = seats[0], own = self.game.status[me, 0], bank_from = self.game.status[me, 1]
        cdef int hot = dice - (0 if self.game.g.hot_may_bank else 1)  # columns that may bank
        cdef const uint8_t *dump = self.game.g.dump
        cdef const int32_t *starts = &self.option_start[0]
        cdef const int32_t *options = &self.options[0, 0]
        cdef int rule = habit.which[me, seats[1]]
        cdef const int32_t *threshold = &habit.threshold[rule, 0, 0]
        cdef const int64_t *rank = &habit.rank[rule, 0, 0]
        cdef int chosen, k, at, to, then, taken, level = own, column = dice - 1, throws = 0
        cdef int64_t best, value
        while True:
            throws += 1
            chosen, taken, best = self.throw(key, column), BUST, INT64_MIN
            for k in range(starts[chosen], starts[chosen + 1]):
                at, to = level + options[2 * k], options[2 * k + 1]
                if at >= levels:
                    then = WIN
                elif dump[at]:
                    then = DUMP
                else:
                    then = BANK if (at >= bank_from) & (to < hot) & (
                        at - own >= threshold[at * dice + to]) else ROLL
                value = rank[then * size + k]
                if value > best:
                    best, taken, end.level, column = value, then, at, to
            if taken != ROLL:
                break
            level = end.level
        end.kind, end.first, end.throws = taken, throws == 1, throws

    cdef inline void turn_by_values(self, Scratch scratch, const row *r, int lane, double tie,
                                    uint64_t *key, outcome *end) noexcept nogil:
        """Play one turn for the best values, after `Game.look_ahead`. Options whose values are
        less than `tie` below the best are equal; of equals the first, but one that ends the turn
        before any that goes on."""
        cdef int column = self.game.g.dice - 1, level = r.level
        cdef int chosen, k, at, to, start, stop
        cdef bint ends
        cdef double best
        cdef double[64] ending
        cdef double[64] going_on
        end.throws, end.first = 0, False
        while True:
            end.throws += 1
            chosen = self.throw(key, column)
            start, stop = self.option_start[chosen], self.option_start[chosen + 1]
            if start == stop:
                end.kind, end.first = BUST, end.throws == 1
                return
            best = -INFINITY
            for k in range(start, stop):
                at, to = level + self.options[k, 0], self.options[k, 1]
                ending[k - start] = going_on[k - start] = -INFINITY
                if at >= self.game.g.levels:
                    ending[k - start] = 1.0
                elif self.game.g.dump[at]:
                    ending[k - start] = 1.0 - r.dump[lane]
                else:
                    going_on[k - start] = scratch.rolls[(at * self.game.g.dice + to) * LANES + lane]
                    if self.may_bank(at, to, r.bank_from):
                        ending[k - start] = self.game.banked(r, at, lane)
                best = max(best, max(ending[k - start], going_on[k - start]))
            ends, chosen = False, start
            for k in range(stop - start - 1, -1, -1):
                if ending[k] >= best - tie:
                    ends, chosen = True, k
                elif not ends and going_on[k] >= best - tie:
                    chosen = k
            level += self.options[start + chosen, 0]
            column = self.options[start + chosen, 1]
            if ends:
                end.level, end.kind = level, BANK
                if level >= self.game.g.levels:
                    end.kind = WIN
                elif self.game.g.dump[level]:
                    end.kind = DUMP
                return

    def turns_by_values(self, Scratch scratch, const double[:, ::1] table, double tie,
                        const int64_t[::1] order, int32_t[:, ::1] seats, uint64_t[::1] keys,
                        int32_t[:, ::1] records):
        """Play one turn of each of some games for the best values.

        Parameters
        ----------
        table : as in `Game.backward`
        tie : float
        order : (m,) int64
            The games, sorted by their seats, so that a turn is worked through once for all.
        seats : (games, 2) int32
            Status of the mover and of the other; they change places.
        keys : (games,) uint64
        records : (games, RECORD) int32
        """
        cdef row r
        cdef outcome end
        cdef int32_t opponents[LANES]
        cdef Py_ssize_t k = 0, stop, g
        cdef int me, m, lane
        with nogil:
            while k < len(order):
                me, m, stop = seats[order[k], 0], 0, k
                while stop < len(order) and seats[order[stop], 0] == me:
                    if m == 0 or seats[order[stop], 1] != opponents[m - 1]:
                        if m == LANES:
                            break
                        opponents[m] = seats[order[stop], 1]
                        m += 1
                    stop += 1
                self.game.look_ahead(&r, scratch, table, me, opponents, m)
                lane = 0
                while k < stop:
                    g = order[k]
                    lane += seats[g, 1] != opponents[lane]
                    self.turn_by_values(scratch, &r, lane, tie, &keys[g], &end)
                    self.end_turn(&seats[g, 0], &records[g, 0], &end)
                    k += 1

    def turns_by_habit(self, Habit habit, const int64_t[::1] order, int32_t[:, ::1] seats,
                       uint64_t[::1] keys, int32_t[:, ::1] records):
        """Play one turn of each of some games by habit; parameters as in `turns_by_values`."""
        cdef outcome end
        cdef Py_ssize_t k, g
        with nogil:
            for k in range(len(order)):
                g = order[k]
                self.turn_by_habit(habit, &seats[g, 0], &keys[g], &end)
                self.end_turn(&seats[g, 0], &records[g, 0], &end)

    def games_by_habit(self, Habit first, Habit second, int longest, const int64_t[::1] order,
                       int32_t[:, ::1] seats, uint64_t[::1] keys, int32_t[:, ::1] records):
        """Play some games to their ends by habit, `first` in the turns of the player who began.

        Parameters
        ----------
        longest : int
            Turns after which a game is left as it is.
        order, seats, keys, records : as in `turns_by_values`
        """
        cdef outcome end
        cdef Py_ssize_t k, g
        with nogil:
            for k in range(len(order)):
                g = order[k]
                while records[g, WINNER] < 0 and records[g, TURNS] < longest:
                    if records[g, TURNS] & 1:
                        self.turn_by_habit(second, &seats[g, 0], &keys[g], &end)
                    else:
                        self.turn_by_habit(first, &seats[g, 0], &keys[g], &end)
                    self.end_turn(&seats[g, 0], &records[g, 0], &end)


def deal(uint64_t seed, Py_ssize_t number, int me, int other, int32_t[:, ::1] seats,
         uint64_t[::1] keys, int32_t[:, ::1] records):
    """Start games: those with the numbers from `number` on, at the statuses `me` and `other`.

    Parameters
    ----------
    seats : (games, 2) int32
    keys : (games,) uint64
        Where their generators start.
    records : (games, RECORD) int32
        Winner, -1 so far; turns; throws; and of each player bolts, dump trucks, overtakes made.
    """
    cdef Py_ssize_t k
    cdef int column
    for k in range(len(keys)):
        keys[k] = game_key(seed, number + k)
        seats[k, 0], seats[k, 1] = me, other
        records[k, WINNER] = -1
        for column in range(TURNS, COLUMNS):
            records[k, column] = 0
