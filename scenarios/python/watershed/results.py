# SPDX-License-Identifier: GPL-2.0-only
"""Answers of the program, which draw themselves."""

from __future__ import annotations

import dataclasses
import functools
import html
import math
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy

from . import drawing
from .program import WrongInput
from .tables import csv_table, names_of, pandas, table, with_events_tried

Interval = Tuple[Optional[float], Optional[float]]
TableType: Any = numpy.ndarray if pandas is None else pandas.DataFrame


class Result:
    """An answer of the program. `json` holds all of it, `report` its text for people. Each member of the JSON is an attribute, too; a list of objects is a table,
    where a member of an object within an object has both names: designs['risk_probability']."""

    def __init__(self, json: Any, report: str) -> None:
        self.json = json
        self.report = report

    def __getattr__(self, name: str) -> Any:
        if name.startswith('_') or name == 'json' or not isinstance(self.json, dict) or name not in self.json:
            raise AttributeError(f'{type(self).__name__} has no attribute {name!r}')
        value = self.json[name]
        return table(value) if isinstance(value, list) and value and all(isinstance(each, dict) for each in value) else value

    def __dir__(self) -> List[str]:
        return sorted({*(name for name in super().__dir__() if not name.startswith('_')), *(self.json if isinstance(self.json, dict) else ())})

    def __repr__(self) -> str:
        return self.report.rstrip('\n')

    def _repr_html_(self) -> str:
        return f'<pre>{html.escape(repr(self))}</pre>'


class Page(str):
    """A page of HTML, which a notebook shows."""

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self)}" width="100%" height="700"></iframe>'


@dataclasses.dataclass(frozen=True)
class Estimate:
    """A number with its intervals, None where it has no limit."""
    value: Optional[float]
    unit: str
    interval95: Interval
    interval68: Optional[Interval] = None
    hard: Optional[Interval] = None   #: what all rows together allow, however likely

    def __str__(self) -> str:
        if self.value is None:
            return f'unknown, {span(self.hard or self.interval95)} {self.unit}'
        low, high = self.interval95
        digits = digits_for(low, high)
        if low is None and high is None:
            return f'{number(self.value, digits)} {self.unit} (without limits)'
        return f'{number(self.value, digits)} {self.unit} (95 %: {span(self.interval95)})'


class _Table(TableType):
    """A table of the program, which draws itself. What is made of it is a plain table."""

    @classmethod
    def from_csv(cls, text: str) -> Any:
        data = csv_table(text)
        return data.view(cls) if pandas is None else cls(data)

    if pandas is not None:
        @property
        def _constructor(self) -> Any:
            return pandas.DataFrame
    else:
        @property
        def columns(self) -> List[str]:
            """The names of the columns, as of a DataFrame."""
            return list(self.dtype.names)


class Boundary(_Table):
    """The watershed: separation_us and events_lossless, the longest burst without loss, which is nothing where no length loses. With depths, a column depth. Where longer bursts were not
    tried, events_lossless is nothing as well, and a column events_tried (absent where no point needs it) has the longest without loss that was."""

    @classmethod
    def from_csv(cls, text: str) -> Any:
        return super().from_csv(with_events_tried(text))

    def plot(self, ax: Any = None) -> Any:
        return drawing.boundary(self, ax)


class LossMap(_Table):
    """A loss map, with a row for each burst: ports, payload_bytes, separation_us, events, frames_sent, frames_received."""

    def plot(self, ax: Any = None) -> Any:
        return drawing.loss_map(self['separation_us'], self['events'], self['frames_sent'] == self['frames_received'], ax)


class Run(Result):
    """Frames and events that one scenario lost, where and why."""

    def plot(self, ax: Any = None) -> Any:
        """Frames that each module lost."""
        return drawing.lost_by_module(self.json['lost_by_module'], ax)


class Risk(Result):
    """The chance that an event is incomplete."""

    @property
    def interval(self) -> Interval:
        """Certain bounds where it is calculated, the 95 % interval where it is sampled."""
        return _pair(self.json.get('bounds') or self.json['interval95'])

    @property
    def is_certain(self) -> bool:
        """Whether `interval` holds bounds."""
        return bool(self.json.get('bounds'))


class Size(Result):
    """The smallest memory for wanted chances of loss: `points` for each rate, loss and number of uplinks; `frames` for the scenario as it is. Fewer than
    frames_at_least certainly do not suffice."""

    def plot(self, ax: Any = None) -> Any:
        return drawing.size(self.json['points'], ax)


class _OfTable(Result):
    """An answer about a measured table, which is drawn beside it."""

    def __init__(self, json: Dict[str, Any], report: str, measured: Any = None) -> None:
        super().__init__(json, report)
        self._measured = measured


class Fit(_OfTable):
    """The switch memory that a measured table shows: status, model, models, depth, service_rate and more."""

    def __init__(self, json: Dict[str, Any], report: str, measured: Any = None, draw: Any = None) -> None:
        super().__init__(json, report, measured)
        self._draw = draw

    @functools.cached_property
    def draws(self) -> Any:
        """A table of joint draws of the posterior over all kinds of memory, with the log likelihood of each row. It is fitted once more for them."""
        self._of_map('half_planes')
        return self._draw()

    def to_arviz(self) -> Any:
        """The draws as InferenceData of ArviZ (DataTree from its version 1 on): posterior, log_likelihood and, of a table with the usual columns, observed_data."""
        try:
            import arviz
        except ImportError:
            raise ImportError('the package arviz is not installed, which to_arviz() needs') from None
        draws, prefix = self.draws, 'log_likelihood_'
        names = [name for name in names_of(draws) if not name.startswith(prefix)]
        rows = [int(name[len(prefix):]) for name in names_of(draws) if name.startswith(prefix)]
        kinds = [model['name'] for model in self.json['models']]
        posterior = {name: numpy.array(draws[name], dtype=float)[None] for name in names if name not in ('draw', 'kind')}
        posterior['kind'] = numpy.array([kinds.index(kind) for kind in draws['kind']])[None]
        groups = {'posterior': posterior, 'log_likelihood': {'lost': numpy.stack([numpy.array(draws[f'{prefix}{row}'], dtype=float) for row in rows], axis=-1)[None]}}
        if self._measured is not None:
            lost = numpy.array(self._measured['frames_sent']) - numpy.array(self._measured['frames_received'])
            groups['observed_data'] = {'lost': (lost if self.json['counts_used'] else lost > 0)[numpy.array(rows) - 1].astype(int)}
        how = {'coords': {'row': rows}, 'dims': {'lost': ['row']}}
        data = arviz.from_dict(groups, **how) if int(arviz.__version__.split('.')[0]) > 0 else arviz.from_dict(**groups, **how)
        data['posterior']['kind'].attrs['flag_meanings'] = ' '.join(kinds)
        return data

    @property
    def depth(self) -> Optional[Estimate]:
        """In the unit that this kind of memory counts; of one input's share for "per-input"."""
        depth = self._of_map('depth')
        return None if depth is None else _estimate(self._told(depth), depth['unit'], 1)

    @property
    def service_rate(self) -> Optional[Estimate]:
        """Rates of the uplinks, in b/s."""
        rate = self._of_map('service_rate')
        if rate is None or rate.get('bits_per_s') is None:
            return None
        return _estimate(self._told({**rate, 'estimate': rate['frames_per_s']}), 'b/s', rate['bits_per_s'] / rate['frames_per_s'])

    def plot(self, ax: Any = None) -> Any:
        """The measured bursts and the fitted watersheds, each with its 95 % band, one colour for each mix of ports and payload."""
        self._of_map('half_planes')
        depth = self.depth
        none = depth is None or depth.value is None
        return drawing.fit({**self.json, **({'curve': [], 'other_mixes': []} if none else {})}, self._measured, ax)

    def _told(self, estimate: Dict[str, Any]) -> Dict[str, Any]:
        """Without a value where bursts contradict each other, as the text has it, unless it was given."""
        return {**estimate, 'estimate': None} if self.json['status'] == 'inconsistent' and not estimate.get('fixed') else estimate

    def _of_map(self, name: str) -> Any:
        if name not in self.json:
            raise WrongInput(f'the fit of this table has no {name}, only that of a loss map has; it has {", ".join(self.json)}')
        return self.json[name]


class Absorption(Result):
    """The memories that a burst-absorption table shows, one for each switch in it."""


class Advice(_OfTable):
    """Bursts to measure next, `points`, the most useful first; or `stop`, and the reason."""

    def plot(self, ax: Any = None) -> Any:
        """The advised bursts among the measured ones of the same ports and payload."""
        return drawing.advice(self.json['points'], self._measured, ax)


class Explored(Result):
    """Ways to read out the camera. `recommended` has the ranks to look at first."""

    @property
    def ways(self) -> Any:
        """A table of the ways that fit and lose few enough events, the best first."""
        return table(sorted((way for way in self.json['ways'] if way['rank'] is not None), key=lambda way: way['rank']))

    @property
    def out(self) -> Any:
        """A table of the other ways, with the reason."""
        return table([way for way in self.json['ways'] if way['rank'] is None], ['switch', 'switches', 'uplinks', 'selection', 'fits', 'reason'])

    def plot(self, ax: Any = None) -> Any:
        """The risk of each way against its price, or against the interfaces of the server where prices are missing."""
        return drawing.ways(self.json, ax)


class Compared(Result):
    """Designs side by side: a row of `designs` for each, and which is the best in what."""

    def plot(self, ax: Any = None) -> Any:
        """The watershed of each design."""
        return drawing.designs(self.json['designs'], ax)


class Sensitivity(Result):
    """Changes of the answer if something is other than planned: a row for each question, the design as it is before all others."""

    def plot(self, ax: Any = None) -> Any:
        """How likely an event is incomplete, or which share is, after each question, beside the design as it is."""
        return drawing.sensitivity(self.json, ax)


class Bound(Result):
    """The worst that any sequence of triggers brings to each queue."""


class Stagger(Result):
    """Delays of modules, or between their frames, with which nothing is lost: `set` has them as keys, `kinds` a row for each kind."""


class Throttle(Result):
    """Rules of triggers with which no sequence of them loses a frame, and what each refuses: `rules`."""


class Switch(Result):
    """A switch of the catalogue."""

    def __init__(self, entry: Dict[str, Any]) -> None:
        super().__init__(entry, '')

    @property
    def name(self) -> str:
        """As scenarios name it."""
        return str(self.json['switch'])

    @property
    def values(self) -> Any:
        """A table of what is known: key, value, standing (read, derived, recalled) and source."""
        ports = [{'key': f'ports of {ports["speed"]}', 'value': str(ports['count']), 'standing': ports['standing'], 'source': ports['source']} for ports in self.json['ports']]
        return table(ports + [{'key': key, **value} for key, value in self.json['values'].items()])

    def row(self) -> Dict[str, Any]:
        """Its row in the table of all switches."""
        values = {key.split('.')[-1]: value['value'] for key, value in self.json['values'].items()}
        return {'switch': self.name, 'name': self.json['name'], 'ports': ' + '.join(f'{ports["count"]} x {ports["speed"]}' for ports in self.json['ports']),
                'memory': values.get('size'), 'sharing': values.get('sharing'), 'cell': values.get('cell'), 'alpha': values.get('alpha'), 'latency': values.get('latency')}

    def __repr__(self) -> str:
        known = {'switch': self.name, 'name': self.json['name'], 'ports': self.row()['ports']}
        for key, value in self.json['values'].items():
            known[key] = f'{value["value"] or "unknown"}' + (f' ({value["standing"]}: {value["source"]})' if value['source'] else '')
        return '\n'.join(f'{name:28} {value}' for name, value in known.items())


def number(value: Optional[float], digits: int = 5) -> str:
    if value is None:
        return 'no limit'
    text = f'{value:.{digits}g}'
    return f'{value:.0f}' if value == round(value) and abs(value) < 1e12 or 'e+' in text and abs(value) < 1e9 else text


def digits_for(low: Optional[float], high: Optional[float]) -> int:
    """As many digits as tell the ends of an interval apart by two, five at least and ten at most."""
    if low is None or high is None or low == high:
        return 5
    return min(10, max(5, 2 + math.ceil(math.log10(max(abs(low), abs(high)) / abs(high - low)))))


def span(interval: Interval, word: str = ' to ') -> str:
    return word.join(number(limit, digits_for(*interval)) for limit in interval)


def _pair(limits: Sequence[Optional[float]]) -> Interval:
    low, high = limits
    return low, high


def _scaled(interval: Interval, factor: float) -> Interval:
    low, high = (None if limit is None else limit * factor for limit in interval)
    return low, high


def _estimate(json: Dict[str, Any], unit: str, factor: float) -> Estimate:
    intervals = {name: _scaled(_pair(json[name]), factor) for name in ('interval95', 'interval68', 'hard') if json.get(name)}
    return Estimate(None if json['estimate'] is None else json['estimate'] * factor, unit, **{'interval95': (None, None), **intervals})
