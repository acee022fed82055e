# SPDX-License-Identifier: GPL-2.0-only
"""Figures with matplotlib, in the style of `watershed plot`."""

from __future__ import annotations

from typing import Any, Dict, List, Sequence

import numpy

from .tables import names_of

BLACK, ORANGE, SKY_BLUE, GREEN, BLUE, VERMILION, PURPLE, GREY = '#000000', '#E69F00', '#56B4E9', '#009E73', '#0072B2', '#D55E00', '#CC79A7', '#808080'
CURVES = BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY_BLUE
SEPARATION, EVENTS = 'event separation / µs', 'events in burst'


def boundary(table: Any, ax: Any = None) -> Any:
    """The longest lossless burst; a curve for each depth if there are several."""
    ax = _axes(ax, SEPARATION, EVENTS)
    depths: Sequence[Any] = sorted(set(table['depth'])) if 'depth' in names_of(table) else [None]
    for depth, colour in zip(depths, CURVES * len(depths)):
        part = slice(None) if depth is None else numpy.asarray(table['depth'] == depth)
        separation, events = _numbers(table['separation_us'])[part], _numbers(table['events_lossless'])[part]
        ax.plot(separation, events, color=colour, marker='o', markersize=3, label='longest burst without loss' if depth is None else f'depth {depth}')
        if depth is None and numpy.isfinite(events).any():
            # Between two separations up to the lower of their bursts: a straight line lies above the watershed.
            lower = numpy.minimum(events[:-1], events[1:])
            ax.fill_between(numpy.repeat(separation, 2)[1:-1], numpy.repeat(lower, 2), color=colour, alpha=0.08, linewidth=0)
        if 'events_tried' in names_of(table):
            ax.plot(separation, _numbers(table['events_tried'])[part], '^', color=colour, markersize=5, label='no loss up to here, longer not tried' if depth is None else None)
    ax.set_ylim(bottom=0)
    return _with_legend(ax)


def loss_map(separation: Any, events: Any, complete: Any, ax: Any = None) -> Any:
    """Bursts that lost nothing, and those that lost frames."""
    ax = _axes(ax, SEPARATION, EVENTS)
    separation, events, complete = _numbers(separation), _numbers(events), numpy.asarray(complete, dtype=bool)
    ax.plot(separation[complete], events[complete], 'o', color=BLUE, markersize=4, label='complete')
    ax.plot(separation[~complete], events[~complete], 'x', color=VERMILION, markersize=5, label='lossy')
    return _with_legend(ax)


def lost_by_module(lost: Sequence[int], ax: Any = None) -> Any:
    ax = _axes(ax, 'module', 'frames lost')
    ax.bar(range(1, len(lost) + 1), lost, color=VERMILION)
    ax.set_ylim(0, 1.06 * max([1, *lost]))
    ax.yaxis.get_major_locator().set_params(integer=True)
    return ax


def size(points: List[Dict[str, Any]], ax: Any = None) -> Any:
    """The memory of the first tier against the trigger rate, or against the number of uplinks if there is one rate."""
    points = [point for point in points if point['memory_of'] == 'switch']
    one_rate = len({point['rate_khz'] for point in points}) == 1
    across, apart = ('uplinks', 'rate_khz') if one_rate else ('rate_khz', 'uplinks')
    ax = _axes(ax, 'uplinks' if one_rate else 'trigger rate / kHz', 'memory / frames')
    kinds = sorted({(point['loss'], point[apart]) for point in points})
    for (loss, other), colour in zip(kinds, CURVES * len(kinds)):
        own = [point for point in points if (point['loss'], point[apart]) == (loss, other) and point['frames'] is not None]
        label = f'chance {loss:.3g}, ' + (f'{other:.4g} kHz' if one_rate else f'{other} uplink{"s" * (other != 1)}')
        ax.plot([point[across] for point in own], [point['frames'] for point in own], color=colour, marker='o', markersize=3, label=label)
    ax.set_ylim(bottom=0)
    if one_rate:
        ax.xaxis.get_major_locator().set_params(integer=True)
    return _with_legend(ax)


def fit(answer: Dict[str, Any], rows: Any, ax: Any = None) -> Any:
    """The bursts and the fitted curves with their 95 % bands, a colour for each mix of ports and payload: filled where nothing was lost.
    :param rows: the measured table; with none, the bursts that limit the fit"""
    if rows is None:
        rows = {name: numpy.array([row[name] for row in answer['half_planes']]) for name in ('ports', 'payload_bytes', 'separation_us', 'events', 'lossless')}
        complete = numpy.asarray(rows['lossless'], dtype=bool)
    else:
        complete = numpy.asarray(rows['frames_sent'] == rows['frames_received'])
    ax = _axes(ax, SEPARATION, EVENTS)
    highest = 0.0
    for mix, colour in zip([answer, *answer['other_mixes']], (GREEN, BLUE, VERMILION, ORANGE, PURPLE, SKY_BLUE) * len(answer['other_mixes']) or (GREEN,)):
        own = numpy.asarray((rows['ports'] == mix['ports']) & (rows['payload_bytes'] == mix['payload_bytes']))
        for which, face in (own & complete, colour), (own & ~complete, 'none'):
            events = _numbers(rows['events'][which])
            ax.plot(_numbers(rows['separation_us'][which]), events, 'o', color=colour, markerfacecolor=face, markersize=4)
            highest = max([highest, *events])
        curve = mix['curve']
        if not curve:
            continue
        separation = [point['separation_us'] for point in curve]
        ax.fill_between(separation, _numbers([point['events_low'] for point in curve]), _numbers([point['events_high'] for point in curve]), color=colour, alpha=0.2, linewidth=0)
        ax.plot(separation, _numbers([point['events'] for point in curve]), color=colour, label=f'fitted, 95 %: {mix["ports"]} ports, {mix["payload_bytes"]} B')
    ax.plot([], [], 'o', color=GREY, markersize=4, label='complete')
    ax.plot([], [], 'o', color=GREY, markerfacecolor='none', markersize=4, label='lossy')
    if highest > 0:
        ax.set_ylim(0, 1.1 * highest)
    return _with_legend(ax)


def advice(points: List[Dict[str, Any]], rows: Any, ax: Any = None) -> Any:
    """The advised bursts among the measured ones with the ports and the payload of the first of them, each with its number.
    :param rows: the measured table; with none, the advised bursts alone"""
    like = [(number, point) for number, point in enumerate(points, start=1) if (point['ports'], point['payload_bytes']) == (points[0]['ports'], points[0]['payload_bytes'])]
    if rows is None:
        ax = _axes(ax, SEPARATION, EVENTS)
    else:
        own = numpy.asarray((rows['ports'] == points[0]['ports']) & (rows['payload_bytes'] == points[0]['payload_bytes'])) if points else slice(None)
        ax = loss_map(rows['separation_us'][own], rows['events'][own], numpy.asarray(rows['frames_sent'] == rows['frames_received'])[own], ax)
    label = f'measure next, {points[0]["ports"]} ports, {points[0]["payload_bytes"]} B' if points else 'nothing to measure'
    ax.plot([point['separation_us'] for _, point in like], [point['events'] for _, point in like], '*', color=PURPLE, markersize=11, label=label)
    for number, point in like:
        ax.annotate(str(number), (point['separation_us'], point['events']), textcoords='offset points', xytext=(6, 4), fontsize='small')
    return _with_legend(ax)


def ways(answer: Dict[str, Any], ax: Any = None) -> Any:
    """The risk of each way, downwards, against its price or the interfaces that it needs; ranks of the best. In the grey part all risks count as equal."""
    from matplotlib.ticker import FuncFormatter, NullLocator
    priced = all(way['price'] is not None for way in answer['ways'] if way['rank'] is not None)
    cost = 'price' if priced else 'interfaces'
    currency = f' / {answer["currency"]}' if answer['currency'] else ''
    shown = [way for way in answer['ways'] if way[cost] is not None and way['log10_risk'] is not None]
    ax = _axes(ax, f'price of all switches{currency}' if priced else 'interfaces of the server', 'chance that an event is incomplete')
    kinds = (('not feasible', lambda way: way['rank'] is None, 'o', GREY, 4, 'none'), ('feasible', lambda way: way['rank'] is not None and not way['pareto'], 'o', SKY_BLUE, 5, SKY_BLUE),
             ('no way is better in all respects', lambda way: way['pareto'], 'D', VERMILION, 7, VERMILION))
    for label, belongs, marker, colour, size, inside in kinds:
        own = [way for way in shown if belongs(way)]
        if own:
            ax.plot([way[cost] for way in own], [_zeros(way) for way in own], marker, color=colour, markersize=size, markerfacecolor=inside, label=label)
    for way in shown:
        if way['pareto'] and way['same_as'] is None:
            ax.annotate(f'{way["rank"]}: {way["switches"]} × {way["switch"]}', (way[cost], _zeros(way)), textcoords='offset points', xytext=(8, 0), fontsize='small', va='center')
    ax.set_yscale('log')
    ax.invert_yaxis()
    ax.yaxis.set_major_formatter(FuncFormatter(lambda zeros, _: f'$10^{{-{zeros:g}}}$'))
    ax.yaxis.set_minor_locator(NullLocator())
    bottom, equal_below = ax.get_ylim()[0], answer['equal_below']
    if equal_below > 10 ** -min(bottom, 300):
        ax.axhspan(-numpy.log10(equal_below), bottom, color=BLACK, alpha=0.06, linewidth=0)
    ax.margins(x=0.2)
    return _with_legend(ax)


def _zeros(way: Dict[str, Any]) -> float:
    return max(-float(way['log10_risk']), 0.1)


def designs(compared: List[Dict[str, Any]], ax: Any = None) -> Any:
    """The watershed of each design, up to where no burst of any length loses."""
    ax = _axes(ax, SEPARATION, EVENTS)
    for design, colour in zip(compared, CURVES * len(compared)):
        points = [point for point in design['watershed'] if point[1] is not None]
        if points:
            ax.plot(*zip(*points), color=colour, marker='o', markersize=3, label=design['name'])
        else:
            ax.plot([], [], color=colour, label=f'{design["name"]}: {"never loses" if design["watershed"] else "not known of several tiers"}')
    ax.set_yscale('log')
    return _with_legend(ax)


def sensitivity(answer: Dict[str, Any], ax: Any = None) -> Any:
    """A bar for each question, from what the design does as it is; none where nothing is known, as of a run without an incomplete event."""
    chance = 'risk' in answer['rows'][0]

    def value(row: Dict[str, Any]) -> float:
        if chance and 'risk' in row:
            return -numpy.inf if row['risk']['log10_at_most'] is None else float(row['risk']['log10_at_most'])
        share = 1 - row['events']['complete'] / max(1, row['events']['sent']) if 'events' in row else 1.0 if row['verdict'] == 'breaks' else numpy.nan
        return 100 * share if not chance else numpy.log10(share) if share > 0 else numpy.nan
    values = _numbers([value(row) for row in answer['rows']])
    lowest = min([value for value in values if numpy.isfinite(value)], default=0.0)
    values = numpy.maximum(values, 1.1 * min(lowest, numpy.log10(answer['loss']))) if chance else values
    ax = _axes(ax, 'log10 of the chance of an incomplete event' if chance else 'incomplete events / %', '')
    questions = list(range(1, len(values)))
    for verdict, colour in ('holds', GREEN), ('breaks', VERMILION), ('open', ORANGE):
        own = [i for i in questions if answer['rows'][i]['verdict'] == verdict and numpy.isfinite(values[i])]
        if own:
            ax.barh(own, values[own] - values[0], left=values[0], height=0.66, color=colour, label=verdict)
    ax.axvline(values[0], color=BLACK, linewidth=1.5, label='as it is')
    if chance:
        ax.axvline(numpy.log10(answer['loss']), color=BLUE, linestyle='--', linewidth=1.5, label='wanted at most')
    ax.set_yticks(questions, [answer['rows'][i]['what_if'] for i in questions])
    ax.set_ylim(len(values) - 0.4, 0.4)
    return _with_legend(ax)


def _axes(ax: Any, x_label: str, y_label: str) -> Any:
    if ax is None:
        from matplotlib import pyplot
        ax = pyplot.subplots(figsize=(6.4, 4.8), layout='constrained')[1]
    for side in 'top', 'right':
        ax.spines[side].set_visible(False)
    for side in 'left', 'bottom':
        ax.spines[side].set_color('#404040')
    ax.tick_params(colors='#202020')
    ax.set_axisbelow(True)
    ax.grid(color='#E6E6E6', linewidth=0.8)
    ax.set_xlabel(x_label)
    ax.set_ylabel(y_label)
    return ax


def _with_legend(ax: Any) -> Any:
    ax.legend(loc='lower center', bbox_to_anchor=(0.5, 1.02), ncols=3, frameon=False, fontsize='small')
    return ax


def _numbers(values: Any) -> Any:
    """As an array of floating-point numbers, nothing as NaN."""
    if hasattr(values, 'to_numpy'):
        return values.to_numpy(dtype=float, na_value=numpy.nan)
    return numpy.array([numpy.nan if value is None else value for value in values], dtype=float)
