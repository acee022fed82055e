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


def size(text):
    number, unit = split(text)
    return [('SizeUnit', unit if unit in ('frames', 'cells') else 'bytes'), ('Size', number if unit in ('frames', 'cells') else count_bytes(text))]


def resume(text):
    return text.replace(' ', '') if text.endswith('%') else count_bytes(text) + 'B'


def one(name, translate=str):
    return lambda value: [(name, translate(value))]


# Keys that the catalogue has, as attributes.
TRANSLATED = {
    'latency': one('Latency', lambda text: text.replace(' ', '')),
    'queueing': one('Queueing'),
    'input_fifo': one('InputFifo', lambda text: count_bytes(text) + 'B'),
    'cut_through': one('CutThrough', lambda value: str(value).lower()),
    'buffer.sharing': one('Sharing'),
    'buffer.size': size,
    'buffer.cell': one('Cell', count_bytes),
    'buffer.cell_header': one('CellHeader', count_bytes),
    'buffer.descriptors': one('Descriptors'),
    'buffer.descriptors_resume': one('DescriptorsResume', resume),
    'buffer.resume': one('Resume', resume),
    'buffer.accounting': one('Accounting'),
    'buffer.reserved': one('Reserved', count_bytes),
    'buffer.queues': one('Queues'),
    'buffer.slices': one('Slices'),
    'buffer.alpha': one('Alpha', lambda value: str(float(Fraction(str(value))))),
}
UNKNOWN = {'latency': 'Latency', 'buffer.sharing': 'Sharing', 'buffer.size': 'Size', 'buffer.cell': 'Cell', 'buffer.cell_header': 'CellHeader', 'buffer.alpha': 'Alpha'}


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
        if key == 'buffer.reserved' and value.endswith(' cells'):
            value = f'{int(split(value)[0]) * int(count_bytes(settings["buffer.cell"]))} B'
        if key not in TRANSLATED:
            raise SystemExit(f'{file}: switch.{key}: model/ns3/models.py does not know which Attribute this is')
        if value == 'unknown':
            unknown.append(UNKNOWN[key])
        else:
            values += TRANSLATED[key](value)
    return file.stem, values, unknown


def source(folder):
    """C++ that defines watershed_switch_models()."""
    lines = ['// SPDX-License-Identifier: GPL-2.0-only', '// Made of scenarios/switches/ by model/ns3/models.py.',
             '#include "model/ns3/core/watershed-switch-models.h"', '', 'namespace watershed {', '',
             'const std::vector<WatershedSwitchModel>& watershed_switch_models() {', '    static const std::vector<WatershedSwitchModel> all{']
    for name, values, unknown in map(model, sorted(Path(folder).glob('*.toml'))):
        pairs = ', '.join(f'{{"{attribute}", "{text}"}}' for attribute, text in values)
        names = ', '.join(f'"{attribute}"' for attribute in unknown)
        lines.append(f'        {{"{name}", {{{pairs}}}, {{{names}}}}},')
    return '\n'.join(lines + ['    };', '    return all;', '}', '', '}  // namespace watershed', ''])
