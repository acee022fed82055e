# SPDX-License-Identifier: GPL-2.0-only
"""Tables: pandas DataFrames, or structured arrays of numpy where there is no pandas."""

from __future__ import annotations

import csv
import io
import re
from typing import Any, Dict, List, Optional, Sequence

import numpy

try:
    import pandas
except ImportError:
    pandas = None


def table(records: Sequence[Dict[str, Any]], names: Optional[Sequence[str]] = None) -> Any:
    """A table with a row for each record, and the columns that are named, else all of any record but lists; the members of an object within have both names, unless they are
    keys of a scenario. What is nothing in a record is nothing in the table: <NA> among whole numbers, else NaN."""
    rows = [_flat(record) for record in records]
    found = names or list(dict.fromkeys(name for row in rows for name in row))
    return columns_table({name: [row.get(name) for row in rows] for name in found})


def _flat(record: Dict[str, Any]) -> Dict[str, Any]:
    flat: Dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, dict) and all(inner.isidentifier() for inner in value):
            flat.update({f'{name}_{inner}': each for inner, each in _flat(value).items()})
        elif not isinstance(value, list):
            flat[name] = value
    return flat


def csv_table(text: str) -> Any:
    """A table of CSV text with a header; lines that begin with # are comments."""
    rows = list(csv.reader(line for line in io.StringIO(text) if not line.startswith('#')))
    if not rows:
        return columns_table({})
    return columns_table({name: [_number(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])})


def with_events_tried(text: str) -> str:
    """The CSV text of a boundary, whose comments "no loss up to N events; longer bursts were not tried" are a column events_tried as well, if it has such."""
    lines, tried, kinds = [], '', re.compile('# .*: no loss up to ([0-9]+) events; longer bursts were not tried')
    for line in text.splitlines():
        if line.startswith('#'):
            found = kinds.fullmatch(line)
            tried = found[1] if found else tried
        else:
            lines.append(f'{line},{tried if len(lines) else "events_tried"}')
            tried = ''
    return '\n'.join(lines) if any(not line.endswith(',') for line in lines[1:]) else text


def columns_table(columns: Dict[str, List[Any]]) -> Any:
    if pandas is not None:
        return pandas.DataFrame({name: _series(values) for name, values in columns.items()})
    rows = list(zip(*columns.values()))
    arrays = {name: _array(values) for name, values in columns.items()}
    result = numpy.empty(len(rows), dtype=[(name, array.dtype) for name, array in arrays.items()])
    for name, array in arrays.items():
        result[name] = array
    return result


def names_of(data: Any) -> List[str]:
    return [str(name) for name in (data.dtype.names or ())] if isinstance(data, numpy.ndarray) else [str(name) for name in data.columns]


def to_csv(data: Any) -> str:
    """The CSV text of a DataFrame, a structured array, or a dictionary of columns."""
    if isinstance(data, dict):
        names, rows = list(data), list(zip(*data.values()))
    elif getattr(getattr(data, 'dtype', None), 'names', None):
        names, rows = list(data.dtype.names), data.tolist()
    elif pandas is not None and isinstance(data, pandas.DataFrame):
        return str(data.to_csv(index=False))
    else:
        raise TypeError(f'found a table of type {type(data).__name__}, expected the name of a file, a pandas DataFrame, a structured numpy array or a dictionary of columns')
    out = io.StringIO()
    writer = csv.writer(out, lineterminator='\n')
    writer.writerow(names)
    writer.writerows(['' if cell is None or cell != cell else cell for cell in row] for row in rows)
    return out.getvalue()


def _series(values: List[Any]) -> Any:
    whole = all(value is None or (isinstance(value, int) and not isinstance(value, bool)) for value in values)
    return pandas.array(values, dtype='Int64') if whole and any(value is None for value in values) else values


def _array(values: List[Any]) -> Any:
    numbers = all(value is None or isinstance(value, (int, float)) for value in values)
    if numbers and any(value is None for value in values):
        return numpy.array([numpy.nan if value is None else value for value in values], dtype=float)
    plain = all(isinstance(value, (int, float, str)) for value in values)
    return numpy.array(values) if plain else numpy.array(values, dtype=object)


def _number(text: str) -> Any:
    if text == '':
        return None
    if text in ('true', 'false'):
        return text == 'true'
    for kind in int, float:
        try:
            return kind(text)
        except ValueError:
            continue
    return text
