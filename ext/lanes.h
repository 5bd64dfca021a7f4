/* Types of the turn kernel, and its copies for each instruction set, chosen at run time. */
#ifndef LANES_H
#define LANES_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LANES 16 /* positions that one call works on, in lockstep */

/* One option of a throw, in the trie of option sets: see solver/dice.py. */
struct node {
    int32_t offset; /* cell of the option, relative to (level, column 0) */
    int32_t depth;  /* number of ancestors */
    int32_t parent; /* node of the same trie; -1 for none */
    int32_t unused;
    double count; /* outcomes whose option set ends here; 0 where none does */
};

typedef double lanes_t[LANES];

struct game {
    int levels, dice, hot_may_bank;
    const struct node *nodes;
    const int32_t *node_start; /* [dice + 1] */
    const double *bust_count;  /* [dice] outcomes that bust */
    const double *outcomes;    /* [dice] all outcomes */
    const uint8_t *dump;       /* [levels] dump trucks */
};

/* The turns of one player against LANES opponents, and what they can lead to. */
struct row {
    int level, bank_from;          /* the player's score, and the lowest that he may bank */
    const double *table;           /* [status][stride] column of the block: what is left to him */
    ptrdiff_t stride;
    const int32_t *bank_status;    /* [levels] status that banking leads to */
    const int32_t *opponent_level; /* [LANES] -1: not entered */
    const int32_t *overtaken;      /* [LANES] shift from an opponent to himself overtaken */
    const double *bust_first, *bust_later, *dump; /* [LANES] rows of the table */
};

/* Room for one thread to work in, each aligned to 64 bytes. */
struct scratch {
    double *cells, *reach; /* [levels + highest gain in levels][dice][LANES] */
    lanes_t *best, *share; /* [nodes of the largest trie + 1] */
};

/* How a turn ends, as chances; the rest is a win. */
struct ends {
    double *bust_first, *bust_later, *dump; /* [LANES] */
    double *bank;                           /* [count][LANES] chances to bank ... */
    int32_t *levels;                        /* [count] ... at these levels, ascending */
    int count;
};

/* One row of the linear system of a policy pair: result = rhs + sign * chances * table. */
struct line {
    double sign;
    const double *rhs, *bust_first, *bust_later, *dump; /* [LANES] */
    const float *narrow; /* [count][LANES] chances to bank, in one of two precisions */
    const double *wide;
    const int32_t *levels;
    int count;
};

#ifdef __x86_64__
#include <immintrin.h>
#define VEC __m128d
#define VMAX _mm_max_pd
#else
typedef double vec2 __attribute__((vector_size(16)));
static inline vec2 max2(vec2 a, vec2 b)
{
    return (vec2){a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1]};
}
#define VEC vec2
#define VMAX max2
#endif
#define NAME(x) x##_baseline
#include "turn.h"
#undef NAME
#undef VEC
#undef VMAX

#ifdef __x86_64__
#pragma GCC push_options
#pragma GCC target("avx2")
#define NAME(x) x##_avx2
#define VEC __m256d
#define VMAX _mm256_max_pd
#include "turn.h"
#undef NAME
#undef VEC
#undef VMAX
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512vl,avx512bw,prefer-vector-width=512")
#define NAME(x) x##_avx512
#define VEC __m512d
#define VMAX _mm512_max_pd
#include "turn.h"
#undef NAME
#undef VEC
#undef VMAX
#pragma GCC pop_options
#endif

struct copy {
    void (*turn)(const struct game *, const struct row *, const struct scratch *, double *, double *);
    void (*flow)(const struct game *, const struct row *, const struct scratch *, double,
                 struct ends *);
    void (*apply)(const struct row *, const struct line *, double *);
};

static const struct copy baseline = {turn_baseline, flow_baseline, apply_baseline};
#ifdef __x86_64__
static const struct copy avx2 = {turn_avx2, flow_avx2, apply_avx2};
static const struct copy avx512 = {turn_avx512, flow_avx512, apply_avx512};
#endif

/* The widest copy that this processor runs, at most `widest` (0, 1 or 2). */
static inline int widest_copy(void)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
        return 2;
    if (__builtin_cpu_supports("avx2"))
        return 1;
#endif
    return 0;
}

static inline const struct copy *copy_of(int width)
{
#ifdef __x86_64__
    if (width == 2)
        return &avx512;
    if (width == 1)
        return &avx2;
#endif
    return width == 0 ? &baseline : NULL;
}
#endif
