"""The algorithm boxes of Cesa-Bianchi et al. (2010) and Hazan and Koren (2012), line by line, in plain loops.

Algorithms 1 and 3 of Kukliansky and Shamir (2015) are two of them with other probabilities. Nothing is shared with the
learners but the draws of ``keyhole.sampling``: ``below`` and ``uniform``, and for draws by given probabilities the
alias table of ``alias``, which has tests of its own. The numbers of the lines are those of the boxes; the papers'
letters are kept. Slips of the print are corrected where it cannot be run as it stands, and each correction is marked
with "print:". Beside the result each gives how many cells of each attribute it revealed.
"""

from __future__ import annotations

import math

import numpy as np
from sklearn.utils import check_random_state

from keyhole.sampling import alias, below, new_generator, uniform


def generator(seed):
    """The generator that a learner with this random_state draws from."""
    return new_generator(check_random_state(seed).randint(2**31))


def pick(p, rng):
    """An index j with probability p[j] / sum(p)."""
    left = uniform(rng) * sum(p)
    for j in range(len(p)):
        if left < p[j]:
            return j
        left -= p[j]
    return max(j for j in range(len(p)) if p[j] > 0)


def subset(n, size, rng):
    """A subset of 0, ..., n - 1 of a size, each equally likely (Floyd)."""
    chosen = []
    for r in range(size):
        candidate = int(below(rng, n - size + r + 1))
        chosen.append(n - size + r if candidate in chosen else candidate)
    return chosen


def count(revealed, seen):
    """Add the attributes that an example showed."""
    for i in seen:
        revealed[i] += 1


def clip(x, c):
    return max(min(x, c), -c)


def aerr(X, Y, *, k, B, eta, w1, seed, q=None):
    """Hazan and Koren (2012), Algorithm 1; with q, Kukliansky and Shamir (2015), Algorithm 1 (GAERR)."""
    (m, d), rng = X.shape, generator(seed)
    pick_x = drawn_by(q, d, rng)
    w = [float(w1)] * d  # 1
    w_bar, revealed = [0.0] * d, [0] * d
    for t in range(m):  # 2
        x_tilde, seen = [0.0] * d, set()
        for _ in range(k):  # 3
            i, inverse = pick_x()  # 4
            seen.add(i)
            x_tilde[i] += inverse * X[t, i] / k  # 5, 7
        norm2 = sum(v * v for v in w)
        phi = -Y[t]  # print: w1 is not 0; where it is, nothing can be drawn, and the inner product is 0
        if norm2 > 0:
            j = pick([v * v / norm2 for v in w], rng)  # 8
            seen.add(j)
            phi = norm2 * X[t, j] / w[j] - Y[t]  # 9
        count(revealed, seen)
        w_bar = [a + b / m for a, b in zip(w_bar, w, strict=True)]  # 14: the weights before the update
        v = [a - eta * phi * b for a, b in zip(w, x_tilde, strict=True)]  # 10, 11
        length = math.sqrt(sum(a * a for a in v))
        w = [a * B / max(length, B) for a in v]  # 12
    return np.array(w_bar), revealed


def drawn_by(q, d, rng):
    """A function that picks an attribute with probability q_i (None: 1 / d) and gives 1 / q_i with it."""
    if q is None:
        return lambda: (int(below(rng, d)), d)
    q = np.asarray(q, dtype=float) / np.sum(q)
    table = alias.AliasTable(q, np.zeros(d), np.zeros(d, dtype=np.int64))
    alias.fill(table)

    def pick_one():
        i = int(alias.draw(table, rng))
        return i, 1.0 / q[i]

    return pick_one


def aelr(X, Y, *, k, B, eta, seed, q=None):
    """Hazan and Koren (2012), Algorithm 2; with q, Kukliansky and Shamir (2015), Algorithm 3 (GAELR)."""
    (m, d), rng = X.shape, generator(seed)
    pick_x = drawn_by(q, d, rng)
    up, down = [1.0] * d, [1.0] * d  # 1
    w_bar, revealed = [0.0] * d, [0] * d
    for t in range(m):  # 2
        w = [(a - b) * B / (sum(up) + sum(down)) for a, b in zip(up, down, strict=True)]  # 3
        x_tilde, seen = [0.0] * d, set()
        for _ in range(k):  # 4
            i, inverse = pick_x()  # 5
            seen.add(i)
            x_tilde[i] += inverse * X[t, i] / k  # 6, 8
        norm1 = sum(abs(v) for v in w)
        phi = -Y[t]  # print: at w = 0 nothing can be drawn, and the inner product is 0
        if norm1 > 0:
            j = pick([abs(v) / norm1 for v in w], rng)  # 9
            seen.add(j)
            phi = norm1 * math.copysign(1.0, w[j]) * X[t, j] - Y[t]  # 10
        count(revealed, seen)
        for i in range(d):  # 12
            g = clip(phi * x_tilde[i], 1 / eta)  # 11, 13
            up[i] *= math.exp(-eta * g)  # 14
            down[i] *= math.exp(eta * g)  # 15
        w_bar = [a + b / m for a, b in zip(w_bar, w, strict=True)]  # 18
    return np.array(w_bar), revealed


def erf_coefficients(most):
    """a_n of equation (7)."""
    a = [0.0] * (most + 1)
    for n in range((most + 1) // 2):
        a[2 * n + 1] = 2 / math.sqrt(math.pi) * (-1) ** n / (math.factorial(n) * (2 * n + 1))
    return a


def gen_est(a, N, n, w, x, y, seen, rng, norm="l2"):
    """Procedure 3 for the order n, which is drawn before; with "l1" the draws and the estimate of line 10 of AELR."""
    d, norm2, norm1 = len(w), sum(v * v for v in w), sum(abs(v) for v in w)
    phi_hat = 2 ** (n + 1) * (a[n] if n < len(a) else 0.0)  # 14
    size = 1 if n <= 2 * math.log2(N) else N  # 3, 8
    for _ in range(n):  # 4, 9
        theta = -y
        for _ in range(size if norm1 > 0 else 0):  # print: w is not 0
            p = [w[j] ** 2 / norm2 if norm == "l2" else abs(w[j]) / norm1 for j in range(d)]
            j = pick(p, rng)  # 5, 10
            seen.add(j)
            theta += w[j] / p[j] * x[j] / size  # 6, 11: w[j] / p[j] is |w|^2 / w[j], or |w|_1 sign(w[j])
        phi_hat *= theta
    return phi_hat


def with_gen_est(X, Y, *, k, B, derivative, runs, eta, w1, seed):
    """Algorithm 1 with lines 8 and 9 replaced, and the number of attributes that it reveals of each example."""
    (m, d), rng = X.shape, generator(seed)
    w, w_bar, revealed = [float(w1)] * d, [0.0] * d, []
    for t in range(m):
        # The orders of GenEst (its line 2) are drawn before x here; the order of independent draws does not matter.
        orders = [math.floor(-math.log2(1 - uniform(rng))) for _ in range(runs)]
        x_tilde, seen = [0.0] * d, set()
        for _ in range(k):
            i = int(below(rng, d))
            seen.add(i)
            x_tilde[i] += d * X[t, i] / k
        phi = derivative(orders, w, X[t], Y[t], seen, rng)
        revealed.append(len(seen))
        w_bar = [p + q / m for p, q in zip(w_bar, w, strict=True)]
        v = [p - eta * phi * q for p, q in zip(w, x_tilde, strict=True)]
        length = math.sqrt(sum(p * p for p in v))
        w = [p * B / max(length, B) for p in v]
    return np.array(w_bar), np.array(revealed)


def in_l1_ball(X, Y, *, k, B, derivative, runs, eta, seed, zero=None):
    """Hazan and Koren (2012), Algorithm 2 with lines 9 and 10 replaced: section 4 says that this is possible.

    ``zero`` is the derivative at w = 0, where the algorithm starts and nothing can be drawn; without it orders are
    drawn there, too.
    """
    (m, d), rng = X.shape, generator(seed)
    up, down, w_bar, revealed = [1.0] * d, [1.0] * d, [0.0] * d, []
    for t in range(m):
        w = [(a - b) * B / (sum(up) + sum(down)) for a, b in zip(up, down, strict=True)]
        known = zero is not None and not any(w)
        orders = [] if known else [math.floor(-math.log2(1 - uniform(rng))) for _ in range(runs)]
        x_tilde, seen = [0.0] * d, set()
        for _ in range(k):
            i = int(below(rng, d))
            seen.add(i)
            x_tilde[i] += d * X[t, i] / k
        phi = zero(Y[t]) if known else derivative(orders, w, X[t], Y[t], seen, rng)
        revealed.append(len(seen))
        for i in range(d):
            g = clip(phi * x_tilde[i], 1 / eta)
            up[i] *= math.exp(-eta * g)
            down[i] *= math.exp(eta * g)
        w_bar = [p + q / m for p, q in zip(w_bar, w, strict=True)]
    return np.array(w_bar), np.array(revealed)


def aesvr(X, Y, *, B, delta, epsilon, norm="l2", **rest):
    """Hazan and Koren (2012), Algorithm 4; with "l1" its adjustment to the 1-norm, which is not printed."""
    a, N = erf_coefficients(60), math.ceil(4 * B**2)  # 1, and line 1 of GenEst

    def derivative(orders, w, x, y, seen, rng):
        x_prime = x / epsilon
        plus = gen_est(a, N, orders[0], w, x_prime, (y + delta) / epsilon, seen, rng, norm)
        return 0.5 * (plus + gen_est(a, N, orders[1], w, x_prime, (y - delta) / epsilon, seen, rng, norm))

    def zero(y):
        return 0.5 * (math.erf(-(y + delta) / epsilon) + math.erf(-(y - delta) / epsilon))

    if norm == "l1":
        return in_l1_ball(X, Y, B=B, derivative=derivative, zero=zero, runs=2, **rest)
    return with_gen_est(X, Y, B=B, derivative=derivative, runs=2, **rest)


def analytic(X, Y, *, B, a, margin=False, norm="l2", **rest):
    """Hazan and Koren (2012), Algorithm 1 with GenEst, for a loss f(w'x - y), or f(y w'x) with ``margin``."""
    N = math.ceil(4 * B**2)

    def derivative(orders, w, x, y, seen, rng):
        if margin:
            return y * gen_est(a, N, orders[0], w, y * x, 0.0, seen, rng, norm)
        return gen_est(a, N, orders[0], w, x, y, seen, rng, norm)

    return (with_gen_est if norm == "l2" else in_l1_ball)(X, Y, B=B, derivative=derivative, runs=1, **rest)


def aer(X, Y, *, k, B, reg, seed):
    """Cesa-Bianchi et al. (2010), Algorithm 2."""
    (m, d), rng = X.shape, generator(seed)
    w, w_bar, t, revealed = [0.0] * d, [0.0] * d, 1, [0] * d
    for x, y in zip(X, Y, strict=True):
        v = [0.0] * d
        C = subset(d, k // 2, rng)
        for j in C:
            v[j] += 2 / k * d * x[j]
        y_hat, norm1, seen = 0.0, sum(abs(a) for a in w), set(C)
        for _ in range(k // 2 if norm1 > 0 else 0):  # print: at w = 0 nothing can be drawn
            i = pick([abs(a) / norm1 for a in w], rng)
            seen.add(i)
            y_hat += 2 / k * math.copysign(1.0, w[i]) * norm1 * x[i]  # print: x_j
        count(revealed, seen)
        w = [(1 - 1 / t) * a - 2 / (reg * t) * (y_hat - y) * b for a, b in zip(w, v, strict=True)]
        w = projected(w, B)
        w_bar = [a + b / m for a, b in zip(w_bar, w, strict=True)]  # the weights after the update
        t += 1
    return np.array(w_bar), revealed


def projected(w, B):
    """argmin of |u - w|_2 over |u|_1 <= B: soft thresholding, with the threshold by bisection."""
    if sum(abs(a) for a in w) <= B:
        return w
    low, high = 0.0, max(abs(a) for a in w)
    for _ in range(200):
        middle = (low + high) / 2
        above = sum(max(abs(a) - middle, 0.0) for a in w) > B
        low, high = (middle, high) if above else (low, middle)
    return [math.copysign(max(abs(a) - high, 0.0), a) for a in w]


def baseline(X, Y, *, k, seed):
    """Cesa-Bianchi et al. (2010), Algorithm 1 up to the estimated loss w'Aw - w'v + y, as A, v and y."""
    (m, d), rng = X.shape, generator(seed)
    A_bar, v_bar, y_bar, revealed = np.zeros((d, d)), np.zeros(d), 0.0, [0] * d
    for x, y in zip(X, Y, strict=True):
        v, A = np.zeros(d), np.zeros((d, d))
        C = subset(d * d, k // 2, rng)
        count(revealed, {i for pair in C for i in divmod(pair, d)})
        for pair in C:
            i, j = divmod(pair, d)
            v[i] += d / k * x[i]
            v[j] += d / k * x[j]
            A[i, j] += d * d / k * x[i] * x[j]
            A[j, i] += d * d / k * x[i] * x[j]
        A_bar += A / m
        v_bar += 2 * y * v / m
        y_bar += y * y / m
    return A_bar, v_bar, y_bar, revealed


def minimum(A, v, B):
    """The minimum of w'Aw - w'v over |w|_1 <= B for a positive definite A, by many plain projected steps.

    Print: the linear term has the other sign.
    """
    w, step = np.zeros(len(v)), 0.5 / np.linalg.eigvalsh(A).max()
    for _ in range(3_000):
        w = np.array(projected(list(w - step * (2 * A @ w - v)), B))
    return w


def identity(X, Y, *, k, seed):
    """Cesa-Bianchi et al. (2010), footnote 2, with the estimate of x of equation (3)."""
    (m, d), rng = X.shape, generator(seed)
    w, revealed = [0.0] * d, [0] * d
    for x, y in zip(X, Y, strict=True):
        C = subset(d, k, rng)
        count(revealed, C)
        for i in C:
            w[i] += y * d * x[i] / k / m
    return np.array(w), revealed
