import numpy as np

from keyhole.sampling import below, new_generator, next_uint64, uniform

MASK = (1 << 64) - 1


def xoshiro256_plus_plus(state):
    """The reference in plain integers: the output and the next state."""

    def rotate(x, k):
        return ((x << k) | (x >> (64 - k))) & MASK

    a, b, c, d = state
    output = (rotate((a + d) & MASK, 23) + a) & MASK
    shifted = (b << 17) & MASK
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    return output, (a, b, c, rotate(d, 45))


def test_published_first_outputs():
    rng = np.array([1, 2, 3, 4], dtype=np.uint64)
    published = [41943041, 58720359, 3588806011781223, 3591011842654386, 9228616714210784205]
    assert [int(next_uint64(rng)) for _ in published] == published


def test_agrees_with_the_reference():
    for seed in (0, 1, 123456789, -1):
        rng = new_generator(seed)
        state = tuple(int(word) for word in rng)
        for _ in range(200):
            output, state = xoshiro256_plus_plus(state)
            assert int(next_uint64(rng)) == output
        assert tuple(int(word) for word in rng) == state


def test_seeding_is_splitmix64():
    assert int(new_generator(0)[0]) == 0xE220A8397B1DCDAF


def test_uniform_is_the_upper_53_bits():
    rng, copy = new_generator(7), new_generator(7)
    for _ in range(100):
        u = uniform(rng)
        assert u == (int(next_uint64(copy)) >> 11) / 2**53
        assert 0.0 <= u < 1.0


def test_uniform_stays_below_one_on_the_largest_word():
    # The output is rotate(a + d, 23) + a: all ones when a = 0 and d is all ones.
    rng = np.array([0, 0, 0, MASK], dtype=np.uint64)
    assert uniform(rng) == 1.0 - 2.0**-53
    for n in (1, 3, 784, 2**31):
        rng = np.array([0, 0, 0, MASK], dtype=np.uint64)
        assert below(rng, n) == n - 1


def test_same_seed_same_stream_and_restored_state_continues():
    rng, copy = new_generator(3), new_generator(3)
    assert [below(rng, 10) for _ in range(5)] == [below(copy, 10) for _ in range(5)]
    saved = rng.copy()
    assert [uniform(rng) for _ in range(5)] == [uniform(saved) for _ in range(5)]
    assert not np.array_equal(new_generator(3), new_generator(4))
