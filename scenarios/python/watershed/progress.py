# SPDX-License-Identifier: GPL-2.0-only
"""Shows how far long work has come: as a bar in a notebook, as a line on a terminal, else not at all."""

from __future__ import annotations

import contextlib
import html
import re
import sys
from typing import Callable, Iterator


@contextlib.contextmanager
def shown_progress() -> Iterator[Callable[[str], None]]:
    """:returns: what shows a line of progress as the program writes it, "map [###...]  30 %  12 separations/s  4 s left"."""
    if _in_notebook():
        with _bar() as show:
            yield show
    elif sys.stderr is not None and sys.stderr.isatty():
        with _line() as show:
            yield show
    else:
        yield lambda text: None


def _in_notebook() -> bool:
    if 'IPython' not in sys.modules:
        return False
    from IPython import get_ipython
    return getattr(get_ipython(), 'kernel', None) is not None


@contextlib.contextmanager
def _line() -> Iterator[Callable[[str], None]]:
    def show(text: str) -> None:
        sys.stderr.write(f'\r\033[K{text}')
        sys.stderr.flush()
    yield show
    show('')


@contextlib.contextmanager
def _bar() -> Iterator[Callable[[str], None]]:
    from IPython.display import HTML, display
    handle = None

    def show(text: str) -> None:
        nonlocal handle
        done = re.search(r'^(.*?) \[[#.]*\] +(\d+) % +(.*)$', text)
        if not done:
            return
        what, percent, rest = done.groups()
        bar = HTML(f'{html.escape(what)} <progress max="100" value="{percent}"></progress> {percent} %&ensp;{html.escape(rest)}')
        if handle is None:
            handle = display(bar, display_id=True)
        else:
            handle.update(bar)
    yield show
    if handle is not None:
        handle.update(HTML(''))
