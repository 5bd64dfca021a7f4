/* Threads that work through tasks together, front by front. */
#ifndef CREW_H
#define CREW_H
#include <sched.h>
#include <stddef.h>

/* Spins before a thread that waits gives way to others: some tens of microseconds. */
#define SPINS 4000

/* Counts over all fronts: a front begins at the count at which the one before it ends. Nobody waits
 * for threads, only for tasks: one that is not running holds up nothing but the task it took. */
struct crew {
    ptrdiff_t taken, done;
    int stopped;
};

/* Take up to `grain` of the `count` tasks of the front that begins at `base`: those from *first
 * to *end in the front. 0 when there are none left. */
static inline int crew_take(struct crew *c, ptrdiff_t grain, ptrdiff_t base, ptrdiff_t count,
                            ptrdiff_t *first, ptrdiff_t *end)
{
    ptrdiff_t taken = __atomic_load_n(&c->taken, __ATOMIC_RELAXED);
    do {
        if (taken >= base + count || __atomic_load_n(&c->stopped, __ATOMIC_RELAXED))
            return 0;
        *first = taken - base;
        *end = *first + grain < count ? *first + grain : count;
    } while (!__atomic_compare_exchange_n(&c->taken, &taken, base + *end, 0, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
    return 1;
}

static inline void crew_done(struct crew *c, ptrdiff_t count)
{
    __atomic_fetch_add(&c->done, count, __ATOMIC_RELEASE);
}

/* Wait until so many tasks are done, or the crew is stopped. */
static inline void crew_wait(struct crew *c, ptrdiff_t count)
{
    for (int spins = 0; __atomic_load_n(&c->done, __ATOMIC_ACQUIRE) < count; spins++) {
        if (__atomic_load_n(&c->stopped, __ATOMIC_RELAXED))
            return;
        if (spins >= SPINS)
            sched_yield();
    }
}

/* Let everybody return as soon as his tasks are done, whatever is left undone. */
static inline void crew_stop(struct crew *c)
{
    __atomic_store_n(&c->stopped, 1, __ATOMIC_RELAXED);
}
#endif
