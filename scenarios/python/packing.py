# SPDX-License-Identifier: GPL-2.0-only
"""Packs the Python package: module, program, scenarios and catalogue in one wheel. ./waf wheel calls pack(); pip calls build_wheel(), which runs ./waf wheel."""

import base64
import hashlib
import os
import pathlib
import platform
import shutil
import subprocess
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Function of a build backend that pip calls (PEP 517). @return the name of the wheel in wheel_directory"""
    subprocess.run([ROOT / 'waf', 'configure', 'wheel'], check=True)
    wheel, = (ROOT / 'build').glob('watershed-*.whl')
    shutil.copy(wheel, wheel_directory)
    return wheel.name


def pack(folder, version, program, scenarios, linked):
    """Writes the wheel.
    @param folder     where to
    @param program    built without ns-3, needs nothing but the C library that it was built with
    @param scenarios  paths of the files of scenarios/ that go with it, seen from there
    @param linked     Debian packages of the libraries in the program, whose licences go with it
    @return the wheel's path"""
    project = tomllib.loads((ROOT / 'pyproject.toml').read_text(encoding='utf-8'))['project']
    name = project['name']
    # By the C library of the machine that builds: the program may need any symbol that this has.
    tag = f'py3-none-manylinux_{os.confstr("CS_GNU_LIBC_VERSION").split()[1].replace(".", "_")}_{platform.machine()}'
    information = f'{name}-{version}.dist-info'
    module = ROOT / 'scenarios/python' / name

    files = {f'{name}/{file.name}': file.read_bytes() for file in sorted(module.glob('*.py'))}
    files[f'{name}/py.typed'] = b''
    files[f'{name}/bin/{name}'] = pathlib.Path(program).read_bytes()
    for path in sorted(scenarios):
        files[f'{name}/scenarios/{path}'] = (ROOT / 'scenarios' / path).read_bytes()
    files[f'{information}/LICENSE'] = (ROOT / 'LICENSE').read_bytes()
    for package, licence in licences(linked).items():
        files[f'{information}/licenses/{package}'] = licence
    files[f'{information}/METADATA'] = metadata(project, version).encode()
    files[f'{information}/WHEEL'] = f'Wheel-Version: 1.0\nGenerator: watershed {version}\nRoot-Is-Purelib: false\nTag: {tag}\n'.encode()
    scripts = ''.join(f'{script} = {function}\n' for script, function in project['scripts'].items())
    files[f'{information}/entry_points.txt'] = f'[console_scripts]\n{scripts}'.encode()
    record = f'{information}/RECORD'
    files[record] = ''.join(record_line(path, content) for path, content in files.items()).encode() + f'{record},,\n'.encode()

    wheel = pathlib.Path(folder) / f'{name}-{version}-{tag}.whl'
    for old in wheel.parent.glob(f'{name}-*.whl'):
        old.unlink()
    with zipfile.ZipFile(wheel, 'w', zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path)   # dated 1980, so that the same content is the same wheel
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if path == f'{name}/bin/{name}' else 0o100644) << 16
            archive.writestr(entry, content)
    return wheel


def licences(packages):
    """@return what Debian says of the copyright of these packages, as bytes"""
    there = {package: pathlib.Path('/usr/share/doc') / package / 'copyright' for package in sorted(packages)}
    return {package: licence.read_bytes() for package, licence in there.items() if licence.exists()}


def copyright_of_all(packages):
    """@return the licence of this program, then those of the libraries of which parts are in it, as one text"""
    parts = [(ROOT / 'LICENSE').read_bytes()]
    for package, licence in licences(packages).items():
        parts.append(f'{"-" * 80}\nOf {package}, parts of which are in the program:\n\n'.encode() + licence)
    return b'\n'.join(parts)


def metadata(project, version):
    lines = ['Metadata-Version: 2.1', f'Name: {project["name"]}', f'Version: {version}', f'Summary: {project["description"]}', f'License: {project["license"]["text"]}',
             f'Requires-Python: {project["requires-python"]}', *(f'Requires-Dist: {need}' for need in project['dependencies'])]
    for extra, needs in project['optional-dependencies'].items():
        lines += [f'Provides-Extra: {extra}', *(f'Requires-Dist: {need}; extra == "{extra}"' for need in needs)]
    readme = (ROOT / project['readme']).read_text(encoding='utf-8')
    return '\n'.join(lines + ['Description-Content-Type: text/markdown', '', readme])


def record_line(path, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b'=').decode()
    return f'{path},sha256={digest},{len(content)}\n'
