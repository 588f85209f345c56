// SPDX-License-Identifier: MIT
// HOT: compiled once a variant.
//
// Afterstates are numbered from 0. The error of afterstate t is the next
// reward plus the next value minus its own value; that of the last one is
// minus its value, since nothing more is scored.
#include <math.h>

#include "ntuple/learn.h"
#include "ntuple/lookup.h"
#include "util/cpu.h"
#include "util/fail.h"

enum { AHEAD = LEARN_AHEAD };

static inline size_t slot(const struct learner *l, size_t t) { return t & (l->ring - 1); }

static inline uint32_t *ring_at(const struct learner *l, size_t t) {
    return l->index + slot(l, t) * (l->layout->blocks * BLOCK);
}

// Computes the indices of afterstate t and asks for its weights.
static inline void fetch(const struct learner *l, const struct learn_episode *e, size_t t) {
    if (t >= e->n) return;
    uint32_t *index = ring_at(l, t);
    lookup_all(l->layout, e->after[t], index);
    for (unsigned i = 0; i < l->layout->blocks; i++, index += BLOCK) {
        if (!l->layout->block[i].follows) {
            LOOKUP_PREFETCH_EIGHT(l->v, index, 1);
            LOOKUP_PREFETCH_EIGHT(l->rest, index, 1);
        }
        if (l->rule.accumulators != RULE_NONE) LOOKUP_PREFETCH_EIGHT(l->acc, index, 1);
    }
}

// One weight, its accumulators included; step is error times rate.
static inline void update_one(const struct learner *l, uint32_t at, float step, float error) {
    if (l->rule.accumulators == RULE_TC) {
        // The weight's own rate is |sum of errors| / sum of |errors|.
        struct accumulator *a = &l->acc[at];
        float rate = a->magnitude != 0 ? fabsf(a->sum) / a->magnitude : 1;
        step *= rate;
        a->sum += error;
        a->magnitude += fabsf(error);
    }
    half_split(half_join(l->v[at], l->rest[at]) + step, &l->v[at], &l->rest[at]);
}

#ifdef __F16C__
static inline __m256 join_eight(const struct learner *l, const uint32_t *index) {
    return half_join_8(lookup_eight(l->v, index),
                       lookup_eight((const uint16_t *)l->rest, index));
}

static inline void store_eight(uint16_t *v, const uint32_t *index, __m128i x) {
    v[index[0]] = (uint16_t)_mm_extract_epi16(x, 0);
    v[index[1]] = (uint16_t)_mm_extract_epi16(x, 1);
    v[index[2]] = (uint16_t)_mm_extract_epi16(x, 2);
    v[index[3]] = (uint16_t)_mm_extract_epi16(x, 3);
    v[index[4]] = (uint16_t)_mm_extract_epi16(x, 4);
    v[index[5]] = (uint16_t)_mm_extract_epi16(x, 5);
    v[index[6]] = (uint16_t)_mm_extract_epi16(x, 6);
    v[index[7]] = (uint16_t)_mm_extract_epi16(x, 7);
}

// Whether two of eight indices are equal, as on symmetric boards. Lanes at
// distances 1 to 4, around the end, are all the pairs that there are.
static inline int any_equal(const uint32_t *index) {
    __m256i x = _mm256_load_si256((const void *)index);
    __m256i one = _mm256_permutevar8x32_epi32(x, _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 0));
    __m256i two = _mm256_permutevar8x32_epi32(x, _mm256_setr_epi32(2, 3, 4, 5, 6, 7, 0, 1));
    __m256i three = _mm256_permutevar8x32_epi32(x, _mm256_setr_epi32(3, 4, 5, 6, 7, 0, 1, 2));
    __m256i four = _mm256_permute2x128_si256(x, x, 1);
    __m256i near = _mm256_or_si256(_mm256_cmpeq_epi32(x, one), _mm256_cmpeq_epi32(x, two));
    __m256i far = _mm256_or_si256(_mm256_cmpeq_epi32(x, three), _mm256_cmpeq_epi32(x, four));
    return _mm256_movemask_epi8(_mm256_or_si256(near, far)) != 0;
}

static inline __m256 two_pairs(const struct accumulator *a, uint32_t i, uint32_t j, uint32_t k,
                               uint32_t m) {
    __m128 low = _mm_loadh_pi(_mm_castpd_ps(_mm_load_sd((const void *)(a + i))), (const void *)(a + j));
    __m128 high = _mm_loadh_pi(_mm_castpd_ps(_mm_load_sd((const void *)(a + k))), (const void *)(a + m));
    return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
}

static inline void put_two_pairs(struct accumulator *a, __m256 x, uint32_t i, uint32_t j, uint32_t k,
                                 uint32_t m) {
    __m128 low = _mm256_castps256_ps128(x), high = _mm256_extractf128_ps(x, 1);
    _mm_storel_pi((void *)(a + i), low);
    _mm_storeh_pi((void *)(a + j), low);
    _mm_storel_pi((void *)(a + k), high);
    _mm_storeh_pi((void *)(a + m), high);
}

// The rates of eight weights by temporal coherence, whose accumulators take
// the error in.
static inline __m256 coherence_eight(const struct learner *l, const uint32_t *i, float error) {
    const __m256 sign = _mm256_set1_ps(-0.0f), zero = _mm256_setzero_ps();
    __m256 a = two_pairs(l->acc, i[0], i[1], i[4], i[5]);
    __m256 b = two_pairs(l->acc, i[2], i[3], i[6], i[7]);
    __m256 sum = _mm256_shuffle_ps(a, b, 0x88), magnitude = _mm256_shuffle_ps(a, b, 0xdd);
    __m256 rate = _mm256_div_ps(_mm256_andnot_ps(sign, sum), magnitude);
    rate = _mm256_blendv_ps(_mm256_set1_ps(1), rate, _mm256_cmp_ps(magnitude, zero, _CMP_NEQ_UQ));
    sum = _mm256_add_ps(sum, _mm256_set1_ps(error));
    magnitude = _mm256_add_ps(magnitude, _mm256_set1_ps(fabsf(error)));
    put_two_pairs(l->acc, _mm256_unpacklo_ps(sum, magnitude), i[0], i[1], i[4], i[5]);
    put_two_pairs(l->acc, _mm256_unpackhi_ps(sum, magnitude), i[2], i[3], i[6], i[7]);
    return rate;
}

// now: the eight weights as they are.
static inline void update_eight(const struct learner *l, const uint32_t *index, __m256 now, float step,
                                float error) {
    if (__builtin_expect(any_equal(index), 0)) {
        for (unsigned i = 0; i < BLOCK; i++) update_one(l, index[i], step, error);
        return;
    }
    __m256 steps = _mm256_set1_ps(step);
    if (l->rule.accumulators == RULE_TC)
        steps = _mm256_mul_ps(steps, coherence_eight(l, index, error));
    __m128i second, first = half_split_8(_mm256_add_ps(now, steps), &second);
    store_eight(l->v, index, first);
    store_eight((uint16_t *)l->rest, index, second);
}
#endif

// The value of afterstate t, with all the precision that there is. Its weights
// go to keep, unless that is NULL.
static inline float read_value(const struct learner *l, size_t t, float *keep) {
    const uint32_t *index = ring_at(l, t);
    unsigned f = 0, n = l->layout->features;
    float sum[BLOCK] = {0};
    (void)keep;
#ifdef __F16C__
    __m256 whole = _mm256_setzero_ps();
    for (; f + BLOCK <= n; f += BLOCK) {
        __m256 eight = join_eight(l, index + f);
        whole = _mm256_add_ps(whole, eight);
        if (keep) _mm256_store_ps(keep + f, eight);
    }
    if (f == n) return l->layout->scale * lookup_total(whole);
    _mm256_storeu_ps(sum, whole);
#endif
    for (; f < n; f++) sum[f % BLOCK] += half_join(l->v[index[f]], l->rest[index[f]]);
    return l->layout->scale *
           (((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7])));
}

static inline float value_at(const struct learner *l, size_t t) { return read_value(l, t, NULL); }

// All weights of afterstate t. The factor is for errors that reach back: they
// move the weight less, but count in full in the accumulators. kept: what
// read_value kept, if no weight was changed since, or NULL.
static inline void update(const struct learner *l, size_t t, const float *kept, float error,
                          float factor) {
    const uint32_t *index = ring_at(l, t);
    float step = l->step * (error * factor);
    unsigned f = 0, n = l->layout->features;
    (void)kept;
#ifdef __F16C__
    for (; f + BLOCK <= n; f += BLOCK) {
        __m256 now = kept ? _mm256_load_ps(kept + f) : join_eight(l, index + f);
        update_eight(l, index + f, now, step, error);
    }
#endif
    for (; f < n; f++) update_one(l, index[f], step, error);
}

// The error of afterstate t with the weights as they are now.
static inline float error_at(const struct learner *l, const struct learn_episode *e, size_t t,
                             float *keep) {
    float next = t + 1 < e->n ? (float)e->reward[t + 1] + value_at(l, t + 1) : 0;
    return next - read_value(l, t, keep);
}

static inline int count_error(struct learn_error *error, float delta) {
    if (!isfinite(delta)) return fail("a value is infinite or not a number: the rate is too high");
    error->sum += fabs((double)delta);
    error->n++;
    return 0;
}

// Paper 003, Algorithms 1 and 2: every error updates the afterstates that the
// horizon reaches, at once.
static int learn_standard(struct learner *l, const struct learn_episode *e, size_t n,
                          struct learn_error *error) {
    _Alignas(32) float kept[MOST_FEATURES];
    for (size_t t = 0; t < AHEAD; t++) fetch(l, e, t);
    for (size_t t = 0; t < n; t++) {
        fetch(l, e, t + AHEAD);
        float delta = error_at(l, e, t, kept);
        if (count_error(error, delta)) return -1;
        update(l, t, kept, delta, 1);
        for (unsigned k = 1; k <= l->rule.horizon && k <= t; k++)
            update(l, t - k, NULL, delta, l->power[k]);
    }
    return 0;
}

// Algorithms 3 and 4: an afterstate is updated once, when all errors that
// reach it are known.
static inline void settle(const struct learner *l, size_t t, size_t last) {
    float sum = 0;
    for (size_t k = 0; t + k <= last && k <= l->rule.horizon; k++)
        sum += l->delta[slot(l, t + k)] * l->power[k];
    update(l, t, NULL, sum, 1);
}

static int learn_delayed(struct learner *l, const struct learn_episode *e, size_t n,
                         struct learn_error *error) {
    size_t h = l->rule.horizon;
    for (size_t t = 0; t < AHEAD; t++) fetch(l, e, t);
    for (size_t t = 0; t < n; t++) {
        fetch(l, e, t + AHEAD);
        float delta = error_at(l, e, t, NULL);
        if (count_error(error, delta)) return -1;
        l->delta[slot(l, t)] = delta;
        if (t >= h) settle(l, t - h, t);
    }
    for (size_t t = n > h ? n - h : 0; t < n; t++) settle(l, t, n - 1);
    return 0;
}

// From the end: each target is the lambda return of what was updated already.
static int learn_backward(struct learner *l, const struct learn_episode *e, size_t n,
                          struct learn_error *error) {
    _Alignas(32) float kept[MOST_FEATURES];
    float mix = (float)l->rule.lambda, target = 0;
    // A cut game's last afterstate is a target only.
    if (e->cut && e->n > n) {
        fetch(l, e, n);
        target = (float)e->reward[n] + value_at(l, n);
    }
    for (size_t i = 0; i < AHEAD && i < n; i++) fetch(l, e, n - 1 - i);
    for (size_t t = n; t-- > 0;) {
        if (t >= AHEAD) fetch(l, e, t - AHEAD);
        float delta = target - read_value(l, t, kept);
        if (count_error(error, delta)) return -1;
        update(l, t, kept, delta, 1);
        target = (float)e->reward[t] + (1 - mix) * value_at(l, t) + mix * target;
    }
    return 0;
}

int CPU_NAME(learn_episode)(struct learner *l, const struct learn_episode *e,
                            struct learn_error *error) {
    size_t n = e->n - (e->cut && e->n > 0);
    switch (l->rule.update) {
    case UPDATE_STANDARD: return learn_standard(l, e, n, error);
    case UPDATE_DELAYED: return learn_delayed(l, e, n, error);
    case UPDATE_BACKWARD: return learn_backward(l, e, n, error);
    }
    return 0;
}
