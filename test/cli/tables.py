# SPDX-License-Identifier: GPL-2.0-only
"""Where a TOML file of the tree sets a key."""

import re


def lines_of_key(lines, key):
    """Numbers of the lines of a TOML file that set a key."""
    table, found = '', []
    for number, line in enumerate(lines):
        if re.match(r'\[[\w.]+\]', line):
            table = line.strip()[1:-1] + '.'
        elif re.match(r'\w+ *=', line) and table + line.split('=')[0].strip() == key:
            found.append(number)
    return found
