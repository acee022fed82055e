#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Draws the include graph and refuses each arrow that the table ARROWS in wscript does not allow, and each that it allows in vain; refuses a name that two
files define, which one program must not link: arrows.py [FOLDER]"""

import ast
import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'\s*#\s*include\s*[<"]([^>"]+)[>"]')
PARTS = 'model', 'scenarios', 'calibrate', 'plots'
NS3_TESTS = 'test/model/ns3/', 'test/agreement/', 'test/bench/', 'test/cli/recipes/'   # other tests, and main(), see every room, and not ns-3


def read_table(wscript):
    """From each room to the rooms that it may see."""
    for statement in ast.parse(wscript.read_text()).body:
        if isinstance(statement, ast.Assign) and statement.targets[0].id == 'ARROWS':
            return {room: set(seen.split()) for room, seen in ast.literal_eval(statement.value).items()}
    sys.exit(f'{wscript}: no table ARROWS, expected one line a room')


def sources(top, part):
    return sorted(path for path in (top / part).rglob('*') if path.suffix in ('.cc', '.h'))


def includes(file):
    for number, line in enumerate(file.read_text().splitlines(), 1):
        include = INCLUDE.match(line)
        if include:
            yield number, line.strip(), 'ns3' if include[1].startswith('ns3/') else include[1].rpartition('/')[0]


def forbidden(top, table):
    unused = {room: set(seen) for room, seen in table.items()}
    rooms = set()
    for file in (path for part in PARTS for path in sources(top, part)):
        name, room = file.relative_to(top).as_posix(), file.relative_to(top).parent.as_posix()
        if room not in table:
            yield f'{name}: {room} is no room of ARROWS in wscript, expected a line for it'
            continue
        rooms.add(room)
        for number, line, seen in includes(file):
            unused[room].discard(seen)
            if seen != room and seen not in table[room] and (seen in table or seen == 'ns3'):
                allowed = ', '.join(sorted(table[room])) or 'no other room'
                yield f'{name}:{number}: {line}: forbidden arrow {room} -> {seen}, expected {allowed} (ARROWS in wscript)'
    for room in sorted(table):
        if room not in rooms:
            yield f'wscript: ARROWS: {room}: found no source there, expected no line for it'
        elif unused[room]:
            yield f'wscript: ARROWS: {room}: found {", ".join(sorted(unused[room]))}, which it does not include, expected what it does'
    for file in sorted(top.glob('*.cc')) + sources(top, 'test'):
        name = file.relative_to(top).as_posix()
        for number, line, seen in includes(file):
            if seen == 'ns3' and not name.startswith(NS3_TESTS):
                yield f'{name}:{number}: {line}: ns-3 belongs to model/ns3/'


TYPE = re.compile(r'(?:struct|class|enum class|enum|union) (\w+)(?: final)?(?: : [^;]*)? \{')   # at the margin, where clang-format puts what a namespace holds
INLINE = re.compile(r'(?:inline|constexpr) [^={]*?(\w+\([^{;=]*\))(?: const)?(?: noexcept)?\s*[{;]')


def twins(top):
    """Types of one name, and inline functions of one name and parameters, that two files of the program define in the same namespace outside of an anonymous one."""
    defined = {}
    for file in (path for part in PARTS for path in sources(top, part)):
        namespaces = []
        for number, line in enumerate(file.read_text().splitlines(), 1):
            opened = re.match(r'(?:inline )?namespace ?([\w:]*) ?\{', line)
            if opened:
                namespaces.append(opened[1])
            elif re.match(r'\}  // namespace', line):
                namespaces.pop()
            elif '' not in namespaces:
                found = TYPE.match(line) or INLINE.match(line)
                if found:
                    name, place = '::'.join([*namespaces, found[1]]), f'{file.relative_to(top).as_posix()}:{number}'
                    if name in defined and defined[name].rpartition(':')[0] != place.rpartition(':')[0]:
                        yield f'{place}: {name}: found a second definition beside that of {defined[name]}, expected another name'
                    defined.setdefault(name, place)


if __name__ == '__main__':
    top = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent
    found = [*forbidden(top, read_table(top / 'wscript')), *twins(top)]
    sys.exit('\n'.join(found) if found else 0)
