# SPDX-License-Identifier: GPL-2.0-only
"""The catalogue of switches, for the Attribute Model of WatershedSwitch: each switch as attributes with their texts."""

import re
import tomllib
from fractions import Fraction
from pathlib import Path

BYTES = {'B': 1, 'kB': 10**3, 'MB': 10**6, 'GB': 10**9, 'KiB': 2**10, 'MiB': 2**20, 'GiB': 2**30}
UNITS = {'b/s': 'bps', 'kb/s': 'kbps', 'Mb/s': 'Mbps', 'Gb/s': 'Gbps'}


def split(text):
    number, unit = re.fullmatch(r'([0-9.]+) (\S+)', text).groups()
    return number, unit


def count_bytes(text):
    number, unit = split(text)
    return str(round(float(number) * BYTES[unit]))


def attribute(key):
    """A key's last part in CamelCase, as WatershedSwitch calls it."""
    return ''.join(word.capitalize() for word in key.split('.')[-1].split('_'))


def values_of(key, value):
    """The attributes that a key sets, each with its text."""
    name = attribute(key)
    if key == 'buffer.size':
        number, unit = split(value)
        return [('SizeUnit', unit if unit in ('frames', 'cells') else 'bytes'), (name, number if unit in ('frames', 'cells') else count_bytes(value))]
    if key == 'buffer.alpha':
        return [(name, str(float(Fraction(str(value)))))]
    if key in ('buffer.cell', 'buffer.cell_header'):
        return [(name, count_bytes(value))]
    if isinstance(value, list):
        return [(name, ','.join(text for each in value for _, text in values_of(key, each)))]
    if isinstance(value, str) and value.split()[-1] in BYTES:
        return [(name, count_bytes(value) + 'B')]
    return [(name, value.replace(' ', '') if isinstance(value, str) else str(value).lower())]


def flat(table, prefix=''):
    for name, value in table.items():
        if isinstance(value, dict) and 'value' not in value:
            yield from flat(value, f'{prefix}{name}.')
        else:
            yield prefix + name, value['value'] if isinstance(value, dict) else value


def model(file):
    table = tomllib.loads(file.read_text(encoding='utf-8'))
    values, unknown = [], []
    ports = '+'.join(f'{number}x{"".join(speed.split()[:1])}{UNITS[speed.split()[1]]}' for speed, number in flat(table.get('ports', {})))
    if ports:
        values.append(('Ports', ports))
    settings = dict(flat(table.get('switch', {})))
    for key, value in settings.items():
        if key != 'buffer.size' and isinstance(value, str) and value.endswith(' cells'):
            value = f'{int(split(value)[0]) * int(count_bytes(settings["buffer.cell"]))} B'
        if value == 'unknown':
            unknown.append(attribute(key))
        else:
            values += values_of(key, value)
    return file.stem, values, unknown


def source(folder):
    """C++ that defines watershed_switch_models()."""
    lines = ['// SPDX-License-Identifier: GPL-2.0-only', '// Made of scenarios/switches/ by model/ns3/models.py.',
             '#include "model/ns3/switch/watershed-switch-attributes.h"', '', 'namespace watershed {', '',
             'const std::vector<WatershedSwitchModel>& watershed_switch_models() {', '    static const std::vector<WatershedSwitchModel> all{']
    for name, values, unknown in map(model, sorted(Path(folder).glob('*.toml'))):
        pairs = ', '.join(f'{{"{attribute}", "{text}"}}' for attribute, text in values)
        names = ', '.join(f'"{attribute}"' for attribute in unknown)
        lines.append(f'        {{"{name}", {{{pairs}}}, {{{names}}}}},')
    return '\n'.join(lines + ['    };', '    return all;', '}', '', '}  // namespace watershed', ''])
