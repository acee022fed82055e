# SPDX-License-Identifier: GPL-2.0-only
"""What the program answers, as small classes that show and draw themselves. `json` of each holds the program's whole answer, `report` its report for people."""

from __future__ import annotations

import dataclasses
import html
import math
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy

from . import drawing
from .tables import csv_table, pandas, table

Interval = Tuple[Optional[float], Optional[float]]
Facts = Sequence[Tuple[str, str]]
TableType: Any = numpy.ndarray if pandas is None else pandas.DataFrame


class Result:
    """An answer of the program."""

    def __init__(self, json: Any, report: str) -> None:
        self.json = json
        self.report = report

    def facts(self) -> Facts:
        """What there is to know first, in words; nothing where the report says it best."""
        return []

    def __repr__(self) -> str:
        return self.report.rstrip('\n')

    def _repr_html_(self) -> str:
        rows = ''.join(f'<tr><th style="text-align:left">{html.escape(name)}</th><td style="text-align:left">{html.escape(value)}</td></tr>' for name, value in self.facts())
        return f'<table>{rows}</table>' if rows else f'<pre>{html.escape(self.report)}</pre>'


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
    """The watershed: separation_us and events_lossless, the longest burst without loss; nothing where no length loses. With depths, a column depth."""

    def plot(self, ax: Any = None) -> Any:
        return drawing.boundary(self, ax)


class LossMap(_Table):
    """A loss map, with a row for each burst: ports, payload_bytes, separation_us, events, frames_sent, frames_received."""

    def plot(self, ax: Any = None) -> Any:
        return drawing.loss_map(self['separation_us'], self['events'], self['frames_sent'] == self['frames_received'], ax)


class Run(Result):
    """What one simulated burst lost."""

    @property
    def frames(self) -> Dict[str, int]:
        """Frames sent, received and lost."""
        return dict(self.json['frames'])

    @property
    def events(self) -> Dict[str, int]:
        """Events sent and complete."""
        return dict(self.json['events'])

    @property
    def losses(self) -> Any:
        """A table of where, reason and frames."""
        return table(self.json['losses'], ['where', 'reason', 'frames'])

    @property
    def peak_frames(self) -> Optional[int]:
        """The most that the switch memory held."""
        return self.json.get('buffer', {}).get('peak_frames')

    def facts(self) -> Facts:
        if 'events' not in self.json:   # a system that is not a camera
            return []
        frames, events = self.frames, self.events
        lost = '; '.join(f'{loss["frames"]} at {loss["where"]} ({loss["reason"]})' for loss in self.json['losses'])
        facts = [('engine', self.json['engine']), ('events', f'{events["sent"]} sent, {events["complete"]} complete'),
                 ('frames', f'{frames["sent"]} sent, {frames["received"]} received, {frames["lost"]} lost'), ('lost', lost or 'nothing')]
        if self.json['first_loss']:
            first = self.json['first_loss']
            facts.append(('first loss', f'event {first["event"]}, module {first["module"]}, after {number(first["time_s"] * 1e6)} us'))
        return facts + [('peak of the memory', f'{self.json["buffer"]["peak_frames"]} frames, {self.json["buffer"]["peak_bytes"]} bytes')]

    def plot(self, ax: Any = None) -> Any:
        """Frames that each module lost."""
        return drawing.lost_by_module(self.json['lost_by_module'], ax)


class Risk(Result):
    """The chance that an event is incomplete."""

    @property
    def probability(self) -> float:
        return float(self.json['probability'])

    @property
    def interval(self) -> Interval:
        """Certain bounds where it is calculated, the 95 % interval where it is sampled."""
        return _pair(self.json.get('bounds') or self.json['interval95'])

    @property
    def is_certain(self) -> bool:
        """Whether `interval` holds bounds."""
        return bool(self.json.get('bounds'))

    def facts(self) -> Facts:
        limits = f', {"certainly" if self.is_certain else "95 %:"} between {span(self.interval, " and ")}' if self.probability > 0 else ''   # too small for numbers
        facts = [('chance that an event is incomplete', chance(self.json) + limits),
                 ('method', f'{self.json["method"]}: {self.json["remark"]}'), ('incomplete events', f'{number(self.json["per_hour"])} per hour, {number(self.json["per_night"])} per night'),
                 ('load of the fullest link', f'{100 * self.json["load"]:.3g} %')]
        return facts + ([('overload', str(self.json['overload']))] if self.json['overload'] else [])


class Size(Result):
    """The smallest memory for wanted chances of loss."""

    @property
    def points(self) -> Any:
        """A table: rate_khz, loss, uplinks, memory_of (switch or aggregation), load; frames certainly suffice, fewer than frames_at_least certainly do not."""
        return table(self.json['points'])

    @property
    def frames(self) -> Optional[int]:
        """The memory that suffices, for the scenario as it is."""
        return self.json['frames']

    def facts(self) -> Facts:
        def memory(point: Dict[str, Any]) -> str:
            if point['frames'] is None:
                return 'no memory suffices'
            return f'{point["frames"]} frames ({point["bytes"]} bytes)' + ('' if point['frames'] == point['frames_at_least'] else f', at least {point["frames_at_least"]}')
        return [(f'{number(point["rate_khz"])} kHz, chance {number(point["loss"])}, {point["uplinks"]} uplink{"s" * (point["uplinks"] != 1)}, [{point["memory_of"]}]', memory(point))
                for point in self.json['points']]

    def plot(self, ax: Any = None) -> Any:
        return drawing.size(self.json['points'], ax)


class Fit(Result):
    """The switch memory that a measured table shows."""

    def __init__(self, json: Dict[str, Any], report: str, measured: Any = None) -> None:
        super().__init__(json, report)
        self._measured = measured

    @property
    def status(self) -> str:
        """separated, overlap, inconsistent, unbounded or misfit."""
        return str(self.json['status'])

    @property
    def model(self) -> str:
        """The kind of memory."""
        return str(self.json['model'])

    @property
    def depth(self) -> Optional[Estimate]:
        """In the unit that this kind of memory counts; of one input's share for "per-input"."""
        depth = self.json['depth']
        return None if depth is None else _estimate(depth, depth['unit'], 1)

    @property
    def service_rate(self) -> Optional[Estimate]:
        """Of the uplinks, in b/s."""
        rate = self.json['service_rate']
        if rate is None or rate.get('bits_per_s') is None:
            return None
        return _estimate({**rate, 'estimate': rate['frames_per_s']}, 'b/s', rate['bits_per_s'] / rate['frames_per_s'])

    @property
    def models(self) -> Any:
        """A table of the kinds of memory: whether they are feasible, and how probable."""
        return table([{'name': model['name'], 'feasible': model['feasible'], 'probability': model['probability'], 'depth': model['depth'] and model['depth']['estimate'],
                       'unit': model['depth'] and model['depth']['unit']} for model in self.json['models']])

    @property
    def curve(self) -> Any:
        """The watershed of the fitted switch: separation_us, events, events_low, events_high."""
        return table(self.json['curve'])

    def facts(self) -> Facts:
        said = [line.strip().split(None, 1) for line in self.report.splitlines()]
        status = next((words[1] for words in said if words and words[0] == 'status'), self.status)
        rate = self.service_rate
        trusted = self.status != 'inconsistent'
        facts = [('status', status), ('kind of memory', self.model), ('depth', str(self.depth) if self.depth and trusted else 'no estimate')]
        if rate and rate.value and trusted:
            factor, unit = (1e-9, 'Gb/s') if rate.value >= 1e9 else (1e-6, 'Mb/s')
            facts.append(('service rate', str(Estimate(rate.value * factor, unit, _scaled(rate.interval95, factor)))))
        likely = sorted((model for model in self.json['models'] if model['probability']), key=lambda model: -model['probability'])[:3]
        return facts + [('probable kinds', ', '.join(f'{model["name"]} {100 * model["probability"]:.3g} %' for model in likely))]

    def plot(self, ax: Any = None) -> Any:
        """The measured bursts and the fitted watershed with its 95 % band, for the ports and the payload of the first row."""
        return drawing.fit(self.json, self._measured, ax)


class Absorption(Result):
    """The memories that a burst-absorption table shows, one for each switch in it."""


class Advice(Result):
    """Which bursts to measure next."""

    def __init__(self, json: Dict[str, Any], report: str, measured: Any = None) -> None:
        super().__init__(json, report)
        self._measured = measured

    @property
    def stop(self) -> bool:
        """Whether enough is known."""
        return bool(self.json['stop'])

    @property
    def reason(self) -> str:
        return str(self.json['reason'])

    @property
    def points(self) -> Any:
        """A table of bursts, the first of which to measure next."""
        return table(self.json['points'])

    def facts(self) -> Facts:
        points = [(f'{i}.', f'{point["events"]} events {number(point["separation_us"])} us apart, {point["ports"]} ports, {point["payload_bytes"]} B: {point["reason"]}')
                  for i, point in enumerate(self.json['points'], start=1)]
        return [('stop' if self.stop else 'go on', self.reason), *points]

    def plot(self, ax: Any = None) -> Any:
        """The advised bursts among the measured ones of the same ports and payload."""
        return drawing.advice(self.json['points'], self._measured, ax)


class Explored(Result):
    """Ways to read out the camera, the best first."""

    @property
    def ways(self) -> Any:
        """A table of the ways that fit and lose few enough events."""
        ways = self._ranked()
        return table(ways, [name for name, value in ways[0].items() if not isinstance(value, (list, dict))] if ways else [])

    @property
    def out(self) -> Any:
        """A table of the other ways, with the reason."""
        return table([way for way in self.json['ways'] if way['rank'] is None], ['switch', 'switches', 'uplinks', 'selection', 'fits', 'reason'])

    @property
    def recommended(self) -> Dict[str, Optional[int]]:
        """Ranks of the ways to look at first: first, sure (the first that rests on nothing assumed or recalled), cheapest, safest, fastest; nothing if none is feasible."""
        return dict(self.json['recommended'] or {})

    @property
    def notes(self) -> List[str]:
        return list(self.json['notes'])

    def facts(self) -> Facts:
        ranked = self._ranked()
        if not ranked:
            return [('no way found', self.report.splitlines()[0] if self.report else 'none fits')]

        advice = self.json['advice']
        facts = [('recommended', advice['buy']), ('why', advice['why']), ('how good', advice['so_good'])]
        facts += [('rests on', '; '.join(advice['rests']))] if advice['rests'] else []
        return facts + [(named['for'].lower(), named['is']) for named in advice['named']] + [('note', note) for note in self.notes]

    def plot(self, ax: Any = None) -> Any:
        """The risk of each way against its price, or against the interfaces of the server where prices are missing."""
        return drawing.ways(self.json, ax)

    def _ranked(self) -> List[Dict[str, Any]]:
        return sorted((way for way in self.json['ways'] if way['rank'] is not None), key=lambda way: way['rank'])


class Compared(Result):
    """Designs side by side."""

    @property
    def designs(self) -> Any:
        """A table with a row for each design; the chance that an event is incomplete is `probability`."""
        rows = [{'name': design['name'], 'modules': design['modules'], 'uplinks': design['uplinks'], 'load': design['load'],
                 'probability': design['risk'] and design['risk']['probability'], 'events_lossless': design['events_lossless'],
                 'frames_lost': design['frames']['lost'], 'peak_frames': design['peak_frames'], 'peak_bytes': design['peak_bytes'],
                 'latency_us': design['latency'] and design['latency']['mean_us'], 'price': design['price'], 'power': design['power']} for design in self.json['designs']]
        return table(rows)

    @property
    def best(self) -> List[str]:
        """Which design is the best in what, a sentence each."""
        return list(self.json['best'])

    def _repr_html_(self) -> str:
        def line(kind: str, cells: Sequence[str]) -> str:
            return '<tr>' + ''.join(f'<{kind} style="text-align:{"right" if i else "left"}">{html.escape(cell)}</{kind}>' for i, cell in enumerate(cells)) + '</tr>'
        rows = [line('th', ['', *(design['name'] for design in self.json['designs'])])]
        rows += [line('td', [row['quantity'], *row['values']]) for row in self.json['table']]
        return f'<table>{"".join(rows)}</table><p>{html.escape(" ".join(self.best))}</p>'

    def plot(self, ax: Any = None) -> Any:
        """The watershed of each design."""
        return drawing.designs(self.json['designs'], ax)


class Sensitivity(Result):
    """What changes if something is other than planned."""

    @property
    def rows(self) -> Any:
        """A table with a row for each question; the first is the design as it is."""
        rows = [{'what_if': row['what_if'], 'verdict': row['verdict'], 'load': row.get('load'),
                 'probability': row['risk']['probability'] if 'risk' in row else None,
                 'frames_lost': row['frames']['lost'] if 'frames' in row else None,
                 'events_lossless': row.get('events_lossless')} for row in self.json['rows']]
        return table(rows)

    def plot(self, ax: Any = None) -> Any:
        """How likely an event is incomplete, or which share is, after each question, beside the design as it is."""
        return drawing.sensitivity(self.json, ax)

    @property
    def holds(self) -> Optional[bool]:
        """Whether the design as it is does what is wanted; None where a sample does not tell."""
        return self.json['holds']

    @property
    def breaks(self) -> List[str]:
        """The questions whose answer is that it then loses too much."""
        return list(self.json['breaks'])


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

    def facts(self) -> Facts:
        row = self.row()
        return [('switch', self.name), ('name', row['name']), ('ports', row['ports'])] + [
            (key, f'{value["value"] or "unknown"}' + (f' ({value["standing"]}: {value["source"]})' if value['source'] else '')) for key, value in self.json['values'].items()]

    def __repr__(self) -> str:
        return '\n'.join(f'{name:28} {value}' for name, value in self.facts())


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


def chance(answer: Dict[str, Any], name: str = 'probability') -> str:
    """Also one that is too small for a number."""
    value, logarithm = answer[name], answer.get(f'log10_{name}')
    if value == 0 and logarithm is not None and math.isfinite(logarithm):
        return f'10^{logarithm:.0f}'
    return 'unknown' if value is None else f'{value:.3g}'


def _pair(limits: Sequence[Optional[float]]) -> Interval:
    low, high = limits
    return low, high


def _scaled(interval: Interval, factor: float) -> Interval:
    low, high = (None if limit is None else limit * factor for limit in interval)
    return low, high


def _estimate(json: Dict[str, Any], unit: str, factor: float) -> Estimate:
    intervals = {name: _scaled(_pair(json[name]), factor) for name in ('interval95', 'interval68', 'hard') if json.get(name)}
    return Estimate(None if json['estimate'] is None else json['estimate'] * factor, unit, **{'interval95': (None, None), **intervals})
