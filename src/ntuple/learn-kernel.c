// SPDX-License-Identifier: MIT
// HOT: compiled once a variant.
//
// Afterstates are numbered from 0. The error of afterstate t is the next
// reward plus the next value minus its own value; that of the last one is
// minus its value, since nothing more is scored.
#include <math.h>

#include "ntuple/autostep.h"
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
    l->stage[slot(l, t)] = (uint8_t)lookup_all(l->layout, e->after[t], index);
    for (unsigned i = 0; i < l->layout->blocks; i++, index += BLOCK) {
        if (!l->layout->block[i].follows) {
            LOOKUP_PREFETCH_EIGHT(l->v, index, 1);
            LOOKUP_PREFETCH_EIGHT(l->rest, index, 1);
        }
        if (l->rule.accumulators == RULE_TC) LOOKUP_PREFETCH_EIGHT(l->acc, index, 1);
        if (l->rule.accumulators == RULE_AUTOSTEP) LOOKUP_PREFETCH_EIGHT(l->sizes, index, 1);
    }
}

// Before the weights of afterstate t are used for the first time: those that its
// stage has not used yet get the weights of the stage before.
static inline void arrive(const struct learner *l, const struct learn_episode *e, size_t t) {
    if (t >= e->n || !l->promote || !l->stage[slot(l, t)]) return;
    const uint32_t *index = ring_at(l, t);
    for (unsigned f = 0; f < l->layout->features; f++) {
        uint32_t at = index[f];
        unsigned stage = l->stage[slot(l, t)];
        for (; l->v[at] == HALF_UNUSED && stage; stage--) at -= (uint32_t)l->layout->stage_weights;
        if (at == index[f]) continue;
        l->rest[index[f]] = l->rest[at];
        l->v[index[f]] = l->v[at];
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

// The lower 16 bits of the indices of two blocks, a block in each half.
static inline __m256i lower_bits(const uint32_t *a, const uint32_t *b) {
    const __m256i mask = _mm256_set1_epi32(0xffff);
    __m256i x = _mm256_and_si256(_mm256_load_si256((const void *)a), mask);
    __m256i y = _mm256_and_si256(_mm256_load_si256((const void *)b), mask);
    return _mm256_permute4x64_epi64(_mm256_packus_epi32(x, y), 0xd8);
}

// Whether two indices of a block may be equal, or one may equal another lane's
// of the next afterstate; for two blocks. Sometimes wrongly yes, never no.
static inline int may_meet(const uint32_t *index, const uint32_t *next, unsigned second) {
    __m256i x = lower_bits(index, index + second), y = lower_bits(next, next + second);
    __m256i one = _mm256_alignr_epi8(x, x, 2), two = _mm256_alignr_epi8(x, x, 4);
    __m256i three = _mm256_alignr_epi8(x, x, 6), four = _mm256_alignr_epi8(x, x, 8);
    __m256i five = _mm256_alignr_epi8(x, x, 10), six = _mm256_alignr_epi8(x, x, 12);
    __m256i seven = _mm256_alignr_epi8(x, x, 14);
    __m256i own = _mm256_or_si256(_mm256_or_si256(_mm256_cmpeq_epi16(x, one), _mm256_cmpeq_epi16(x, two)),
                                  _mm256_or_si256(_mm256_cmpeq_epi16(x, three), _mm256_cmpeq_epi16(x, four)));
    __m256i low = _mm256_or_si256(_mm256_or_si256(_mm256_cmpeq_epi16(y, one), _mm256_cmpeq_epi16(y, two)),
                                  _mm256_or_si256(_mm256_cmpeq_epi16(y, three), _mm256_cmpeq_epi16(y, four)));
    __m256i high = _mm256_or_si256(_mm256_or_si256(_mm256_cmpeq_epi16(y, five), _mm256_cmpeq_epi16(y, six)),
                                   _mm256_cmpeq_epi16(y, seven));
    __m256i found = _mm256_or_si256(own, _mm256_or_si256(low, high));
    return !_mm256_testz_si256(found, found);
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

// now: the eight weights as they are, different ones. Returns them as they
// are then.
static inline __m256 move_eight(const struct learner *l, const uint32_t *index, __m256 now, float step,
                                float error) {
    __m256 steps = _mm256_set1_ps(step);
    if (l->rule.accumulators == RULE_TC)
        steps = _mm256_mul_ps(steps, coherence_eight(l, index, error));
    __m128i second, first = half_split_8(_mm256_add_ps(now, steps), &second);
    store_eight(l->v, index, first);
    store_eight((uint16_t *)l->rest, index, second);
    return half_join_8(first, second);
}

static inline void update_eight(const struct learner *l, const uint32_t *index, float step,
                                float error) {
    if (__builtin_expect(any_equal(index), 0))
        for (unsigned i = 0; i < BLOCK; i++) update_one(l, index[i], step, error);
    else
        move_eight(l, index, join_eight(l, index), step, error);
}
#endif

// The sum of eight sums, in the order of lookup_sum.
static inline float total(const struct learner *l, const float sum[BLOCK]) {
    return l->layout->scale *
           (((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7])));
}

// The value of afterstate t, with all the precision that there is.
static inline float value_at(const struct learner *l, size_t t) {
    const uint32_t *index = ring_at(l, t);
    unsigned f = 0, n = l->layout->features;
    float sum[BLOCK] = {0};
#ifdef __F16C__
    __m256 whole = _mm256_setzero_ps();
    for (; f + BLOCK <= n; f += BLOCK) whole = _mm256_add_ps(whole, join_eight(l, index + f));
    if (f == n) return l->layout->scale * lookup_total(whole);
    _mm256_storeu_ps(sum, whole);
#endif
    for (; f < n; f++) sum[f % BLOCK] += half_join(l->v[index[f]], l->rest[index[f]]);
    return total(l, sum);
}

// All weights of afterstate t. The factor is for errors that reach back: they
// move the weight less, but count in full in the accumulators.
static inline void update(const struct learner *l, size_t t, float error, float factor) {
    const uint32_t *index = ring_at(l, t);
    if (l->rule.accumulators == RULE_AUTOSTEP) {
        autostep_update(l, index, error);
        return;
    }
    float step = l->step * (error * factor);
    unsigned f = 0, n = l->layout->features;
#ifdef __F16C__
    for (; f + BLOCK <= n; f += BLOCK) update_eight(l, index + f, step, error);
#endif
    for (; f < n; f++) update_one(l, index[f], step, error);
}

// The error of afterstate t with the weights as they are now.
static inline float error_at(const struct learner *l, const struct learn_episode *e, size_t t) {
    float next = t + 1 < e->n ? (float)e->reward[t + 1] + value_at(l, t + 1) : 0;
    return next - value_at(l, t);
}

static inline int count_error(const struct learner *l, struct learn_error *error, float delta) {
    if (!(fabsf(delta) < l->most_error)) return fail("errors grow beyond all bounds: the rate is too high");
    error->sum += fabs((double)delta);
    error->n++;
    return 0;
}

// Paper 003, Algorithms 1 and 2: every error updates the afterstates that the
// horizon reaches, at once.
static int learn_far(struct learner *l, const struct learn_episode *e, size_t n,
                     struct learn_error *error) {
    for (size_t t = 0; t < AHEAD; t++) fetch(l, e, t);
    arrive(l, e, 0);
    for (size_t t = 0; t < n; t++) {
        fetch(l, e, t + AHEAD);
        arrive(l, e, t + 1);
        float delta = error_at(l, e, t);
        if (count_error(l, error, delta)) return -1;
        for (unsigned k = 0; k <= l->rule.horizon && k <= t; k++)
            update(l, t - k, delta, l->power[k]);
    }
    return 0;
}

#ifdef __F16C__
// The same where only the latest afterstate is updated, with the same result.
// Weights are read once: as those of the next afterstate, kept for when it is
// the latest, and changed there too if the update changes them in memory.
static float read_all(const struct learner *l, size_t t, float *keep) {
    const uint32_t *index = ring_at(l, t);
    __m256 whole = _mm256_setzero_ps();
    for (unsigned f = 0; f < l->layout->features; f += BLOCK) {
        __m256 eight = join_eight(l, index + f);
        whole = _mm256_add_ps(whole, eight);
        _mm256_store_ps(keep + f, eight);
    }
    return l->layout->scale * lookup_total(whole);
}

static float sum_kept(const struct learner *l, const float *kept) {
    __m256 whole = _mm256_setzero_ps();
    for (unsigned f = 0; f < l->layout->features; f += BLOCK)
        whole = _mm256_add_ps(whole, _mm256_load_ps(kept + f));
    return l->layout->scale * lookup_total(whole);
}

// Updates the weights of a block of afterstate t, kept; those of the next
// afterstate that are the same are refreshed.
static inline void update_kept(const struct learner *l, const uint32_t *index, const uint32_t *index_next,
                               const float *kept, float *next, float step, float error) {
    __m256 then = move_eight(l, index, _mm256_load_ps(kept), step, error);
    __m256i same = _mm256_cmpeq_epi32(_mm256_load_si256((const void *)index),
                                      _mm256_load_si256((const void *)index_next));
    _mm256_store_ps(next, _mm256_blendv_ps(_mm256_load_ps(next), then, _mm256_castsi256_ps(same)));
}

// All of them, two blocks at a time.
static void update_all_kept(const struct learner *l, size_t t, const float *kept, float *next,
                            float error) {
    const uint32_t *index = ring_at(l, t), *index_next = ring_at(l, t + 1);
    float step = l->step * error;
    unsigned n = l->layout->features;
    for (unsigned f = 0; f < n; f += 2 * BLOCK) {
        unsigned second = f + BLOCK < n ? BLOCK : 0;
        if (__builtin_expect(may_meet(index + f, index_next + f, second), 0)) {
            for (unsigned g = f; g <= f + second; g += BLOCK) {
                update_eight(l, index + g, step, error);
                _mm256_store_ps(next + g, join_eight(l, index_next + g));
            }
            continue;
        }
        update_kept(l, index + f, index_next + f, kept + f, next + f, step, error);
        if (second)
            update_kept(l, index + f + BLOCK, index_next + f + BLOCK, kept + f + BLOCK, next + f + BLOCK,
                        step, error);
    }
}

// Whether the weights of different blocks are different ones: then each has
// all images of its tuples.
static int whole_blocks(const struct layout *l) {
    return l->features % BLOCK == 0 && BLOCK % l->shape.symmetries == 0;
}

static int learn_near(struct learner *l, const struct learn_episode *e, size_t n,
                      struct learn_error *error) {
    _Alignas(32) float room[2][MOST_FEATURES], *kept = room[0], *next = room[1];
    for (size_t t = 0; t < AHEAD; t++) fetch(l, e, t);
    arrive(l, e, 0);
    if (n) read_all(l, 0, kept);
    for (size_t t = 0; t < n; t++) {
        fetch(l, e, t + AHEAD);
        arrive(l, e, t + 1);
        float target = t + 1 < e->n ? (float)e->reward[t + 1] + read_all(l, t + 1, next) : 0;
        float delta = target - sum_kept(l, kept);
        if (count_error(l, error, delta)) return -1;
        if (t + 1 < e->n)
            update_all_kept(l, t, kept, next, delta);
        else
            update(l, t, delta, 1);
        float *swap = kept;
        kept = next;
        next = swap;
    }
    return 0;
}
#endif

static int learn_standard(struct learner *l, const struct learn_episode *e, size_t n,
                          struct learn_error *error) {
#ifdef __F16C__
    int together = l->rule.horizon == 0 && l->rule.accumulators != RULE_AUTOSTEP;
    if (together && whole_blocks(l->layout)) return learn_near(l, e, n, error);
#endif
    return learn_far(l, e, n, error);
}

// Algorithms 3 and 4: an afterstate is updated once, when all errors that
// reach it are known.
static inline void settle(const struct learner *l, size_t t, size_t last) {
    float sum = 0;
    for (size_t k = 0; t + k <= last && k <= l->rule.horizon; k++)
        sum += l->delta[slot(l, t + k)] * l->power[k];
    update(l, t, sum, 1);
}

static int learn_delayed(struct learner *l, const struct learn_episode *e, size_t n,
                         struct learn_error *error) {
    size_t h = l->rule.horizon;
    for (size_t t = 0; t < AHEAD; t++) fetch(l, e, t);
    arrive(l, e, 0);
    for (size_t t = 0; t < n; t++) {
        fetch(l, e, t + AHEAD);
        arrive(l, e, t + 1);
        float delta = error_at(l, e, t);
        if (count_error(l, error, delta)) return -1;
        l->delta[slot(l, t)] = delta;
        if (t >= h) settle(l, t - h, t);
    }
    for (size_t t = n > h ? n - h : 0; t < n; t++) settle(l, t, n - 1);
    return 0;
}

// Updates afterstate t towards a target.
static inline int approach(struct learner *l, size_t t, float target, struct learn_error *error) {
    float delta = target - value_at(l, t);
    if (count_error(l, error, delta)) return -1;
    update(l, t, delta, 1);
    return 0;
}

// For learning from the end. A cut game's last afterstate, number n, is a
// target only.
static inline void begin_at_end(const struct learner *l, const struct learn_episode *e, size_t n) {
    fetch(l, e, n);
    arrive(l, e, n);
    for (size_t i = 0; i < AHEAD && i < n; i++) fetch(l, e, n - 1 - i);
}

static inline void go_back(const struct learner *l, const struct learn_episode *e, size_t t) {
    if (t >= AHEAD) fetch(l, e, t - AHEAD);
    arrive(l, e, t);
}

// Each target is the lambda return of what was updated already.
static int learn_backward(struct learner *l, const struct learn_episode *e, size_t n,
                          struct learn_error *error) {
    float mix = (float)l->rule.lambda;
    begin_at_end(l, e, n);
    float target = n < e->n ? (float)e->reward[n] + value_at(l, n) : 0;
    for (size_t t = n; t-- > 0;) {
        go_back(l, e, t);
        if (approach(l, t, target, error)) return -1;
        target = (float)e->reward[t] + (1 - mix) * value_at(l, t) + mix * target;
    }
    return 0;
}

// The target is the next rewards, as many as there are steps, and the value of
// the afterstate that they lead to; near the end those that are left, and, if
// the game went on, the value of the last afterstate. All values are as they
// are when the afterstate is updated: when its target is there.
static int learn_steps(struct learner *l, const struct learn_episode *e, size_t n,
                       struct learn_error *error) {
    size_t steps = l->rule.steps, t = 0;
    uint64_t sum = 0; // of the rewards after afterstate t
    for (size_t i = 0; i < AHEAD; i++) fetch(l, e, i);
    for (size_t i = 0; i < e->n; i++) {
        fetch(l, e, i + AHEAD);
        arrive(l, e, i);
        if (i) sum += e->reward[i];
        if (i < steps) continue;
        if (approach(l, t, (float)sum + value_at(l, i), error)) return -1;
        sum -= e->reward[++t];
    }
    while (t < n) {
        if (approach(l, t, (float)sum + (e->cut ? value_at(l, e->n - 1) : 0), error)) return -1;
        if (++t < n) sum -= e->reward[t];
    }
    return 0;
}

// The same from the end: values are those of afterstates that were updated.
static int learn_steps_backward(struct learner *l, const struct learn_episode *e, size_t n,
                                struct learn_error *error) {
    size_t steps = l->rule.steps;
    uint64_t sum = 0;
    begin_at_end(l, e, n);
    for (size_t t = n; t-- > 0;) {
        go_back(l, e, t);
        if (t + 1 < e->n) sum += e->reward[t + 1];
        size_t to = t + steps;
        if (to + 1 < e->n) sum -= e->reward[to + 1];
        float value = to < e->n ? value_at(l, to) : e->cut ? value_at(l, e->n - 1) : 0;
        if (approach(l, t, (float)sum + value, error)) return -1;
    }
    return 0;
}

int CPU_NAME(learn_episode)(struct learner *l, const struct learn_episode *e,
                            struct learn_error *error) {
    size_t n = e->n - (e->cut && e->n > 0);
    if (l->rule.steps > 1)
        return l->rule.update == UPDATE_BACKWARD ? learn_steps_backward(l, e, n, error)
                                                 : learn_steps(l, e, n, error);
    switch (l->rule.update) {
    case UPDATE_STANDARD: return learn_standard(l, e, n, error);
    case UPDATE_DELAYED: return learn_delayed(l, e, n, error);
    case UPDATE_BACKWARD: return learn_backward(l, e, n, error);
    }
    return 0;
}
