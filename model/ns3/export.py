# SPDX-License-Identifier: GPL-2.0-only
"""Writes the repository of a contributed module of ns-3, all of it made of this tree: what every module has, and what repository/ has texts of."""

import re
import shutil
import subprocess
from pathlib import Path

# Headers that users include; they and the headers that they include are all that is installed. The module is made of these, of what its tests need, and of the
# sources beside them that have no header of their own. The classes behind it, …Impl, have a Time of their own and are in no one's way.
PUBLIC = ['model/ns3/helper/watershed-switch-helper.h', 'model/ns3/helper/watershed-cables.h', 'model/ns3/switch/watershed-flow-probe.h', 'model/ns3/device/watershed-net-device.h',
          'model/ns3/dcqcn/watershed-dcqcn-sender.h', 'model/ns3/dcqcn/watershed-dcqcn-receiver.h', 'model/ns3/switch/watershed-switch.h', 'model/ns3/base/watershed-namespace.h']
TESTS = [f'test/model/ns3/{name}-test.cc' for name in ('dcqcn/watershed-dcqcn', 'dcqcn/watershed-incast', 'dcqcn/watershed-rate-laws', 'device/watershed-net-device', 'frame/watershed-ethernet', 'helper/watershed-switch-helper')]
TESTS += [f'test/model/ns3/switch/watershed-{name}-test.cc' for name in ('flow-probe', 'event-driven-bridge', 'switch-deadlock', 'switch-failures', 'switch-forwarding',
                                                                        'switch-pauses', 'switch-queues', 'switch-topology')]
ONLY_TESTED_WITH = ('model/ns3/test/', 'model/ns3/frame/watershed-udp-frame.')  # beside what is in test/
IN_PLACE = {'test/catch.h': 'model/ns3/test/cases.h'}  # ns-3 has a test runner of its own
INCLUDE = re.compile(r'^#include "((?:model|test)/[^"]+)"', re.M)
SPDX = '// SPDX-License-Identifier: GPL-2.0-only\n'
HIDDEN = '/// @cond IMPLEMENTATION\n', '/// @endcond\n'   # from Doxygen, unless its ENABLED_SECTIONS names it: what no user sees
TEXTS = {'README.md.in': 'README.md', 'CHANGES.md.in': 'CHANGES.md', 'gitlab-ci.yml.in': '.gitlab-ci.yml', 'ns3rc.in': 'ns3rc.example', 'watershed.rst.in': 'doc/watershed.rst'}
FIGURES = 'ns3-incast.svg', 'ns3-headroom.svg'
HEADER = '# SPDX-License-Identifier: GPL-2.0-only\n'


def place(file):
    """Place of a file of this tree. ns-3 puts the headers of all modules in one folder, so each name says whose it is."""
    name = Path(file).name
    if not name.startswith('watershed-'):
        name = f'watershed-{"model-" if file.startswith("model/") else "test-"}{name}'
    folder = 'test' if file in TESTS or file.startswith(('test/', *ONLY_TESTED_WITH)) else 'helper' if name.endswith(('-helper.h', '-helper.cc')) else 'model'
    return f'{folder}/{name}'


def closure(source, roots, with_sources=False):
    """Headers and what they include; with the sources of the same names, and what these include."""
    found, waiting = set(), list(roots)
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting += [IN_PLACE.get(name, name) for name in INCLUDE.findall((source / file).read_text(encoding='utf-8'))]
            if with_sources and file.endswith('.h') and (source / file).with_suffix('.cc').exists():
                waiting.append(str(Path(file).with_suffix('.cc')))
    return found


def hidden(text, is_public):
    """Without what is no interface, for Doxygen: all, or what is private."""
    if is_public:
        return re.sub(r'(\n  private:\n)(.*?)(?=\n};\n)', lambda match: match.group(1) + '    ' + HIDDEN[0] + match.group(2) + '\n    ' + HIDDEN[1].rstrip(), text, flags=re.S)
    before = '#pragma once\n' if '#pragma once\n' in text else SPDX
    return text.replace(before, before + HIDDEN[0], 1).rstrip() + '\n' + HIDDEN[1]


def translated(text, to, exported, owner, is_public=False):
    def include(match):
        target = place(IN_PLACE.get(match.group(1), match.group(1)))
        if Path(target).parent == Path(to).parent:
            return f'#include "{Path(target).name}"'
        return f'#include "ns3/{Path(target).name}"' if match.group(1) in exported else f'#include "../{target}"'
    text = re.sub(r'#include <(ns3/[^>]+)>', r'#include "\1"', INCLUDE.sub(include, hidden(text, is_public)))
    text = text.replace(SPDX, f'/*\n * Copyright (c) 2026 {owner}\n *\n * {SPDX[3:]} *\n * Author: {owner}\n */\n\n', 1)
    if '#pragma once\n' not in text:
        return text
    # A header may be read here and where ns-3 has a copy of it.
    guard = re.sub('[^A-Z0-9]', '_', Path(to).name.upper())
    return text.replace('#pragma once\n', f'#ifndef {guard}\n#define {guard}\n') + f'\n#endif /* {guard} */\n'


def listed(names, indent=4):
    return ''.join(f'{" " * indent}{name}\n' for name in sorted(names))


def examples(source):
    """Name, what it links, and the first lines of its comment, of each example."""
    for file in sorted((source / 'model/ns3/examples').glob('*.cc')):
        text = file.read_text(encoding='utf-8')
        links = sorted(set(re.findall(r'#include <ns3/([a-z-]+)-module\.h>', text)))
        comment = re.match(r'// SPDX[^\n]*\n((?://[^\n]*\n)+)', text).group(1)
        about = ' '.join(line[2:].strip() for line in comment.split('\n//\n')[0].splitlines())
        quick = re.search(r'^// quick: (.*)$', text, re.M)
        yield file, links, about, quick.group(1) if quick else ''


def authors(source):
    return re.findall(r'^ +- name: "(.*)"$', (source / 'CITATION.cff').read_text(encoding='utf-8'), re.M)


def texts(source, tables, about):
    """@return what repository/ names by @NAME@, most of it from the page of this tree about ns-3"""
    page = (source / 'model/ns3/README.md').read_text(encoding='utf-8')
    chapter = {name: text.strip() for name, text in re.findall(r'^## ([^\n]+)\n(.*?)(?=^## |\Z)', page, re.M | re.S)}
    tables_of = {name: re.findall(r'(?:^\|.*\n)+', text + '\n', re.M) for name, text in chapter.items()}
    steps = re.search(r'    cd NS3\n((?:    .*\n)+)', chapter['How to build']).group(1)
    run = [line.strip().replace('./ns3 configure', './ns3 configure -d "$PROFILE"') for line in steps.splitlines() if not line.startswith('    ./ns3 run')]
    seen = chapter['How to build'].index('Seen, in trees')
    lossless = chapter['RoCE hosts']
    rates = next(table for table in tables_of['RoCE hosts'] if table.startswith('| `Law`, parameters'))
    before = lossless[:lossless.index(rates)].strip().rsplit('\n\n', 1)[-1]
    return {
        'HELPER': re.search('(?:^    .*\n)+', page, re.M).group().rstrip(),
        'INTRODUCTION': page[page.index('\n') + 1:page.index('Other pages:')].strip(),
        'COMMANDS': {'README.md': steps.rstrip(), '.gitlab-ci.yml': '\n'.join(f'    - {line}' for line in run)},
        'RELEASES': chapter['How to build'][seen:].split(' ns-3 3.37 of Debian')[0],
        'TAGS': ', '.join(f'ns-3.{release}' for release in sorted(set(re.findall(r'^\| 3\.(\d+), C', page, re.M)))),
        'MODULES': re.search(r'--enable-modules=(\S+)', steps).group(1).replace(',', ' '),
        'VERSION': re.search(r'^version: "(.*)"', (source / 'CITATION.cff').read_text(encoding='utf-8'), re.M).group(1),
        'TABLES': tables,
        'ROCE': before.replace('`', '``') + '\n\n' + in_rst(rates),
        'EXAMPLES': {'README.md': chapter['Examples'].replace('model/ns3/examples/', 'examples/'), 'doc/watershed.rst': about}}


def in_rst(table):
    """A table of Markdown."""
    rows = [[cell.strip().replace('`', '``') for cell in line.strip('|').split(' | ')] for line in table.strip().splitlines() if not line.startswith('|---')]
    cells = (('   * - ' if not i else '     - ') + cell for row in rows for i, cell in enumerate(row))
    return '.. list-table::\n   :header-rows: 1\n\n' + '\n'.join(cells)


def filled(text, values, file):
    return re.sub('@([A-Z]+)@', lambda match: value[file] if isinstance(value := values[match.group(1)], dict) else value, text)


def export(source, target, models, tables):
    """@param models, tables  the texts that the build makes: C++ of the catalogue, and tables of attributes"""
    source, target = Path(source), Path(target)
    if target.exists() and any(target.iterdir()) and not (target / 'doc/watershed.rst').exists():
        raise SystemExit(f'{target} is not empty and no module of watershed')
    for there in target.glob('*') if target.exists() else ():   # but what Git keeps of it
        shutil.rmtree(there) if there.is_dir() else there.unlink()
    owner = ', '.join(authors(source))
    for folder in 'model', 'helper', 'examples', 'test', 'doc/figures':
        (target / folder).mkdir(parents=True, exist_ok=True)
    exported = closure(source, PUBLIC)
    folders = {Path(file).parent for file in closure(source, PUBLIC, with_sources=True)}
    parts = {file for folder in folders for file in (source / folder).rglob('*.cc') if not file.with_suffix('.h').exists()}
    roots = PUBLIC + [str(file.relative_to(source)) for file in parts]
    files = sorted(file for file in closure(source, roots + TESTS, with_sources=True) if not place(file).startswith('test/'))
    for_tests = sorted(file for file in closure(source, TESTS, with_sources=True) if place(file).startswith('test/'))
    files += for_tests
    for file in files:
        to = place(file)
        (target / to).write_text(translated((source / file).read_text(encoding='utf-8'), to, exported, owner, file in PUBLIC), encoding='utf-8')
    to = 'model/watershed-switch-models.cc'
    (target / to).write_text(translated(models, to, exported, owner), encoding='utf-8')

    sources = [place(file) for file in files if file.endswith('.cc') and file not in for_tests] + [to]
    all_examples = list(examples(source))
    (target / 'CMakeLists.txt').write_text(
        f'{HEADER}build_lib(\n  LIBNAME watershed\n  SOURCE_FILES\n{listed(sources)}  HEADER_FILES\n{listed(map(place, exported))}'
        '  LIBRARIES_TO_LINK\n    ${libbridge}\n    ${libflow-monitor}\n    ${libinternet}\n'
        f'  TEST_SOURCES\n{listed(place(file) for file in for_tests if file.endswith(".cc"))})\n')
    lines = [HEADER]
    for file, links, about, quick in all_examples:
        text = file.read_text(encoding='utf-8')
        (target / 'examples' / file.name).write_text(translated(text, 'examples/x', exported, owner, True), encoding='utf-8')
        libraries = ''.join(f'    ${{lib{name}}}\n' for name in ['watershed'] + links)
        lines.append(f'build_lib_example(\n  NAME {file.stem}\n  SOURCE_FILES {file.name}\n  LIBRARIES_TO_LINK\n{libraries})\n')
    (target / 'examples/CMakeLists.txt').write_text('\n'.join(lines))
    in_python = sorted((source / 'model/ns3/examples').glob('*.py'))
    for file in in_python:
        shutil.copy(file, target / 'examples')
    runs = ''.join(f'    ("{f"{file.stem} {quick}".strip()}", "True", "True"),\n' for file, links, about, quick in all_examples)
    python_runs = ''.join(f'    ("{file.name}", "True"),\n' for file in in_python)
    (target / 'test/examples-to-run.py').write_text(f'#! /usr/bin/env python3\n\ncpp_examples = [\n{runs}]\n\npython_examples = [\n{python_runs}]\n')
    described = [f'* ``{file.stem}``: {about}' for file, links, about, quick in all_examples]
    described += [f'* ``{file.name}``: ' + ' '.join(re.search('"""(.*?)\n\n', file.read_text(encoding='utf-8'), re.S).group(1).split()) for file in in_python]
    values = texts(source, tables, '\n'.join(described))
    for name, to in TEXTS.items():
        (target / to).write_text(filled((source / 'model/ns3/repository' / name).read_text(encoding='utf-8'), values, to), encoding='utf-8')
    (target / 'AUTHORS').write_text('\n'.join(authors(source)) + '\n', encoding='utf-8')
    for name in FIGURES:
        shutil.copy(source / 'plots/gallery' / name, target / 'doc/figures')
    for name in 'LICENSE', 'CITATION.cff':
        shutil.copy(source / name, target)
    return format_as(target)


def format_as(target):
    """ns-3's own format, where the module stands in its tree. @return how many files were formatted"""
    tree = target.resolve().parent.parent
    program = next((name for name in ('clang-format', *(f'clang-format-{version}' for version in range(20, 13, -1))) if shutil.which(name)), None)
    if not program or not (tree / '.clang-format').exists():
        return 0
    files = [file for suffix in ('h', 'cc') for file in target.glob(f'*/*.{suffix}')]
    done = subprocess.run([program, '-i', '--style=file', *files], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        print(f'{program} does not read the format of this ns-3: {done.stdout.splitlines()[0]}')
        return 0
    return len(files)
