"""The bar appears only where someone waits for it, and nothing is written across it."""

import io
import logging
import re
import sys
import threading
import warnings

import pytest
from rich.console import Console
from rich.progress import Progress

from keyhole.common import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def terminal(monkeypatch):
    """Called by the test itself: pytest puts its own stream in place between a fixture and the test."""
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


def ten_steps():
    with progress.steps("factors", 10) as step:
        for _ in range(10):
            step()


def test_nothing_is_shown_of_what_is_quick(monkeypatch):
    stream = terminal(monkeypatch)
    ten_steps()
    assert stream.getvalue() == ""


def test_nothing_is_shown_off_a_terminal(monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    ten_steps()
    assert sys.stderr.getvalue() == ""


def test_what_takes_long_is_shown_and_threads_share_a_display(monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    stream = terminal(monkeypatch)
    threads = [threading.Thread(target=ten_steps) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert "factors" in stream.getvalue()
    assert progress._display is None  # taken down with the last of them


def test_an_error_takes_the_bar_down(monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    stream = terminal(monkeypatch)

    def fails():
        with progress.steps("factors", 10) as step:
            step()
            raise KeyError

    with pytest.raises(KeyError):
        fails()
    assert "factors" in stream.getvalue()
    assert progress._display is None


def lines_on_screen(written):
    """What is left of each line after carriage returns and clearing, without colours."""
    out = []
    for line in written.replace("\r\n", "\n").split("\n"):
        shown = re.split(r"\r|\x1b\[2K|\x1b\[1A", line)[-1]
        out.append(re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown))
    return out


def test_a_warning_is_a_whole_line_above_the_bar(monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    stream = terminal(monkeypatch)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        # pytest records warnings: show them as Python does outside tests
        monkeypatch.setattr(warnings, "showwarning", lambda m, *_, **__: sys.stderr.write(f"UserWarning: {m}\n"))

        def warns(number):
            with progress.steps("factors", 3) as step:
                for i in range(3):
                    step()
                    warnings.warn(f"of thread {number}, number {i}", stacklevel=1)

        threads = [threading.Thread(target=warns, args=[number]) for number in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    shown = lines_on_screen(stream.getvalue())
    assert sorted(line for line in shown if "thread" in line) == [
        f"UserWarning: of thread {number}, number {i}" for number in range(3) for i in range(3)
    ]
    assert "factors" in stream.getvalue()
    assert sys.stderr is stream  # put back


def test_a_bar_takes_no_warning_from_who_records_or_logs_them(monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    stream = terminal(monkeypatch)

    def warns():
        with progress.steps("factors", 2) as step:
            step()
            warnings.warn("one value only", stacklevel=1)
            step()

    with warnings.catch_warnings(record=True) as recorded:
        warnings.simplefilter("always")
        warns()
    assert [str(warning.message) for warning in recorded] == ["one value only"]
    assert "one value only" not in stream.getvalue()

    log, records = logging.getLogger("py.warnings"), []
    handler = logging.Handler()
    handler.emit = records.append
    log.addHandler(handler)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(True)
        try:
            warns()
        finally:
            logging.captureWarnings(False)
            log.removeHandler(handler)
    assert len(records) == 1
    assert "one value only" in records[0].getMessage()


def test_no_second_display_is_drawn_over_another(monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    stream = terminal(monkeypatch)
    console = Console(file=stream, force_terminal=True)
    with Progress(console=console) as bar:
        bar.add_task("demo", total=2)
        ten_steps()
    assert "demo" in stream.getvalue()
    assert "factors" not in stream.getvalue()
    ten_steps()
    assert "factors" in stream.getvalue()


def test_warnings_for_later_are_kept_once_each_and_through_an_error():
    def fails():
        for _ in range(2):
            warnings.warn("one value only", stacklevel=1)
        warnings.warn("no cell was revealed", RuntimeWarning, stacklevel=1)
        raise KeyError

    with pytest.raises(KeyError), progress.warnings_for_later() as messages:
        fails()
    assert messages == ["one value only", "no cell was revealed"]
