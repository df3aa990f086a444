#!/usr/bin/env python3
"""Times raglens beside scipy on the same machine, and prints the ratio.

    python3 benches/compare_scipy.py

builds and runs `cargo bench --bench statistics`, then does the same work with
scipy.stats.permutation_test and scipy.stats.bootstrap: the median of several
rounds each. Needs cargo; without scipy it says so and prints raglens alone.
scipy gets its quickest form: one sample of differences, a vectorized statistic,
and batches that fit into the cache. It cannot count 2^40 sign patterns, so the
exact p of raglens stands beside 100,000 of its random ones.
"""

import json
import os
import platform
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = 50
ROUNDS = 3


def raglens():
    """Seconds by name of the work: the medians that criterion writes down."""
    with tempfile.TemporaryDirectory() as folder:
        command = [os.environ.get("CARGO", "cargo"), "bench", "-q", "--bench", "statistics", "--", "--noplot"]
        environment = {**os.environ, "CRITERION_HOME": folder}
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True, env=environment)
        return dict(found(path) for path in sorted(Path(folder).glob("**/new/benchmark.json"), key=os.path.getmtime))


def found(path):
    name = json.loads(path.read_text())["full_id"]
    estimates = json.loads(path.with_name("estimates.json").read_text())
    return name, estimates["median"]["point_estimate"] / 1e9


def median_time(work):
    rounds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        rounds.append(time.perf_counter() - start)
    return statistics.median(rounds)


def peer():
    """Seconds by name of the work in scipy, or None without it."""
    try:
        import numpy
        import scipy
    except ImportError:
        return None
    print(f"scipy {scipy.__version__}, numpy {numpy.__version__}")
    rng = numpy.random.default_rng(7)

    def mean(sample, axis):
        return numpy.mean(sample, axis=axis)

    def flips(n):
        differences = (rng.uniform(-1, 1, n),)
        return median_time(lambda: scipy.stats.permutation_test(
            differences, mean, permutation_type="samples", vectorized=True,
            n_resamples=100_000, batch=1000, rng=rng))

    def resamples(n):
        differences = (rng.uniform(-1, 1, n),)
        return median_time(lambda: scipy.stats.bootstrap(
            differences, mean, vectorized=True, n_resamples=10_000, batch=1000,
            method="percentile", rng=rng))

    seconds = {"p of 40 changed queries on no lattice": flips(40)}
    for n in (1000, 6980):
        seconds[f"100,000 sign patterns, n = {n}"] = flips(n)
        seconds[f"10,000 bootstrap resamples, n = {n}"] = resamples(n)
    return seconds


def main():
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    ours, theirs = raglens(), peer()
    if theirs is None:
        print("scipy is not installed (pip install scipy): raglens alone")
    print(f"{'':56}{'raglens':>12}{'scipy':>12}{'ratio':>8}")
    for name, seconds in ours.items():
        row = f"{name:56}{seconds:10.4f} s"
        if theirs and name in theirs:
            row += f"{theirs[name]:10.3f} s{theirs[name] / seconds:8.0f}"
        print(row)
    if theirs:
        name = "100,000 sign patterns, n = 1000"
        ratio = theirs[name] / ours[name]
        word = "reached" if ratio >= TARGET else "missed"
        print(f"permutation_test at n = 1000: {ratio:.0f} times as long; the target of {TARGET} is {word}")


if __name__ == "__main__":
    main()
