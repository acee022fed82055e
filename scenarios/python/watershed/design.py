# SPDX-License-Identifier: GPL-2.0-only
"""Which switch to buy."""

from __future__ import annotations

import os
import pathlib
import tempfile
from typing import Any, Iterable, Optional, Union

from .program import run_for_json, run_program
from .quantities import to_list
from .results import Explored, Switch
from .scenario import Quantities, Quantity, Scenario, options
from .tables import table as make_table
from .tables import to_csv


def explore(scenario: Union[Scenario, str], modules: Optional[int] = None, switches: Optional[Iterable[str]] = None, count: Optional[Quantities] = None,
            uplinks: Optional[Quantities] = None, selection: Optional[Quantities] = None, aggregation: Optional[Quantities] = None,
            interfaces: Optional[Quantities] = None, separation: Optional[Quantity] = None, loss: Optional[float] = None, prices: Any = None,
            budget: Optional[str] = None, power: Optional[Quantity] = None, verify: Optional[int] = None, write: Optional[Union[str, 'os.PathLike[str]']] = None, jobs: Optional[int] = None) -> Explored:
    """Tries switches of the catalogue in several numbers, with all uplinks, and ranks the ways that lose few enough events.

    :param modules: of the whole camera
    :param loss: wanted chance that an event is incomplete
    :param prices: a table of switch, price and power, or the name of such a CSV file
    :param budget: what all switches together may cost, such as "20 kEUR", in the currency of the prices
    :param power: what they may draw, such as "2 kW"
    :param verify: so many ways are simulated whole; needs ns-3
    :param write: folder for the scenarios of the ranked ways
    """
    if not isinstance(scenario, Scenario):
        scenario = Scenario(scenario)
    lists = {name: None if values is None else to_list(values) for name, values in
             (('switches', switches), ('count', count), ('uplinks', uplinks), ('selection', selection), ('aggregation', aggregation), ('interfaces', interfaces))}
    with tempfile.TemporaryDirectory(prefix='watershed-') as folder:
        if prices is not None and not isinstance(prices, (str, os.PathLike)):
            file = pathlib.Path(folder) / 'prices.csv'
            file.write_text(to_csv(prices))
            prices = file
        words = options(modules=modules, separation=separation, loss=loss, prices=prices, budget=budget, power=power, verify=verify, write=write, jobs=jobs, **lists)
        return Explored(*run_for_json('explore', *scenario.words(), *words))


def switches(ports: Optional[int] = None, speed: Optional[Quantity] = None) -> Any:
    """The catalogue as a table; switch() tells the sources of one's values.

    :param ports: only switches with at least so many ports, of this speed if one is given
    """
    found, _ = run_for_json('switches', *options(ports=ports, speed=speed))
    return make_table([Switch(entry).row() for entry in found['switches']])


def switch(name: str) -> Switch:
    """One switch of the catalogue, with the standing and the source of each value."""
    found, _ = run_for_json('switches', name)
    return Switch(found['switches'][0])
