"""Many processes ask from one queue: each example goes to one of them."""

import os
from collections import Counter

import keyhole as kh
from study.writers import forked

PROCESSES, EXAMPLES = 12, 300


def take_all(place, start, path):
    """Ask until the queue is empty, from the moment when all processes are there."""
    study = kh.Study.open(place, renewals="by hand")
    os.read(start, 1)
    with open(path, "w") as file:
        while (ask := study.ask()) is not None:
            print(ask.example, ask.id, *ask.names, file=file)


def test_no_example_is_handed_out_twice(place, tmp_path):
    study = kh.Study.create(place, "queue", [f"a{i}" for i in range(8)], budget=2, seed=1, renewals="by hand")
    assert study.add_examples([f"e{i}" for i in range(EXAMPLES)]) == EXAMPLES
    study.close()
    ready, start = os.pipe()
    paths = [tmp_path / f"{k}.txt" for k in range(PROCESSES)]
    processes = [forked(take_all, place, ready, path) for path in paths]
    os.write(start, b"." * PROCESSES)
    assert [os.waitpid(process, 0)[1] for process in processes] == [0] * PROCESSES
    os.close(ready)
    os.close(start)
    lines = [path.read_text().splitlines() for path in paths]
    taken = Counter(line.split()[0] for each in lines for line in each)
    assert taken == Counter(f"e{i}" for i in range(EXAMPLES))
    assert sum(bool(each) for each in lines) >= 2, "only one process got anything, so this showed nothing"
    study = kh.Study.open(place, renewals="by hand")
    stored = {f"{ask.example} {ask.id} {' '.join(ask.names)}" for ask in study.open_asks()}
    assert stored == {line for each in lines for line in each}
    assert study.verify() == []
    assert study.status()["spent or reserved"] == 2 * EXAMPLES
    study.close()
