# SPDX-License-Identifier: GPL-2.0-only
"""Measured tables: the depth that they show, and what to measure next."""

from __future__ import annotations

import contextlib
import functools
import os
import pathlib
import tempfile
from typing import Any, Iterator, List, Mapping, Optional, Tuple, Union

from .program import WatershedError, run_for_json, run_program
from .quantities import to_list, to_text
from .results import Absorption, Advice, Fit
from .scenario import Quantities, Quantity, Scenario, options
from .tables import columns_table, csv_table, names_of, to_csv

Bounds = Mapping[str, Any]


def fit(table: Any, scenario: Optional[Union[Scenario, str]] = None, fix: Optional[Mapping[str, Quantity]] = None, bound: Optional[Bounds] = None,
        columns: Optional[Union[str, Mapping[str, str]]] = None, counts: Optional[str] = None, seed: Optional[int] = None,
        prior: Optional[Mapping[str, str]] = None) -> Union[Fit, Absorption]:
    """Finds depth, service rate and kind of the switch memory that explain a measured table.

    :param table: a DataFrame, a structured array, a dictionary of columns, or the name of a CSV file, with a row for each burst:
        ports, payload_bytes, separation_us, events, frames_sent, frames_received; or a burst-absorption table, which has frame_bytes
    :param scenario: what is known of framing, links and topology
    :param fix: what is known besides, such as {"service_rate": "10 Gb/s"}
    :param bound: limits, such as {"depth": ("100 kB", "2 MB")}
    :param columns: what columns of other names and units hold, such as {"sep (ns)": "separation_us*0.001", "lost": "frames_sent-frames_received"}
    :param prior: what is held likely before any burst, such as {"depth": "lognormal:1 MB:0.5", "kind.shared-bytes": "3"}
    """
    words = [*_known(scenario, fix, bound), *_columns(columns), *options(counts=counts, seed=seed)]
    for name, law in (prior or {}).items():
        words += ['--prior', f'{name}={law}']
    table = _Text(to_csv(table)) if _is_data(table) else table
    json, report = _ask('fit', table, words)
    if isinstance(json, list):
        return Absorption(json, report)
    return Fit(json, report, measured=_drawable(table) if columns is None else None, draw=functools.partial(_draws, table, words))


def _draws(table: Any, words: List[str]) -> Any:
    """Joint draws of the posterior that fit() with these words has."""
    with _file_of(table) as file, tempfile.TemporaryDirectory(prefix='watershed-') as folder:
        draws = pathlib.Path(folder) / 'draws.csv'
        run_program('fit', file, *words, '--draws', str(draws))
        return csv_table(draws.read_text())


def next(table: Any = None, scenario: Optional[Union[Scenario, str]] = None, target: Optional[str] = None, precision: Optional[str] = None,
         fix: Optional[Mapping[str, Quantity]] = None, bound: Optional[Bounds] = None, columns: Optional[Union[str, Mapping[str, str]]] = None,
         separation: Optional[Quantities] = None, events: Optional[Quantities] = None, points: Optional[int] = None) -> Advice:
    """Says which bursts are worth measuring next, and when to stop; without a table, from the scenario alone.

    :param target: "depth", "rate" or "watershed@20 us"
    :param precision: wanted half width of the target's 95 % interval, such as "1 %"
    :param separation: separations that the pulse generator can set
    :param events: burst lengths that it can set
    """
    lists = {name: None if values is None else to_list(values) for name, values in (('separation', separation), ('events', events))}
    words = [*_known(scenario, fix, bound), *_columns(columns), *options(target=target, precision=precision, points=points, **lists)]
    return Advice(*_ask('next', table, words), measured=_drawable(table) if table is not None and columns is None else None)


class _Text(str):
    """The CSV text of a table."""


def _is_data(table: Any) -> bool:
    return table is not None and not isinstance(table, (str, os.PathLike))


def _drawable(table: Any) -> Any:
    """The table if its columns have the usual names, else nothing."""
    if isinstance(table, dict):
        table = columns_table({name: list(values) for name, values in table.items()})
    elif not _is_data(table):
        table = csv_table(table if isinstance(table, _Text) else pathlib.Path(table).read_text(encoding='utf-8-sig'))
    return table if {'ports', 'payload_bytes', 'separation_us', 'events', 'frames_sent', 'frames_received'} <= set(names_of(table)) else None


def _known(scenario: Optional[Union[Scenario, str]], fix: Optional[Mapping[str, Quantity]], bound: Optional[Bounds]) -> List[str]:
    if scenario is not None and not isinstance(scenario, Scenario):
        scenario = Scenario(scenario)
    words = ['--scenario', str(scenario.path), *scenario.settings()] if scenario else []
    for name, value in (fix or {}).items():
        words += ['--fix', f'{name}={to_text(value)}']
    for name, limits in (bound or {}).items():
        words += ['--bound', f'{name}={limits if isinstance(limits, str) else ":".join(to_text(limit) for limit in limits)}']
    return words


def _columns(columns: Optional[Union[str, Mapping[str, str]]]) -> List[str]:
    if columns is None:
        return []
    return ['--columns', columns if isinstance(columns, str) else ','.join(f'{name}={expression}' for name, expression in columns.items())]


def _ask(command: str, table: Any, words: List[str]) -> Tuple[Any, str]:
    """Asks about a table, which the program reads from a file and calls "table" if it has no file of its own."""
    if table is None:
        return run_for_json(command, *words)
    with _file_of(table) as file:
        json, report = run_for_json(command, file, *words)
        if isinstance(table, _Text) or _is_data(table):
            report = report.replace(file, 'table')
            if isinstance(json, dict):
                json['map'] = 'table'
        return json, report


@contextlib.contextmanager
def _file_of(table: Any) -> Iterator[str]:
    """The file of a table; one for this time if it has none, which errors call "table"."""
    if not isinstance(table, _Text) and not _is_data(table):
        yield str(table)
        return
    with tempfile.TemporaryDirectory(prefix='watershed-') as folder:
        file = pathlib.Path(folder) / 'table.csv'
        file.write_text(table if isinstance(table, _Text) else to_csv(table))
        try:
            yield str(file)
        except WatershedError as error:
            raise type(error)(str(error).replace(str(file), 'table')) from None
