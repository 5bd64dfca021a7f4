/* Threads that work through tasks together, front by front. */
#ifndef CREW_H
#define CREW_H
#include <sched.h>
#include <stddef.h>

/* Spins before a thread that waits gives way to others: some tens of microseconds. */
#define SPINS 4000

struct crew {
    int size, arrived, round, stopped;
    ptrdiff_t next; /* the first task that nobody has taken */
};

/* Take up to `grain` of the tasks before `last`; 0 when there are none. */
static inline int crew_take(struct crew *c, ptrdiff_t grain, ptrdiff_t last, ptrdiff_t *first,
                            ptrdiff_t *end)
{
    if (__atomic_load_n(&c->stopped, __ATOMIC_RELAXED))
        return 0;
    *first = __atomic_fetch_add(&c->next, grain, __ATOMIC_RELAXED);
    *end = *first + grain < last ? *first + grain : last;
    return *first < last;
}

/* Wait until all are here, or the crew is stopped; the next task to take is then `next`. */
static inline void crew_meet(struct crew *c, ptrdiff_t next)
{
    const int round = __atomic_load_n(&c->round, __ATOMIC_RELAXED);
    if (__atomic_add_fetch(&c->arrived, 1, __ATOMIC_ACQ_REL) == c->size) {
        c->arrived = 0;
        c->next = next;
        __atomic_store_n(&c->round, round + 1, __ATOMIC_RELEASE);
        return;
    }
    for (int spins = 0; __atomic_load_n(&c->round, __ATOMIC_ACQUIRE) == round; spins++) {
        if (__atomic_load_n(&c->stopped, __ATOMIC_RELAXED))
            return;
        if (spins >= SPINS)
            sched_yield();
    }
}
#endif
