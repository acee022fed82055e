# SPDX-License-Identifier: GPL-2.0-only
"""Common parts of the tests of the command line: the program, its scenarios, and a folder that is gone afterwards."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ.get('WATERSHED_SOURCE', Path(__file__).resolve().parents[2]))
PROGRAM = os.environ.get('WATERSHED', str(SOURCE / 'build/watershed'))
SCENARIOS = SOURCE / 'scenarios'

BURST = '''
[frame]
payload = "1024 B"
[front_end]
modules = 28
link_rate = "1 Gb/s"
[trigger]
pattern = "burst"
separation = "8.72 us"
events = 2
[switch]
uplinks = 1
uplink_rate = "10 Gb/s"
[switch.buffer]
sharing = "shared"
size = "46 frames"
'''


class ProgramTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def write(self, name, text):
        file = self.folder / name
        file.write_text(text)
        return file

    def run_program(self, *words, environment=None):
        return subprocess.run([PROGRAM, *map(str, words)], cwd=self.folder, capture_output=True, text=True, env=environment, timeout=300)   # a busy machine is no failure, a program that hangs is one

    def watershed(self, *words):
        """Standard output of a command that must succeed and say nothing on standard error."""
        done = self.run_program(*words)
        self.assertEqual((done.returncode, done.stderr), (0, ''), words)
        return done.stdout

    def commands(self):
        """The names of all commands."""
        return re.findall(r'^  ([a-z][a-z0-9-]*) {2,}', self.watershed('--help'), re.M)

    def assert_refused(self, *words, names=(), status=2, environment=None):
        """One error line that names all of `names`, nothing on standard output, and no new file."""
        before = sorted(self.folder.iterdir())
        done = self.run_program(*words, environment=environment)
        self.assertEqual(done.returncode, status, (words, done.stderr))
        self.assertEqual(done.stdout, '', words)
        self.assertTrue(done.stderr.startswith('error: '), done.stderr)
        self.assertEqual(done.stderr.count('\n'), 1, done.stderr)
        for name in names:
            self.assertIn(name, done.stderr, words)
        self.assertEqual(sorted(self.folder.iterdir()), before, words)
