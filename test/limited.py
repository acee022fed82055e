# SPDX-License-Identifier: GPL-2.0-only
"""Runs a program for so long at most, and ends with it whatever it has started."""

import atexit
import math
import os
import signal
import subprocess
import tempfile

running = set()   # in groups of their own, which an interrupt at the keyboard does not reach


def end(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


BUSY = 2   # as long as a processor has other work, too


def run(command, seconds, **how):
    """No process of it gets more seconds of a processor, nor all together BUSY times as many by the clock.
    @return its exit status, or None if it had to be ended, and what it wrote"""
    limited = ['sh', '-c', 'ulimit -t "$0"; exec "$@"', str(math.ceil(seconds)), *command]
    with tempfile.TemporaryFile() as output:   # a pipe would stay open as long as anything that it started
        process = subprocess.Popen(limited, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True, **how)
        running.add(process)
        try:
            status = process.wait(BUSY * seconds)
            if status in (-signal.SIGXCPU, -signal.SIGKILL):
                status = None
        except subprocess.TimeoutExpired:
            status = None
            end(process)
            process.wait()
        running.discard(process)
        output.seek(0)
        return status, output.read().decode('utf-8', 'replace')


@atexit.register
def end_all():
    for process in list(running):
        end(process)
