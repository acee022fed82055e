# SPDX-License-Identifier: GPL-2.0-only
"""Which switch to buy, and how to lose nothing."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import tempfile
from typing import Any, Iterable, Iterator, List, Mapping, Optional, Sequence, Union

from .program import run_for_json, run_program
from .quantities import to_list
from .results import Bound, Compared, Explored, Page, Result, Sensitivity, Stagger, Switch, Throttle
from .scenario import Quantities, Quantity, Scenario, options
from .tables import table as make_table
from .tables import to_csv


def explore(scenario: Union[Scenario, str], modules: Optional[int] = None, switches: Optional[Iterable[str]] = None, count: Optional[Quantities] = None,
            uplinks: Optional[Quantities] = None, selection: Optional[Quantities] = None, aggregation: Optional[Quantities] = None,
            interfaces: Optional[Quantities] = None, separation: Optional[Quantity] = None, loss: Optional[float] = None, margin: Optional[float] = None, prices: Any = None,
            budget: Optional[str] = None, power: Optional[Quantity] = None, verify: Optional[int] = None, guarantee: bool = False, write: Optional[Union[str, 'os.PathLike[str]']] = None, jobs: Optional[int] = None) -> Explored:
    """Tries switches of the catalogue in several numbers, with all uplinks, and ranks the ways that lose few enough events.

    :param modules: of the whole camera
    :param switches: names of the catalogue, or files of one's own that end in .toml
    :param loss: wanted chance that an event is incomplete
    :param margin: so many times the scenario's triggers each way must bear
    :param prices: a table of switch, price and power, or the name of such a CSV file
    :param budget: what all switches together may cost, such as "20 kEUR", in the currency of the prices
    :param power: what they may draw, such as "2 kW"
    :param verify: so many ways are simulated whole; needs ns-3
    :param guarantee: only ways that no sequence of triggers makes lose a frame
    :param write: folder for the scenarios of the ranked ways
    """
    lists = {name: None if values is None else to_list(values) for name, values in
             (('switches', switches), ('count', count), ('uplinks', uplinks), ('selection', selection), ('aggregation', aggregation), ('interfaces', interfaces))}
    words = options(modules=modules, separation=separation, loss=loss, margin=margin, budget=budget, power=power, verify=verify, write=write, jobs=jobs, **lists) + ['--guarantee'] * guarantee
    with _price_options(prices) as price_words:
        return Explored(*run_for_json('explore', *_scenario(scenario).words(), *words, *price_words))


def compare(designs: Union[Mapping[str, Union[Scenario, str]], Sequence[Union[Scenario, str]]], separation: Optional[Quantity] = None, limit: Optional[int] = None,
            prices: Any = None, engine: Optional[str] = None, jobs: Optional[int] = None) -> Compared:
    """Sets designs side by side: the risk, the longest lossless burst, the fullest memory, latency and cost of each scenario.

    >>> camera = ws.Scenario("risk-4mb")
    >>> ws.compare({"one uplink": camera, "two uplinks": camera.changed(uplinks=2)})

    :param designs: two scenarios or more, with their names or without
    :param separation: of the events in the burst whose longest lossless length is sought
    :param limit: longest burst tried, where only trying tells
    :param prices: a table of switch, price and power, or the name of such a CSV file
    """
    scenarios = [_scenario(each) for each in (designs.values() if isinstance(designs, Mapping) else designs)]
    labels = list(designs) if isinstance(designs, Mapping) else [_label(scenario, scenarios) for scenario in scenarios]
    words = [str(scenario.path) for scenario in scenarios]
    for number, scenario in enumerate(scenarios, start=1):
        words += [word for key, value in scenario.keys.items() for word in ('--set', f'{number}:{key}={value}')]
    words += [word for label in labels for word in ('--label', label)]
    with _price_options(prices) as price_words:
        return Compared(*run_for_json('compare', *words, *options(separation=separation, limit=limit, engine=engine, jobs=jobs), *price_words))


def sensitivity(scenario: Union[Scenario, str], loss: Optional[float] = None, engine: Optional[str] = None, jobs: Optional[int] = None) -> Sensitivity:
    """Asks a design what if: more triggers, less memory, an uplink or a switch gone, another stream.

    :param loss: wanted chance that an event is incomplete, of random triggers; of all others no frame may be lost
    """
    return Sensitivity(*run_for_json('sensitivity', *_scenario(scenario).words(), *options(loss=loss, engine=engine, jobs=jobs)))


def bound(scenario: Union[Scenario, str], witness: Optional[Union[str, 'os.PathLike[str]']] = None) -> Bound:
    """Finds the worst backlog and delay of each queue over all sequences of triggers, and the memory with which none loses.

    :param witness: file for triggers that reach the worst
    """
    return Bound(*run_for_json('bound', *_scenario(scenario).words(), *options(witness=witness)))


def stagger(scenario: Union[Scenario, str], kind: Optional[str] = None, risk: Optional[float] = None, jobs: Optional[int] = None) -> Stagger:
    """Finds short delays of modules, or between their frames, with which a scenario loses nothing.

    :param kind: "linear", "groups", "free", "gap" or "pace"; without it all of them
    :param risk: it is enough that the chance of an incomplete event is this at most; for random triggers
    """
    return Stagger(*run_for_json('stagger', *_scenario(scenario).words(), *options(kind=kind, risk=risk, jobs=jobs)))


def throttle(scenario: Union[Scenario, str], latency: Optional[Quantity] = None, witness: Optional[str] = None, jobs: Optional[int] = None) -> Throttle:
    """Finds the weakest rules of triggers with which no sequence of them loses a frame, and what each refuses.

    :param latency: from a look at the switch's memory to the trigger that it decides on: asks for the highest level, too
    :param witness: prefix of files for triggers that a rule one step weaker lets pass, and that lose frames
    """
    return Throttle(*run_for_json('throttle', *_scenario(scenario).words(), *options(latency=latency, witness=witness, jobs=jobs)))


def report(*results: Any, output: Optional[Union[str, 'os.PathLike[str]']] = None, title: Optional[str] = None) -> Page:
    """Makes one page of HTML of results, with their figures.

    :param results: answers of this module, names of JSON files of the program or of SVG figures, or lists of these
    :param output: file for the page
    """
    given = [each for result in results for each in (result if isinstance(result, (list, tuple)) else [result])]
    with tempfile.TemporaryDirectory(prefix='watershed-') as folder:
        files = []
        for number, each in enumerate(given, start=1):
            if isinstance(each, Result):
                file = pathlib.Path(folder) / f'{number}-{type(each).__name__.lower()}.json'
                file.write_text(json.dumps(each.json))
                each = file
            files.append(str(each))
        page = pathlib.Path(output) if output is not None else pathlib.Path(folder) / 'page.html'
        run_program('report', *files, '-o', str(page), *options(title=title))
        return Page(page.read_text())


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


def _scenario(scenario: Union[Scenario, str]) -> Scenario:
    return scenario if isinstance(scenario, Scenario) else Scenario(scenario)


def _label(scenario: Scenario, beside: Sequence[Scenario]) -> str:
    """The name of a design: that of its scenario, with those of its keys that are not alike in all."""
    own = [f'{key.rsplit(".", 1)[-1]} = {value}' for key, value in scenario.keys.items() if any(other.keys.get(key) != value for other in beside)]
    return ', '.join([scenario.path.stem, *own])


@contextlib.contextmanager
def _price_options(prices: Any) -> Iterator[List[str]]:
    """The option for a table of prices, which lies in a file meanwhile."""
    with tempfile.TemporaryDirectory(prefix='watershed-') as folder:
        if prices is not None and not isinstance(prices, (str, os.PathLike)):
            file = pathlib.Path(folder) / 'prices.csv'
            file.write_text(to_csv(prices))
            prices = file
        yield options(prices=prices)
