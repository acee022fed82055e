# SPDX-License-Identifier: GPL-2.0-only
"""Runs the program watershed, which does all the work."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import warnings
from typing import Any, Iterator, Sequence, Tuple

from .progress import shown_progress


class WatershedError(Exception):
    """The program failed; the message is the program's."""


class WrongInput(WatershedError, ValueError):
    """Something is wrong with the scenario, the table or an argument; the message names it, and what was expected."""


class WatershedWarning(UserWarning):
    """A doubt of the program about its input."""


def program_path() -> str:
    """The program: what the variable WATERSHED names, else the one in this package, else the one on the PATH."""
    packed = pathlib.Path(__file__).parent / 'bin' / 'watershed'
    found = os.environ.get('WATERSHED') or (str(packed) if packed.exists() else shutil.which('watershed'))
    if not found:
        raise WatershedError('the program watershed was not found; expected in this package, on the PATH, or named by the variable WATERSHED')
    return found


def run_program(*words: str) -> str:
    """Runs the program and shows its progress. What it says of doubts becomes warnings.

    An interrupt (Ctrl-C, or "interrupt" of a notebook) also ends the program and the processes it started.

    :returns: its standard output
    :raises WrongInput: if it finds its input wrong
    :raises WatershedError: if it fails for another reason
    """
    # A terminal of its own, for on none the program tells no progress; a session of its own, so that it can be ended with all its processes.
    ours, theirs = _terminal()
    try:
        process = subprocess.Popen([program_path(), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs, start_new_session=True)
    except OSError as error:
        os.close(ours)
        raise WatershedError(f'{program_path()}: {error.strerror}') from error
    finally:
        os.close(theirs)
    assert process.stdout is not None
    output: list[bytes] = []
    reader = threading.Thread(target=lambda stream: output.append(stream.read()), args=(process.stdout,), daemon=True)
    reader.start()
    try:
        said = list(_listen(ours))
        status = process.wait()
    except BaseException:
        _end(process)
        raise
    finally:
        reader.join()
        process.stdout.close()
        os.close(ours)
    return _outcome(status, output[0].decode(), said)


def run_for_json(*words: str) -> Tuple[Any, str]:
    """Runs a command that has --json. :returns: the result, and the report for people"""
    with tempfile.TemporaryDirectory(prefix='watershed-') as folder:
        result = pathlib.Path(folder) / 'result.json'
        report = run_program(*words, '--json', str(result))
        return json.loads(result.read_text()), report


def main() -> None:
    """The command `watershed`: becomes the program."""
    path = program_path()
    os.execv(path, [path, *sys.argv[1:]])


def _terminal() -> Tuple[int, int]:
    """Our end and the program's; a pipe, and no progress, where the system has no terminals to give."""
    try:
        return os.openpty()
    except OSError:
        return os.pipe()


def _listen(terminal: int) -> Iterator[str]:
    """Words of the program on its terminal, line by line, without its progress, which is shown meanwhile."""
    rest = ''
    with shown_progress() as show:
        while True:
            try:
                some = os.read(terminal, 4096)
            except OSError:   # the other end is closed
                break
            if not some:
                break
            *whole, rest = re.split('[\r\n]+', rest + some.decode(errors='replace'))
            for line in whole + [rest]:
                if line.startswith('\033[K'):
                    show(line[3:])
            yield from (line for line in whole if line and not line.startswith('\033[K'))
    if rest and not rest.startswith('\033[K'):
        yield rest


def _end(process: subprocess.Popen[bytes]) -> None:
    for number in signal.SIGINT, signal.SIGKILL:
        try:
            os.killpg(process.pid, number)
            process.wait(timeout=2)
            return
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


def _outcome(status: int, output: str, said: Sequence[str]) -> str:
    errors = [line[len('error: '):] for line in said if line.startswith('error: ')]
    for line in said:
        if line.startswith('warning: '):
            warnings.warn(line[len('warning: '):], WatershedWarning, stacklevel=5)
    if status == 0:
        return output
    if status < 0:
        raise WatershedError(f'the program was ended by {signal.Signals(-status).name}')
    message = errors[-1] if errors else f'the program ended with status {status}'
    raise (WrongInput if status == 2 else WatershedError)(message)
