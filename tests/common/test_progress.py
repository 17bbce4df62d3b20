"""The bar appears only where someone waits for it."""

import io
import sys
import threading

import pytest

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
