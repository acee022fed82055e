# SPDX-License-Identifier: GPL-2.0-only
"""The commands of the documents, and how they run.

A block of indented lines that begins with `$ ` is a dialogue: each `$ ` begins a command, and all other lines are what it prints. In other
blocks each line that begins with a program or a shell's definition is a command whose output is not shown. `…` stands for what changes from
run to run: within a line for any text, alone on a line for any number of lines, once in an output. Numbers of a fit may be off by a tenth.

The commands between two headings `## ` run one after the other in one bash, in a folder of their own that holds links to the program and the
scenarios, as if it were the top of the tree. Such sections run side by side.
"""

import concurrent.futures
import os
import re
import subprocess
import tempfile
import time
from pathlib import Path

from program import PROGRAM, SOURCE

DOCUMENTS = sorted(path for path in SOURCE.glob('**/*.md') if not {'build', '.git', '.waflib'} & set(path.relative_to(SOURCE).parts))

# Commands that are not run, by their beginning, and why; one that begins with none of these is run, and one that no document has is an error.
NOT_RUN = {
    './waf': 'builds, tests or installs; it is what runs this test',
    'build/watershed measure': 'needs network ports; measure-test runs it',
    'build/watershed studio': 'serves a page until it is ended; studio-test asks it',
    'build/watershed campaign-simulate': 'takes half an hour; campaign-strategies-test plays short campaigns',
    'mpirun': 'MPI is optional; ranks-test runs it',
    './ns3': 'needs the sources of ns-3',
    './test.py': 'needs the sources of ns-3',
    'g++': 'needs the installed library; library-test compiles it',
    'build/bench-stock-traps': 'is built by ./waf bench, and takes minutes',
    'build/bench-calibration': 'is built by ./waf bench, and takes minutes',
    'build/fuzz/fuzz': 'is built by ./waf fuzz',
}

COMMAND = re.compile(r'(\./|build/|test/cli/|watershed |mpirun |srun |git |g\+\+ |apt-get |sudo |[A-Za-z_]+=\S|\w+\(\) \{)')
END = '==== end of command'
LONGEST = 1200   # seconds for a section


class Command:
    def __init__(self, line, text, dialogue):
        self.line, self.text = line, text        # its first line in the document, from 1
        self.shown = [] if dialogue else None    # the lines that it should print, if the document shows them
        self.end = self.last = line              # its last line in the document, without and with its output

    def not_run(self):
        return next((beginning for beginning in NOT_RUN if self.text.startswith(beginning)), None)


class Section:
    """Commands that run in one folder and one bash."""

    def __init__(self, document, heading):
        self.document, self.heading, self.commands = document, heading, []

    def run(self):
        """Returns the output and exit status of each command, and the figures that lie in the folder afterwards."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            furnish(folder)
            self.outcomes, self.seconds = run_in(folder, [command.text for command in self.commands])
            self.figures = {path.name: path.read_text() for path in folder.glob('*.svg')}
        return self


def furnish(folder):
    (folder / 'build').mkdir()
    (folder / 'build/watershed').symlink_to(PROGRAM)
    for part in ('scenarios', 'model', 'calibrate', 'plots', 'test'):
        (folder / part).symlink_to(SOURCE / part)


def run_in(folder, texts):
    """Runs commands in one bash; what each printed with its exit status, and the seconds that all took."""
    began = time.monotonic()
    script = 'watershed() { build/watershed "$@"; }\n' + ''.join(f'{text}\necho "{END} $?"\n' for text in texts)
    try:
        said = subprocess.run(['bash'], input=script, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LONGEST).stdout
    except subprocess.TimeoutExpired as late:   # what came before counts
        said = (late.stdout or b'').decode()
    return re.findall(rf'(.*?){END} (\d+)\n', said, re.S), time.monotonic() - began


def at_once(work, items):
    """The results of work on each item, as many at a time as there are processors for this program."""
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(work, items))


def sections_of(document):
    """The sections of a document that have commands, in their order."""
    sections = [Section(document, '')]
    dialogue = within = False   # within: an indented block, the blank lines between its lines included
    end = None                  # the line that ends a function or a here-document
    for number, line in enumerate(document.read_text().splitlines(), 1):
        commands = sections[-1].commands
        if not line.startswith('    '):
            if line.startswith('## '):
                sections.append(Section(document, line))
            if line:
                within = False
            elif dialogue and within:
                commands[-1].shown.append('')
            continue
        text = line[4:].rstrip()
        if not within:
            within, dialogue = True, text.startswith('$ ')
            text = text.lstrip()   # a block of a list is indented further
        if end or (commands and commands[-1].text.endswith('\\')):   # goes on
            commands[-1].text += '\n' + text
            commands[-1].end = commands[-1].last = number
            end = None if text == end else end
        elif dialogue and not text.startswith('$ '):
            commands[-1].shown.append(text)
            commands[-1].last = number
        elif dialogue or COMMAND.match(text):
            text = text[2:] if dialogue else text
            here = re.search(r'<< (\w+)$', text)
            end = here.group(1) if here else '}' if text.endswith('{') else None
            commands.append(Command(number, text if dialogue or end else re.split(r'\s{3,}', text)[0], dialogue))
    for section in sections:
        for command in section.commands:
            command.shown = command.shown and stripped(command.shown)
    return [section for section in sections if section.commands]


def stripped(lines):
    lines = [line.rstrip() for line in lines]
    while lines and not lines[-1]:
        lines.pop()
    return lines
