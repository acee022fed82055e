# SPDX-License-Identifier: GPL-2.0-only
"""A scenario, and what can be asked of it."""

from __future__ import annotations

import functools
import json
import os
import pathlib
import shutil
import tempfile
import weakref
from typing import Any, Dict, Iterable, List, Mapping, Optional, Union

from .program import WrongInput, program_path, run_for_json, run_program
from .quantities import to_list, to_text
from .results import Boundary, LossMap, Risk, Run, Size

Quantity = Any   # text with a unit such as "20 us", a number without one, or an astropy quantity
Source = Union[str, 'os.PathLike[str]', Mapping[str, Any]]
Quantities = Union[str, Iterable[Any]]   # "8.72us:38us:40", or several of the above

# The way of a frame. A short name of a key is looked for in these tables, in this order.
TABLES = 'frame', 'front_end', 'trigger', 'switch', 'switch.buffer', 'server'


class Scenario:
    """A scenario file, or one that comes with the program, with some of its keys changed.

    >>> ws.Scenario("s60-figure4", modules=40)
    >>> ws.Scenario("rack.toml", {"switch.buffer.size": "300 frames"}, separation="20 us")
    >>> ws.Scenario({"front_end": {"modules": 128}, "trigger": {"separation": "20 us", "events": 9}, "switch": {"buffer": {"size": "4 MB"}}})

    :param name: path of a TOML file, or the name of a scenario that comes with the program (see scenarios()), or the tables of a scenario
    :param keys: keys with dots, as `watershed keys` lists them, and their values
    :param short: the same without dots: the first table among frame, front_end, trigger, switch, switch.buffer and server that has such a key
    :raises WrongInput: if there is no such scenario or key; values are checked when something is asked of the scenario
    """

    def __init__(self, name: Source, keys: Optional[Mapping[str, Quantity]] = None, **short: Quantity) -> None:
        self.source = name
        if isinstance(name, Mapping):
            folder = tempfile.mkdtemp(prefix='watershed-')
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
            self.path = pathlib.Path(folder) / 'scenario.toml'
            self.path.write_text('\n'.join(_toml_lines(name)) + '\n')
        else:
            self.path = _path_of(name)
        self.keys: Dict[str, str] = {}
        for key, value in {**(keys or {}), **short}.items():
            self.keys[_full_key(key)] = to_text(value)

    def changed(self, keys: Optional[Mapping[str, Quantity]] = None, **short: Quantity) -> 'Scenario':
        """The same scenario with further keys changed."""
        return Scenario(self.source, {**self.keys, **(keys or {})}, **short)

    def __reduce__(self) -> Any:
        return Scenario, (self.source, self.keys)

    def run(self, seed: Optional[int] = None, engine: Optional[str] = None) -> Run:
        """Simulates the scenario frame by frame.
        :param engine: "exact" or "ns3"; without it the one that the program uses"""
        return Run(*run_for_json('run', *self.words(), *options(seed=seed, engine=engine)))

    def map(self, separation: Quantities, events: Quantities, jobs: Optional[int] = None, engine: Optional[str] = None) -> LossMap:
        """Simulates a burst for every separation and length: a loss map."""
        return LossMap.from_csv(run_program('map', *self.words(), *options(separation=to_list(separation), events=to_list(events), jobs=jobs, engine=engine)))

    def boundary(self, separation: Quantities, depths: Optional[Quantities] = None, jobs: Optional[int] = None, engine: Optional[str] = None) -> Boundary:
        """Finds the longest burst without loss at every separation: the watershed. Nothing where no burst of any length loses."""
        depth_list = None if depths is None else to_list(depths)
        return Boundary.from_csv(run_program('boundary', *self.words(), *options(separation=to_list(separation), depths=depth_list, jobs=jobs, engine=engine)))

    def risk(self, method: Optional[str] = None, check: Optional[str] = None, night: Optional[Quantity] = None, jobs: Optional[int] = None) -> Risk:
        """Finds the chance that an event is incomplete when triggers come at random."""
        return Risk(*run_for_json('risk', *self.words(), *options(method=method, check=check, night=night, jobs=jobs)))

    def size(self, loss: Optional[Quantities] = None, rate: Optional[Quantities] = None, uplinks: Optional[Quantities] = None, jobs: Optional[int] = None) -> Size:
        """Finds the smallest memory, and the fewest uplinks, for wanted chances of loss."""
        lists = {name: None if values is None else to_list(values) for name, values in (('loss', loss), ('rate', rate), ('uplinks', uplinks))}
        return Size(*run_for_json('size', *self.words(), *options(**lists, jobs=jobs)))

    def words(self) -> List[str]:
        """The scenario as the program's command line has it."""
        return [str(self.path), *self.settings()]

    def settings(self) -> List[str]:
        return [word for key, value in self.keys.items() for word in ('--set', f'{key}={value}')]

    def __repr__(self) -> str:
        return f'Scenario({self.name!r}{", " + repr(self.keys) if self.keys else ""})'

    @property
    def name(self) -> str:
        return self.path.stem if self.path.parent == scenario_folder() or isinstance(self.source, Mapping) else str(self.path)


def scenarios() -> List[str]:
    """The names of the scenarios that come with the program."""
    folder = scenario_folder()
    kinds = [path for path in folder.rglob('*.toml') if path.parent.name != 'switches']
    return sorted(str(path.relative_to(folder).with_suffix('')) for path in kinds)


def options(**values: Any) -> List[str]:
    """Options of a command: those that are something, by their names."""
    words: List[str] = []
    for name, value in values.items():
        if value is not None:
            words += [f'--{name.replace("_", "-")}', to_text(value)]
    return words


def scenario_folder() -> pathlib.Path:
    """Folder of the scenarios that come with the program."""
    program = pathlib.Path(program_path()).resolve()
    places = program.parent / '../scenarios', program.parent / '../share/watershed/scenarios'
    return next((place.resolve() for place in places if place.is_dir()), pathlib.Path())


def _toml_lines(tables: Mapping[str, Any], prefix: str = '') -> List[str]:
    """Tables of tables of values as a TOML file has them."""
    def text(value: Any) -> str:
        return '[' + ', '.join(map(text, value)) + ']' if isinstance(value, (list, tuple)) else to_text(value) if isinstance(value, (bool, int, float)) else json.dumps(to_text(value))
    lines = [f'[{prefix}]'] if prefix else []
    lines += [f'{name} = {text(value)}' for name, value in tables.items() if not isinstance(value, Mapping)]
    for name, value in tables.items():
        if isinstance(value, Mapping):
            lines += _toml_lines(value, f'{prefix}.{name}' if prefix else name)
    return lines


def _path_of(name: Union[str, 'os.PathLike[str]']) -> pathlib.Path:
    path = pathlib.Path(name)
    if path.is_file():
        return path
    packed = scenario_folder() / f'{name}.toml'
    if packed.is_file():
        return packed
    raise WrongInput(f'{name}: there is no such file, nor a scenario of this name, expected a path or one of {", ".join(scenarios())}')


@functools.lru_cache(maxsize=None)
def _known_keys() -> List[str]:
    return [line.split()[0] for line in run_program('keys').splitlines() if line and not line.startswith(' ')]


def _full_key(key: str) -> str:
    if '.' in key:
        return key
    known = _known_keys()
    for table in TABLES:
        if f'{table}.{key}' in known:
            return f'{table}.{key}'
    if key in known:
        return key
    alike = [each for each in known if each.endswith(f'.{key}')]
    raise WrongInput(f'{key}: found no such key in {", ".join(TABLES)}, expected one of `watershed keys`' + (f', such as {", ".join(alike)}' if alike else ''))
