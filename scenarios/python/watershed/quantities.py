# SPDX-License-Identifier: GPL-2.0-only
"""Values that a caller may give where the program wants text: text with a unit, numbers, astropy's quantities, and lists of these."""

from __future__ import annotations

import sys
from typing import Any, Iterable


def to_text(value: Any) -> str:
    """As the program reads it: "20 us" as it is, 5 as "5", an astropy quantity of 20 microseconds as "20 us", True as "true", a list in brackets."""
    if isinstance(value, bool):
        return 'true' if value else 'false'
    if isinstance(value, str):
        return value
    if _is_astropy(value):
        return _astropy_text(value)
    if isinstance(value, (list, tuple)):
        return '[' + ', '.join(f'"{item}"' if isinstance(item, str) else to_text(item) for item in value) + ']'
    if isinstance(value, float):
        return f'{value:.15g}'
    return str(value)


def to_list(values: Any) -> str:
    """A list as the program reads it: "8.72us:38us:40" as it is, ["8.72 us", "20 us"] with commas; also a range, an array, or one value."""
    if isinstance(values, str) or not isinstance(values, Iterable) or (_is_astropy(values) and values.isscalar):
        return to_text(values)
    texts = [to_text(value.item() if hasattr(value, 'item') and not _is_astropy(value) else value) for value in values]
    return ','.join(texts)


def _is_astropy(value: Any) -> bool:
    return 'astropy.units' in sys.modules and isinstance(value, sys.modules['astropy.units'].Quantity)


def _astropy_text(quantity: Any) -> str:
    from astropy import units
    if quantity.unit.is_equivalent(units.byte / units.second):
        return f'{quantity.to_value(units.bit / units.second):.15g} b/s'
    if quantity.unit.is_equivalent(units.byte):
        return f'{quantity.to_value(units.byte):.15g} B'
    if quantity.unit.is_equivalent(units.second):
        return f'{quantity.to_value(units.microsecond):.15g} us'
    if quantity.unit.is_equivalent(units.hertz):
        return f'{quantity.to_value(units.hertz):.15g} Hz'
    if quantity.unit.is_equivalent(units.dimensionless_unscaled):
        return f'{quantity.to_value(units.dimensionless_unscaled):.15g}'
    raise ValueError(f'{quantity}: found the unit {quantity.unit}, expected one of time, frequency, size or bit rate')
