# SPDX-License-Identifier: GPL-2.0-only
"""How watershed is built, tested and installed. Started by ./waf, which explains the commands.

The rooms are collected from their folders, so a new source file needs no word here. Each room knows the rooms
before it in ROOMS; only model/ns3/ knows ns-3, and only the library that `watershed` loads and `test-ns3` link it. Waf takes a function with a
docstring for a command, so helpers have comments.
"""

import importlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time

from waflib import Build, Configure, Context, Options, Task, TaskGen

APPNAME = 'watershed'
VERSION = '0.1.0'

top = '.'
out = 'build'

ROOMS = ['model', 'scenarios', 'calibrate', 'plots']
BUSIEST_FIRST = ['model', 'calibrate', 'scenarios', 'plots']  # as they are linked
FOLDERS_SOURCE = 'scenarios/catalogue/scenario-folders.cc'
RANKS_SOURCES = {True: 'scenarios/sweep/ranks-mpi.cc', False: 'scenarios/sweep/ranks-none.cc'}  # with and without MPI
NS3_SOURCES = ['model/ns3/**', 'test/model/ns3/**', 'test/agreement/**', 'test/bench/**']
NS3_TREE_SOURCES = ['model/ns3/examples/**', 'model/ns3/test/**', 'model/ns3/tables/**']  # built in an ns-3 tree, or for its module
FUZZER_SOURCE = 'test/fuzz/fuzzer.cc'
# Rooms that each room may see, and does; test/arrows.py holds the include graph to it. A system sees base only, a switch no server, network or system,
# the posterior no fit, and nothing sees commands.
ARROWS = {
    'model/base': '',
    'model/frontend': 'model/base',
    'model/switch': 'model/base model/frontend',
    'model/switch/policies': 'model/base model/switch',
    'model/server': 'model/base model/frontend',
    'model/network': 'model/base model/frontend model/switch model/server',
    'model/exact': 'model/base model/frontend model/switch model/server model/network',
    'model/fill': 'model/base model/network model/switch',
    'model/risk': 'model/base model/frontend model/switch model/network model/exact',
    'model/calculus': 'model/base',
    'model/guarantee': 'model/base model/frontend model/switch model/network model/exact',
    'model/udpmon': 'model/base',
    'model/ipbus': 'model/base',
    'model/ejfat': 'model/base',
    'model/roce': 'model/base',
    'model': 'model/network',
    'model/ns3/base': 'ns3 model/base model/switch',
    'model/ns3/frame': 'ns3 model/base model/frontend model/switch',
    'model/ns3/device': 'ns3 model/base model/frontend model/switch model/ns3/base model/ns3/frame',
    'model/ns3/switch': 'ns3 model/base model/switch model/ns3/base model/ns3/frame model/ns3/device',
    'model/ns3/camera': 'ns3 model/frontend model/switch model/server model/network model/exact model/ns3/base model/ns3/frame model/ns3/device model/ns3/switch',
    'model/ns3/helper': 'ns3 model/frontend model/switch model/network model/exact model/ns3/frame model/ns3/device model/ns3/camera model/ns3/switch',
    'model/ns3/dcqcn': 'ns3 model/base model/ns3/base model/ns3/frame model/ns3/device',
    'model/ns3/udpmon': 'ns3 model/base model/udpmon model/ns3/base model/ns3/frame model/ns3/device model/ns3/helper',
    'model/ns3/ipbus': 'ns3 model/base model/frontend model/ipbus model/ns3/base model/ns3/frame model/ns3/device model/ns3/switch model/ns3/helper',
    'model/ns3/ejfat': 'ns3 model/base model/ejfat model/ns3/base model/ns3/frame model/ns3/device model/ns3/helper',
    'model/ns3/roce': 'ns3 model/base model/frontend model/switch model/roce model/ns3/base model/ns3/frame model/ns3/device model/ns3/switch model/ns3/helper',
    'model/ns3/engine': 'ns3 model/base model/frontend model/switch model/network model/exact model/ns3/base model/ns3/camera model/ns3/device model/ns3/helper',
    'model/ns3/fill': 'ns3 model/base model/exact model/fill model/ns3/base model/ns3/helper',
    'model/ns3/examples': 'ns3',
    'model/ns3/examples/scenario': 'ns3',
    'model/ns3/tables': 'model/ns3/dcqcn model/ns3/device model/ns3/switch',
    'model/ns3/test': 'ns3',
    'scenarios/text': 'model/base',
    'scenarios/keys': 'model model/base model/frontend model/switch model/network scenarios/text',
    'scenarios/catalogue': 'model/base scenarios/text scenarios/keys',
    'scenarios/reader': 'model model/base model/frontend model/switch model/network scenarios/text scenarios/keys scenarios/catalogue',
    'scenarios/sweep': 'model model/base model/frontend model/switch model/network model/exact model/guarantee model/risk scenarios/text',
    'scenarios/run': 'model model/base model/frontend model/network model/exact model/udpmon model/ipbus model/ejfat '
                     'model/roce scenarios/text scenarios/reader',
    'scenarios/design': 'model model/base model/frontend model/network model/exact model/guarantee model/risk scenarios/text scenarios/keys '
                        'scenarios/catalogue scenarios/reader scenarios/sweep scenarios/run',
    'scenarios/validate': 'model/base model/switch model/exact model/fill model/ipbus model/roce scenarios/text scenarios/reader scenarios/sweep scenarios/run scenarios/thresholds',
    'scenarios/thresholds': 'model/base model/fill scenarios/text',
    'scenarios/sonic': 'model/base model/exact scenarios/text',
    'scenarios/calculus': 'model/calculus scenarios/text',
    'scenarios/systems': 'model/base model/udpmon model/ipbus model/ejfat model/roce scenarios/text scenarios/keys scenarios/run scenarios/validate',
    'scenarios/commands': 'model/frontend model/switch model/network model/exact model/risk model/calculus model/guarantee scenarios/text scenarios/keys '
                          'scenarios/catalogue scenarios/reader scenarios/sweep scenarios/run scenarios/design '
                          'scenarios/validate scenarios/thresholds scenarios/sonic scenarios/calculus',
    'calibrate/closed-form': 'model model/base scenarios/text scenarios/reader',
    'calibrate/posterior': 'model/base calibrate/closed-form',
    'calibrate/posterior/nuisance': 'calibrate/posterior',
    'calibrate/absorption': 'model/base scenarios/text calibrate/posterior',
    'calibrate/fit': 'scenarios/text calibrate/posterior calibrate/absorption',
    'calibrate/advice': 'model model/base model/exact scenarios/text calibrate/posterior calibrate/fit',
    'calibrate/report': 'scenarios/text calibrate/absorption calibrate/fit',
    'calibrate/thresholds': 'model/base scenarios/text calibrate/posterior',
    'calibrate/ingest': 'model/base scenarios/text',
    'calibrate/measure': 'model/base scenarios/text calibrate/closed-form calibrate/fit calibrate/advice',
    'calibrate/instrument': 'model/base scenarios/text calibrate/advice calibrate/measure',
    'calibrate/commands': 'model/base scenarios/text scenarios/reader scenarios/sweep scenarios/validate calibrate/closed-form '
                          'calibrate/fit calibrate/advice calibrate/report calibrate/ingest calibrate/measure calibrate/instrument calibrate/thresholds',
    'plots/style': 'scenarios/text',
    'plots/figures': 'model model/base model/frontend model/ipbus model/network scenarios/text scenarios/run scenarios/design plots/style',
    'plots/page': 'scenarios/text scenarios/design scenarios/validate plots/figures',
    'plots/studio': 'model/base model/frontend model/exact scenarios/text scenarios/keys scenarios/reader plots/page',
    'plots/commands': 'scenarios/text scenarios/reader scenarios/catalogue plots/style plots/figures plots/page plots/studio',
}

# Name of each part in `use`: the Debian package that brings it, and how to see that it is there.
LIBRARIES = {
    # By name, since the pkg-config files of Debian's ns-3 ask for libraries that its package does not bring.
    'NS3': dict(package='libns3-dev', header_name='ns3/simulator.h', lib=['ns3-flow-monitor', 'ns3-bridge', 'ns3-internet', 'ns3-network', 'ns3-core']),
    'BOOST': dict(package='libboost-dev', header_name='boost/version.hpp'),
    'EIGEN': dict(package='libeigen3-dev', header_name='Eigen/Core', cxxflags=['-isystem/usr/include/eigen3']),
    # The shared library spares each file that includes it three seconds of compilation.
    'TOML': dict(package='libtomlplusplus-dev', header_name='toml++/toml.h', lib=['tomlplusplus'],
                 defines=['TOML_HEADER_ONLY=0', 'TOML_SHARED_LIB=1']),
    'SQLITECPP': dict(package='libsqlitecpp-dev libsqlite3-dev', header_name='SQLiteCpp/SQLiteCpp.h', lib=['SQLiteCpp', 'sqlite3', 'pthread', 'dl']),
    'PCAP': dict(package='libpcap-dev', header_name='pcap/pcap.h', lib=['pcap']),
    'CLI11': dict(package='libcli11-dev', header_name='CLI/Version.hpp'),
    'JSON': dict(package='nlohmann-json3-dev', header_name='nlohmann/json_fwd.hpp'),
    'GNUPLOT_IOSTREAM': dict(package='libgnuplot-iostream-dev libboost-iostreams-dev libboost-system-dev libboost-filesystem-dev',
                             header_name='gnuplot-iostream.h', lib=['boost_iostreams', 'boost_system', 'boost_filesystem']),
    # Version 2 or 3, as test/catch.h sees it.
    'CATCH': dict(package='catch2', fragment='''#if !__has_include(<catch2/catch_all.hpp>) && !__has_include(<catch2/catch.hpp>)
#error
#endif
int main() {}
'''),
    'RAPIDCHECK': dict(package='librapidcheck-dev', header_name='rapidcheck.h', lib=['rapidcheck']),
}
# Does without: maps and boundaries on one machine need no MPI.
MPI = dict(package='libboost-mpi-dev openmpi-bin', header_name='boost/mpi.hpp', lib=['boost_mpi', 'boost_serialization', 'mpi'],
           defines=['OMPI_SKIP_MPICXX', 'MPICH_SKIP_MPICXX'])  # the C++ bindings, which MPI has given up
# Draws the page of `studio`; a program that is built without it has all other commands.
D3 = dict(package='node-d3', script='/usr/share/nodejs/d3/dist/d3.min.js', licence='/usr/share/doc/node-d3/copyright')
# The same as static libraries, for a program that needs none of them where it runs. Its TOML library is compiled with it. libpcap wants the message bus
# only to find devices to capture from, which is never asked: without these two entries its table of devices has none of the bus.
STATIC_LIBRARIES = ['SQLiteCpp', 'sqlite3', 'pcap', 'boost_iostreams', 'boost_system', 'boost_filesystem']
STATIC_LINKFLAGS = ['-static-libstdc++', '-static-libgcc', '-Wl,--defsym=dbus_create=0', '-Wl,--defsym=dbus_findalldevs=0']
# Libraries that tests need beside the libraries of what they test.
TEST_LIBRARIES = {'ns3': ['ns3-traffic-control']}
# Parts of the rooms that are compiled on their own, and the libraries that these need.
APART = ['folders', 'ranks', 'MPI']
# For objects that are linked into the shared library, and as they are into programs.
SHAREABLE = ['-fPIC', '-fno-semantic-interposition']
# For a program that shows the library which it loads what it has.
SHOWN = ['-rdynamic']
MODEL_LIBRARIES = ['BOOST']
# The reader of scenario files is in the library for simulations of others, too.
READER = ['scenarios/text', 'scenarios/keys', 'scenarios/catalogue', 'scenarios/reader']
RARE_COLLECTION = ['--param=ggc-min-heapsize=1000000', '--param=ggc-min-expand=1000']
# Sources of a folder that are compiled as one unit, at most, and tests, which take more memory.
BATCH, TESTS = 50, 10
# Tests that wait for the clock most of their time: they begin first, and others run beside them.
WAITING = ['measure-test']
# Tests of calibrate/fit are two programs of their own, which take as long as all others of calibrate/: these, and the rest.
FEATURES = ['candidates-test.cc', 'diagnosis-test.cc', 'feature-fit-test.cc', 'kinds-with-features-test.cc']
HARDENED_LINK = ['-Wl,-z,relro,-z,now']
# For builds without optimization, and beside sanitizers, which look themselves.
NOT_FORTIFIED = ['-U_FORTIFY_SOURCE']
# In the engines, which read no input and would take up to half as many instructions more for a frame.
NOT_GUARDED = ['-fno-stack-protector']
# The folders where the program spends its time have -O2, the others -O1, which takes less to compile.
BUSY = ['model', 'calibrate/absorption', 'calibrate/closed-form', 'calibrate/posterior']
ROOM_LIBRARIES = MODEL_LIBRARIES + ['EIGEN', 'TOML', 'SQLITECPP', 'PCAP', 'CLI11', 'JSON', 'GNUPLOT_IOSTREAM']

# Pages that `watershed manual` writes about the program, and where they belong under PREFIX/share.
MANUAL = [('watershed.1', 'man', 'man/man1'), ('watershed', 'bash', 'bash-completion/completions'), ('_watershed', 'zsh', 'zsh/site-functions'),
          ('reference.md', 'markdown', 'doc/watershed')]

SCENARIO_FILES = '**/*.toml data/** profiles/**'

Configure.autoconfig = 'clobber'  # a changed wscript configures again, with the options of the last time


def options(opt):
    opt.load('compiler_cxx')
    opt.add_option('--sanitize', action='store_true', help='build and run under ASan and UBSan, in build/sanitize/')
    opt.add_option('--build', action='store_true', help='with bench: which units and headers take longest to compile, instead of the benchmarks')
    opt.add_option('--instructions', action='store_true', help='with bench: only how many instructions a frame takes, as callgrind counts them')
    opt.add_option('--apart', action='store_true', help='compile each source file alone, not some of a folder as one unit')
    opt.add_option('--limit', type=float, help='with check: seconds of a processor, or twice as many by the clock, after which a test program is ended [default: 900; with --sanitize 3000]')
    opt.add_option('--seconds', type=int, default=60, help='with fuzz: how long to search for an input that breaks a reader, for each [default: 60]')


def init(ctx):
    if ctx.options.sanitize:
        Build.BuildContext.variant = 'sanitize'


def configure(conf):
    conf.load('compiler_cxx')
    if not conf.options.libdir:
        conf.env.LIBDIR = f'{conf.env.PREFIX}/lib'  # Debian's linker looks there, lib64 it does not know
    conf.env.AS_TOLD = any(flag.startswith('-O') for flag in conf.env.CXXFLAGS)
    # Before the user's own CXXFLAGS, which thus win.
    standard = find_standard(conf)
    conf.env.CXX_STANDARD_FEATURE = standard.replace('-std=c++', 'cxx_std_')
    conf.env.prepend_value('CXXFLAGS', [standard, '-O2', '-Wall', '-Wextra', '-Wshadow', '-Wconversion'])
    # A unit takes 1 GB at most: to look for what can be freed would take a tenth of the time.
    if conf.check_cxx(cxxflags=RARE_COLLECTION, msg='Checking for a collector that can wait', mandatory=False):
        conf.env.append_value('CXXFLAGS', RARE_COLLECTION)
    conf.multicheck(*(
        dict(test, features='cxx cxxprogram', uselib_store=name, define_name='', msg=f'... {name}',
             errmsg=f'not found; it is in Debian as {test["package"]}') for name, test in LIBRARIES.items()),
        msg='Checking for libraries', run_all_tests=True)
    conf.check_cxx(lib='Catch2', uselib_store='CATCH', mandatory=False, msg='Checking for the library of Catch2 3', errmsg='no; Catch2 2 has none')
    # Else the linker drops the ns-3 modules that are reached through TypeId names alone.
    conf.env.LINKFLAGS_NS3 = ['-Wl,--no-as-needed']

    find_mpi(conf)
    if not os.path.exists(D3['script']):
        conf.msg('d3 for the page of studio', f'no; all else works without (Debian: {D3["package"]})', color='YELLOW')
    conf.find_program('gnuplot', errmsg='not found (Debian: gnuplot-nox)')
    conf.find_program('dot', errmsg='not found (Debian: graphviz)')
    for terminal in 'svg', 'pdfcairo', 'pngcairo':
        if subprocess.call(conf.env.GNUPLOT + ['-e', f'set terminal {terminal}'], stdout=subprocess.DEVNULL):
            conf.fatal(f'this gnuplot has no terminal {terminal}; Debian has it in gnuplot-nox')

    # As Debian builds: a write beyond an array ends the program, and tables that lead elsewhere cannot be written to.
    for flags in ['-fstack-protector-strong'], ['-U_FORTIFY_SOURCE', '-D_FORTIFY_SOURCE=2']:
        if conf.check_cxx(cxxflags=flags, define_name='', msg=f'Checking for {flags[-1]}', mandatory=False):
            conf.env.append_value('CXXFLAGS', flags)
    if conf.check_cxx(linkflags=HARDENED_LINK, define_name='', features='cxx cxxprogram', msg='Checking for tables that are read-only', mandatory=False):
        conf.env.append_value('LINKFLAGS', HARDENED_LINK)
    conf.env.append_value('DEFINES', f'WATERSHED_VERSION="{VERSION}"')
    # Seen from the folder of the program: where ./waf install and the Debian package put them, and where the wheel does.
    conf.env.DEFINES_INSTALLED = ['WATERSHED_INSTALLED_SCENARIOS="../share/watershed/scenarios"']
    conf.env.DEFINES_IN_WHEEL = ['WATERSHED_INSTALLED_SCENARIOS="../scenarios"']
    conf.env.DEFINES_FOLDERS = conf.env.DEFINES_INSTALLED + [f'WATERSHED_SOURCE_SCENARIOS="{conf.path.find_dir("scenarios").abspath()}"']
    plain, sanitizers = conf.env, ['-fsanitize=address,undefined', '-fno-sanitize-recover=all']
    conf.setenv('sanitize', plain.derive())
    conf.env.append_value('CXXFLAGS', sanitizers + NOT_FORTIFIED + ['-g', '-O1', '-fno-omit-frame-pointer'])
    conf.env.append_value('LINKFLAGS', sanitizers)
    conf.setenv('fuzz', plain.derive())
    conf.env.append_value('CXXFLAGS', sanitizers + NOT_FORTIFIED + ['-g', '-O1', '-fno-omit-frame-pointer', '-fsanitize=fuzzer-no-link'])
    conf.env.append_value('LINKFLAGS', sanitizers)
    find_fuzzer(conf)


def find_fuzzer(conf):
    conf.find_program(['clang++', 'clang++-14', 'clang++-19'], var='CLANG', mandatory=False)
    if conf.env.CLANG:
        conf.env.CXX = conf.env.LINK_CXX = conf.env.CLANG
        conf.env.LINKFLAGS_FUZZER = ['-fsanitize=fuzzer']
        conf.env.FUZZER = conf.check_cxx(fragment='extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }\n', use='FUZZER',
                                         features='cxx cxxprogram', mandatory=False, msg='Checking for libFuzzer')
    if not conf.env.FUZZER:
        conf.msg('Fuzzing', 'no; all else works without (Debian: clang-14 libclang-rt-14-dev)', color='YELLOW')


# The sources are C++17. ns-3 3.37 cannot be compiled as a later one, and ns-3 3.43 not as an earlier one than C++20.
def find_standard(conf):
    for standard in '-std=c++17', '-std=c++20':
        if conf.check_cxx(header_name=LIBRARIES['NS3']['header_name'], cxxflags=standard, features='cxx', define_name='', mandatory=False,
                          msg=f'Checking for ns-3 with {standard}'):
            return standard
    return '-std=c++17'  # the check of libraries says what is missing


def find_mpi(conf):
    conf.find_program('mpicxx', mandatory=False)
    if conf.env.MPICXX:
        # The compiler wrapper knows where the headers are: Open MPI's by one option, MPICH's by the other.
        for option in '--showme:compile', '-compile_info':
            told = subprocess.run(conf.env.MPICXX + [option], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding='utf-8')
            if not told.returncode:
                folders = [word[2:] for word in told.stdout.split() if word.startswith('-I')]
                conf.env.MPI = conf.check_cxx(**MPI, cxxflags=[f'-isystem{folder}' for folder in folders], uselib_store='MPI', define_name='',
                                              mandatory=False, msg='Checking for MPI', features='cxx cxxprogram')
                break
    if not conf.env.MPI:
        conf.msg('MPI for many machines', f'no; all else works without (Debian: {MPI["package"]})', color='YELLOW')


def build(bld):
    build_program(bld)
    build_library(bld)
    install_documents(bld, 'watershed')


def build_program(bld):
    compile_rooms(bld)
    # Alone, so that a compiler cache serves every checkout with all other files.
    bld.objects(target='folders', source=FOLDERS_SOURCE, includes='.', use='FOLDERS')
    bld.objects(target='ranks', source=RANKS_SOURCES[bool(bld.env.MPI)], includes='.', use='MPI')
    compile_ns3(bld)
    link_program(bld, 'watershed', APART)


# The program, and the library that it loads once something is simulated in ns-3: to start that takes longer than most exact runs. The library takes the
# model from the program, which shows it therefore; it lies beside it, or where it is installed.
def link_program(bld, target, parts):
    folder = f'{bld.env.LIBDIR}/watershed'
    library = bld(features='cxx cxxshlib listed', target=f'{target}-ns3', source='watershed-ns3.cc', includes='.', cxxflags=SHAREABLE + optimisation(bld, 'watershed-ns3.cc'),
                  use=['model-ns3', 'NS3'] + MODEL_LIBRARIES, install_path=folder)
    library.env.cxxshlib_PATTERN = '%s.so'
    bld(features='cxx cxxprogram listed loads', target=target, source='watershed.cc', includes='.', cxxflags=optimisation(bld, 'watershed.cc'), loads=library,
        defines=[f'WATERSHED_NS3_LIBRARY="{os.path.relpath(f"{folder}/watershed-ns3.so", bld.env.BINDIR)}"'], linkflags=SHOWN, use=BUSIEST_FIRST + parts + ROOM_LIBRARIES)


@TaskGen.feature('loads')
@TaskGen.after_method('apply_link')
def link_loaded(self):
    self.loads.post()
    self.loaded_task = self.loads.link_task


# Parts of which the program and its library are linked: test/cli/recipes-test links them once more, with new objects before these.
@TaskGen.feature('listed')
@TaskGen.after_method('process_use', 'propagate_uselib_vars')
def list_objects(self):
    words = [*self.env.LINKFLAGS, *(node.abspath() for node in self.link_task.inputs), *(f'-l{name}' for name in self.env.LIB)]
    write_if_new(self.bld, f'{self.target}.link', '\n'.join(words))


def compile_rooms(bld):
    refuse_arrows(bld)
    compile_room(bld, 'model', sources(bld, 'model'), cxxflags=SHAREABLE + NOT_GUARDED, use=MODEL_LIBRARIES)
    for room in ROOMS[1:]:
        compile_room(bld, room, sources(bld, room), use=ROOM_LIBRARIES)
    compile_counters(bld)
    compile_studio_page(bld)


# The files of the page of `studio`, and the library that draws on it, are parts of the program.
def compile_studio_page(bld):
    types = {'.html': 'text/html; charset=utf-8', '.css': 'text/css', '.js': 'text/javascript', '.txt': 'text/plain; charset=utf-8'}
    page = bld.path.find_dir('plots/studio/page')
    files = {'/': page.find_node('index.html'), **{f'/{node.name}': node for node in page.ant_glob('*.css *.js')},
             '/d3.min.js': bld.root.find_node(D3['script']), '/d3-licence.txt': bld.root.find_node(D3['licence'])}
    entries = [f'{{"{path}", "{types[os.path.splitext(node.name)[1] or ".txt"]}", {literal(node.read(encoding="utf-8"))}}}' for path, node in files.items() if all(files.values())]
    text = '#include "plots/studio/studio-server.h"\nconst std::vector<watershed::StudioFile> watershed::kStudioFiles{\n' + ',\n'.join(entries) + '};\n'
    bld.objects(target='studio-files', source=[write_if_new(bld, 'plots/studio/studio-files.cc', text)], includes='.', cxxflags=['-O0'])
    bld.get_tgen_by_name('plots').use.append('studio-files')


# A string of C++; a compiler takes no piece of more than 64 kB for granted.
def literal(text):
    return '\n'.join(f'R"studio({text[i:i + 60000]})studio"' for i in range(0, len(text), 60000)) or '""'


# The table of counters' names is a part of the program.
def compile_counters(bld):
    table = bld.path.find_node('calibrate/ingest/counters.csv').read(encoding='utf-8')
    text = f'#include "calibrate/ingest/counter-names.h"\nconst std::string_view watershed::kCounterTable{{R"csv({table})csv"}};\n'
    bld.objects(target='counters', source=[write_if_new(bld, 'calibrate/ingest/counter-table.cc', text)], includes='.', cxxflags=['-O0'])
    bld.get_tgen_by_name('calibrate').use.append('counters')


def compile_ns3(bld):
    models = write_if_new(bld, 'model/ns3/switch/watershed-switch-models.cc', from_folder(bld, 'model/ns3', 'models').source(bld.path.find_dir('scenarios/switches').abspath()))
    bld.objects(target='models', source=[models], includes='.', cxxflags=SHAREABLE + ['-O0'] + NOT_FORTIFIED)
    # With logs, as Debian compiles ns-3: its own libraries call ns3::ParameterLogger, which only logs do.
    compile_room(bld, 'model-ns3', bld.path.ant_glob('model/ns3/**/*.cc', excl=NS3_TREE_SOURCES), cxxflags=SHAREABLE + NOT_GUARDED, use=['NS3'] + MODEL_LIBRARIES,
                 defines=['NS3_LOG_ENABLE', 'NS3_ASSERT_ENABLE'])
    bld.get_tgen_by_name('model-ns3').use.append('models')


# A module that waf shares with ns-3's module, or with a test.
def from_folder(bld, folder, name):
    import importlib
    folder = bld.path.find_dir(folder).abspath()
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return importlib.import_module(name)


# The manual, the scenarios, and documents to read.
def install_documents(bld, program):
    for target, format, folder in MANUAL:
        bld(rule=f'${{SRC[0].abspath()}} manual --format {format} > ${{TGT}}', source=bld.bldnode.find_or_declare(program), target=f'manual/{target}')
        bld.install_files(f'${{PREFIX}}/share/{folder}', bld.bldnode.find_or_declare(f'manual/{target}'))

    scenarios = bld.path.find_dir('scenarios')
    bld.install_files('${PREFIX}/share/watershed/scenarios', scenarios.ant_glob(SCENARIO_FILES), cwd=scenarios, relative_trick=True)
    bld.install_files('${PREFIX}/share/doc/watershed', bld.path.ant_glob('README.md CHANGELOG.md LICENSE'))
    bld.install_files('${PREFIX}/share/doc/watershed/ns3', bld.path.ant_glob('model/ns3/*.md'))


# The model and its ns-3 objects for simulations of others, who include <ns3/watershed-switch-helper.h> as from an ns-3 tree.
def build_library(bld):
    compatible = VERSION.rpartition('.')[0]
    scenarios = os.path.relpath(f'{bld.env.PREFIX}/share/watershed/scenarios', bld.env.LIBDIR)
    library = bld(features='cxx cxxshlib with_beside', target='lib/watershed', name='library', vnum=VERSION, cnum=compatible, install_path='${LIBDIR}',
                  source='watershed-scenario.cc', includes='.', defines=[f'WATERSHED_INSTALLED_SCENARIOS="{scenarios}"'], cxxflags=SHAREABLE + optimisation(bld, 'watershed-scenario.cc'),
                  use=['model', 'model-ns3', 'TOML', 'JSON'] + [f'scenarios: {folder}' for folder in READER])

    module = from_folder(bld, 'model/ns3', 'export')
    headers = [bld.path.find_node(name) for name in sorted(module.closure(pathlib.Path(bld.path.abspath()), module.PUBLIC + ['model/ns3/helper/watershed-scenario.h']))]
    forwarding = [bld.bldnode.find_or_declare(f'include/ns3/{os.path.basename(module.place(header.path_from(bld.path)))}') for header in headers]
    forwarders = bld(rule=forward_headers, forwarded=headers, target=forwarding + [bld.bldnode.find_or_declare('include/ns3/watershed-module.h')], install_path='${PREFIX}/include/watershed/ns3')
    library.beside = [forwarders, bld.install_files('${PREFIX}/include/watershed', headers, relative_trick=True)]

    for name, folder in ('watershed.pc', 'pkgconfig'), ('watershed-config.cmake', 'cmake/watershed'), ('watershed-config-version.cmake', 'cmake/watershed'):
        library.beside.append(bld(
            features='subst', source=f'model/ns3/{name}.in', target=f'lib/{folder}/{name}', install_path=f'${{LIBDIR}}/{folder}',
            VERSION=VERSION, COMPATIBLE_VERSION=compatible, CXX_STANDARD_FEATURE=bld.env.CXX_STANDARD_FEATURE,
            PREFIX_FROM_PKGCONFIG=os.path.relpath(bld.env.PREFIX, f'{bld.env.LIBDIR}/pkgconfig'),
            PREFIX_FROM_CMAKE=os.path.relpath(bld.env.PREFIX, f'{bld.env.LIBDIR}/cmake/watershed')))


# The headers and other files of the library are there with it, also where --targets asks for the library alone.
@TaskGen.feature('with_beside')
def post_beside(self):
    for each in self.beside:
        each.post()


def forward_headers(task):
    every = [f'#include "{header.path_from(task.generator.path)}"\n' for header in task.generator.forwarded]
    for header, line in zip(task.outputs, every):
        header.write(line)
    task.outputs[-1].write(''.join(every))


# Most of the time a compiler reads headers, which the files of a folder share: so they are compiled as one unit. What a source keeps to itself must
# have a name that no other source of its unit has. A test may have any.
def compile_room(bld, room, files, cxxflags=[], **how):
    units = {}
    for file in files:
        units.setdefault(file.parent.path_from(bld.path), []).append(file)
    for unit, files in units.items():
        most = TESTS if unit.startswith('test') else BATCH
        parts = files if bld.options.apart else [join(bld, files[i:i + most]) for i in range(0, len(files), most)]
        shareable = SHAREABLE if unit in READER else []
        bld.objects(target=f'{room}: {unit}', source=parts, includes='.', cxxflags=cxxflags + shareable + optimisation(bld, unit), **how)
    # The linker keeps the first copy of a function that several units bring along, which thus is an optimised one.
    bld(target=room, use=[f'{room}: {unit}' for unit in sorted(units, key=lambda unit: optimisation(bld, unit) != [])])


# Tests that are in no namespace get one.
def has_namespace_of_its_own(folder, file):
    return folder.startswith('test') and not re.search('^namespace watershed', file.read(encoding='utf-8'), re.M)


# A source that includes the files; those that get a namespace do so after all headers have been read outside of it.
def join(bld, files):
    headers, bodies = {}, []
    for file in files:
        path = file.path_from(bld.path)
        include = f'#include "{path}"\n'
        if has_namespace_of_its_own(path, file):
            headers.update(dict.fromkeys(re.findall('^#include .*\n', file.read(encoding='utf-8'), re.M)))
            include = f'namespace {re.sub("[^a-z0-9]", "_", os.path.splitext(path)[0])} {{\n{include}}}\n'
        bodies.append(include)
    return write_if_new(bld, f'{os.path.splitext(files[0].path_from(bld.path))[0]}-unit.cc', ''.join(headers) + ''.join(bodies))


# Files that waf itself makes before it builds.
def write_if_new(bld, name, text):
    file = bld.bldnode.find_or_declare(name)
    if not os.path.exists(file.abspath()) or file.read(encoding='utf-8') != text:
        file.write(text, encoding='utf-8')
    return file


def optimisation(bld, folder):
    def among(rooms):
        return any(folder == room or folder.startswith(f'{room}/') for room in rooms)

    return [] if bld.env.AS_TOLD or among(BUSY) else ['-O1']


def sources(bld, folder):
    return bld.path.ant_glob(f'{folder}/**/*.cc', excl=NS3_SOURCES + [FUZZER_SOURCE, FOLDERS_SOURCE, *RANKS_SOURCES.values()])


# Headers of all rooms, and of ns-3, lie where every compilation finds them; this keeps each in its room all the same.
def refuse_arrows(bld):
    done = subprocess.run([sys.executable, bld.path.find_node('test/arrows.py').abspath()], stderr=subprocess.PIPE, encoding='utf-8')
    if done.returncode:
        bld.fatal(done.stderr.rstrip())


class Wheel(Build.BuildContext):
    """builds a Python package, which holds the program without ns-3 and needs no libraries; build/watershed-VERSION-….whl"""
    cmd = fun = 'wheel'


def wheel(bld):
    compile_rooms(bld)
    build_wheel(bld)


def build_wheel(bld):
    bld.objects(target='folders-in-wheel', source=FOLDERS_SOURCE, includes='.', use='IN_WHEEL')
    bld.objects(target='no-ranks', source=RANKS_SOURCES[False], includes='.')
    implementation = bld.bldnode.find_or_declare('wheel/toml.cc')
    implementation.write('#define TOML_IMPLEMENTATION\n#include <toml++/toml.h>\n')
    bld.objects(target='toml', source=[implementation], defines=LIBRARIES['TOML']['defines'])
    bld.program(target='wheel/watershed', source='watershed.cc', includes='.', install_path=None, use=BUSIEST_FIRST + ['folders-in-wheel', 'no-ranks', 'toml'],
                stlib=STATIC_LIBRARIES, linkflags=STATIC_LINKFLAGS)
    bld.add_post_fun(pack_wheel)


def packing(bld):
    sys.path.insert(0, bld.path.find_dir('scenarios/python').abspath())
    return importlib.import_module('packing')


# Debian packages of the libraries of which parts are in the program, by headers alone among them.
def linked_packages(*without):
    return {package for name, library in LIBRARIES.items() if name not in ('CATCH', 'RAPIDCHECK', *without) for package in library['package'].split()} | {'libstdc++6'}


def pack_wheel(bld):
    folder = bld.path.find_dir('scenarios')
    wheel = packing(bld).pack(bld.bldnode.abspath(), VERSION, program(bld, 'wheel/watershed'), [file.path_from(folder) for file in folder.ant_glob(SCENARIO_FILES)],
                              linked_packages('NS3'))
    print(f'{os.path.relpath(wheel, bld.path.abspath())}: {wheel.stat().st_size / 1e6:.1f} MB; to install it: pip install {wheel.name}')


class Notebooks(Wheel):
    """builds the Python package, installs it in a fresh virtual environment, with what it needs from PyPI, and runs the notebooks there"""
    cmd = fun = 'notebooks'


def notebooks(bld):
    wheel(bld)
    bld.add_post_fun(run_notebooks)


def run_notebooks(bld):
    if subprocess.call([bld.path.find_node('test/notebooks/run').abspath(), bld.bldnode.abspath(), bld.path.find_dir('scenarios/python/notebooks').abspath()]):
        bld.fatal('the notebooks failed')


class Deb(Build.InstallContext):
    """builds a package for the Debian release that this is, build/watershed_VERSION_….deb"""
    cmd = fun = 'deb'


def deb(bld):
    for tool, package in ('dpkg-shlibdeps', 'dpkg-dev'), ('dpkg-deb', 'dpkg'):
        if not shutil.which(tool):
            bld.fatal(f'{tool} was not found; it is in Debian as {package}')
    bld.env.PREFIX, bld.env.BINDIR, bld.env.LIBDIR = '/usr', '/usr/bin', '/usr/lib'
    root = bld.bldnode.make_node('deb/debian/watershed')   # dpkg-shlibdeps expects it there
    shutil.rmtree(root.abspath(), ignore_errors=True)
    bld.options.destdir = root.abspath()
    compile_rooms(bld)
    compile_ns3(bld)
    bld.objects(target='folders-in-package', source=FOLDERS_SOURCE, includes='.', use='INSTALLED')
    bld.objects(target='ranks', source=RANKS_SOURCES[bool(bld.env.MPI)], includes='.', use='MPI')
    link_program(bld, 'deb/watershed', ['folders-in-package', 'ranks', 'MPI'])
    install_documents(bld, 'deb/watershed')
    licences = bld.bldnode.make_node('deb/copyright')
    licences.parent.mkdir()
    licences.write(packing(bld).copyright_of_all(linked_packages()), 'wb')
    bld.install_as('${PREFIX}/share/doc/watershed/copyright', licences)
    bld.add_post_fun(pack_deb)


def pack_deb(bld):
    folder = bld.bldnode.find_dir('deb').abspath()
    root = f'{folder}/debian/watershed'
    os.makedirs(f'{root}/usr/share/zsh/vendor-completions')   # Debian's zsh looks there
    os.rename(f'{root}/usr/share/zsh/site-functions/_watershed', f'{root}/usr/share/zsh/vendor-completions/_watershed')
    os.rmdir(f'{root}/usr/share/zsh/site-functions')
    binaries = [f'{root}/usr/bin/watershed', f'{root}/usr/lib/watershed/watershed-ns3.so']
    subprocess.run(['strip', *binaries], check=True)
    with open(f'{folder}/debian/control', 'w') as control:   # dpkg-shlibdeps wants to see it
        control.write('Source: watershed\n\nPackage: watershed\nArchitecture: any\n')
    needs = subprocess.run(['dpkg-shlibdeps', '--warnings=0', '-O', *binaries], cwd=folder, stdout=subprocess.PIPE, encoding='utf-8', check=True).stdout
    architecture = subprocess.run(['dpkg', '--print-architecture'], stdout=subprocess.PIPE, encoding='utf-8', check=True).stdout.strip()
    os.makedirs(f'{root}/DEBIAN')
    with open(f'{root}/DEBIAN/control', 'w') as control:
        control.write(f'Package: watershed\nVersion: {VERSION}\nArchitecture: {architecture}\nSection: science\nPriority: optional\n'
                      f'Maintainer: watershed <watershed@localhost>\n'
                      f'Depends: {needs.strip().replace("shlibs:Depends=", "")}\nRecommends: gnuplot-nox, graphviz, libnetcdf22 | libnetcdf19\n'
                      'Description: where the event builder of a camera begins to lose frames\n'
                      ' Will this Ethernet switch lose events, and how deep is its buffer really?\n'
                      ' Simulates bursts of events at switches in ns-3 and in an exact engine, fits\n'
                      ' the depth of buffers to measured losses, and explores which switch to buy.\n')
    package = f'{bld.bldnode.abspath()}/watershed_{VERSION}_{architecture}.deb'
    subprocess.run(['dpkg-deb', '--root-owner-group', '--build', root, package], check=True)
    print(f'to install it, as root: apt-get install ./{os.path.relpath(package, bld.path.abspath())}')


class Ns3Module(Build.BuildContext):
    """./waf ns3-module DIR writes a contributed module of ns-3 into DIR, contrib/watershed of an ns-3 tree"""
    cmd, fun = 'ns3-module', 'ns3_module'

    def __init__(self, **how):
        super().__init__(**how)
        if not Options.commands:
            self.fatal('./waf ns3-module DIR: expected the folder of the module, contrib/watershed of an ns-3 tree')
        self.folder = os.path.join(Context.launch_dir, Options.commands.pop(0))


def ns3_module(bld):
    compile_rooms(bld)
    compile_ns3(bld)
    bld.program(target='ns3-tables', source='model/ns3/tables/print-tables.cc', includes='.', install_path=None, use=['model', 'model-ns3', 'NS3'])
    bld.add_post_fun(write_ns3_module)


def write_ns3_module(bld):
    tables = subprocess.run([program(bld, 'ns3-tables')], stdout=subprocess.PIPE, encoding='utf-8', check=True).stdout
    models = bld.bldnode.find_node('model/ns3/switch/watershed-switch-models.cc').read(encoding='utf-8')
    formatted = from_folder(bld, 'model/ns3', 'export').export(bld.path.abspath(), bld.folder, models, tables)
    print(f'{bld.folder}: ' + (f'{formatted} files in the format of ns-3' if formatted else 'not in the format of ns-3, whose tree or clang-format is not there'))


class Demo(Build.BuildContext):
    """builds the program and runs the main job, which leaves its figures and tables in build/demo/"""
    cmd = fun = 'demo'


def demo(bld):
    build_program(bld)
    bld.add_post_fun(run_demo)


def run_demo(bld):
    folder = bld.bldnode.make_node('demo')
    folder.mkdir()
    status = subprocess.call([bld.path.find_node('scenarios/demo').abspath(), program(bld), folder.abspath()], cwd=bld.path.abspath())
    if status:
        bld.fatal(f'the demo failed: exit status {status}')


class Check(Build.BuildContext):
    """builds everything and runs every test"""
    cmd = fun = 'check'


def check(bld):
    build(bld)
    bld.objects(target='catch-main', source='test/main.cc', includes='.', cxxflags=['-O0'] + NOT_FORTIFIED)  # 8 s instead of 22 s
    for name, files, parts in test_programs(bld):
        if files:
            compile_room(bld, f'test-{name} sources', files, use=['CATCH', 'RAPIDCHECK', 'NS3'] + ROOM_LIBRARIES)
            bld(target=f'test-{name}', features='cxx cxxprogram test', install_path=None,
                use=sorted(parts, key=(BUSIEST_FIRST + parts).index) + [f'test-{name} sources', 'catch-main', 'CATCH', 'RAPIDCHECK'] + ROOM_LIBRARIES, lib=TEST_LIBRARIES.get(name, []))
    if tests_all(bld) and not bld.variant:
        build_wheel(bld)
    build_examples(bld)
    for script in executables(bld, 'test/cli'):
        bld(name=f'cli/{script.name}', features='test', script=script)
    bld.add_post_fun(test_installed)
    bld.add_post_fun(report)


# As their users compile them, for test/cli/ns3-examples-test.
def build_examples(bld):
    for name, source in example_programs(bld).items():
        bld.program(target=name, source=[source], includes=['.', 'include'], cxxflags=['-O0'] + NOT_FORTIFIED, install_path=None,
                    use=['model', 'model-ns3', 'NS3'] + MODEL_LIBRARIES, lib=['ns3-applications', 'ns3-csma', 'ns3-traffic-control'])


def example_programs(bld):
    return {f'examples/{os.path.splitext(source.name)[0]}': source for source in bld.path.ant_glob('model/ns3/examples/*.cc')}


# Name, sources and parts of each test program: one for a folder of test/, and one for all that needs ns-3.
def test_programs(bld):
    for folder in bld.path.ant_glob('test/*', src=False, dir=True, excl='test/bench test/cli'):
        known = ROOMS[:ROOMS.index(folder.name) + 1] if folder.name in ROOMS else ROOMS
        files = sources(bld, f'test/{folder.name}')
        fits = [file for file in files if file.parent.name == 'fit']
        features = [file for file in fits if file.name in FEATURES]
        yield folder.name, [file for file in files if file not in fits], known + APART
        for name, some in ('features', features), ('fits', [file for file in fits if file not in features]):
            if some:
                yield name, some + [file for file in files if file.parent == folder], known + APART
    yield 'ns3', bld.path.ant_glob('test/model/ns3/**/*.cc test/agreement/**/*.cc'), ROOMS + APART + ['model-ns3', 'NS3']


@TaskGen.feature('test')
@TaskGen.after_method('apply_link')
def make_test(self):
    script = getattr(self, 'script', None)
    task = self.create_task('Test', script or self.link_task.outputs[0])
    if waits(task.inputs[0]):
        task.weight = 1e6   # ahead of all that can be compiled
    if script:
        watershed = self.bld.get_tgen_by_name('watershed')
        watershed.post()
        for linked in watershed.link_task, watershed.loaded_task:
            task.set_run_after(linked)
    if script and script.name == 'ns3-examples-test':
        for name in example_programs(self.bld):
            example = self.bld.get_tgen_by_name(name)
            example.post()
            task.set_run_after(example.link_task)


class Test(Task.Task):
    """Runs a test program, one room of Catch2 cases, or a script, which is one case; `report` tells the outcome."""
    color = 'PINK'
    always_run = True
    outcomes = []
    beside = []

    def keyword(self):
        return 'Testing'

    def run(self):
        what = self.generator.bld, self.generator.name, self.inputs[0], hasattr(self.generator, 'script')
        if not waits(self.inputs[0]):
            return self.take(*what)
        thread = threading.Thread(target=self.take, args=what, daemon=True)   # a thread of its own takes no job from others
        thread.start()
        self.beside.append(thread)

    @classmethod
    def take(cls, bld, name, file, is_script):
        began = time.monotonic()
        arguments = [] if is_script else ['--warn', 'NoAssertions']
        limit = bld.options.limit or (3000 if bld.variant else 900)
        status, output = from_folder(bld, 'test', 'limited').run([file.abspath()] + arguments, limit, cwd=bld.bldnode.abspath(), env=test_environment(bld))
        passed, failed = (1, 0) if is_script else count_cases(output)
        if status != 0 and not failed:  # a script, or a program that was killed or stopped by a sanitizer
            passed, failed = passed - is_script, 1
            output += f'{name} was ended after {limit:g} s' if status is None else f'exit status {status}'
        cls.outcomes.append((name, passed, failed, time.monotonic() - began, output))


# Whether a test takes no job from others: it is on time beside them if it may go ahead of them, as test/cli/measure-test does.
def waits(test):
    return test.name in WAITING and not subprocess.call(['chrt', '--rr', '1', 'true'], stderr=subprocess.DEVNULL)


# Random tests draw the same cases in every check, so that one tree has one outcome; RC_PARAMS="seed=…" draws others.
def test_environment(bld):
    return dict({'RC_PARAMS': 'seed=1', **os.environ}, WATERSHED=program(bld), WATERSHED_SOURCE=bld.path.abspath(), UBSAN_OPTIONS='print_stacktrace=1',
                WATERSHED_INSTALL=f'./waf install {"--sanitize" if bld.variant else ""}', CXX=' '.join(bld.env.CXX),
                CXXFLAGS=' '.join(bld.env.CXXFLAGS), LDFLAGS=' '.join(bld.env.LINKFLAGS))


# Files that ./waf install leaves; it is another run of waf, which can begin once this one has built all and noted that. Two such runs come one after the other.
def test_installed(bld):
    def take(scripts):
        for script in scripts:
            Test.take(bld, f'install/{script.name}', script, is_script=True)

    if tests_all(bld):
        scripts = executables(bld, 'test/install')
        with_waf = [script for script in scripts if 'WATERSHED_INSTALL' in script.read()]
        others = threading.Thread(target=take, args=[[script for script in scripts if script not in with_waf]], daemon=True)
        others.start()
        take(with_waf)
        others.join()


def tests_all(bld):
    return bld.targets in ('', '*')


# Passed and failed test cases, from the last words of a Catch2 program.
def count_cases(output):
    all_passed = re.findall(r'^All tests passed \(.* in (\d+) test cases?\)$', output, re.M)
    if all_passed:
        return int(all_passed[-1]), 0
    mixed = re.findall(r'^test cases: +(\d+) \|(?:.* (\d+) failed(?! as expected))?', output, re.M)
    cases, failed = (int(number or 0) for number in mixed[-1]) if mixed else (0, 0)
    return cases - failed, failed


def report(bld):
    for thread in Test.beside:
        thread.join()
    outcomes = sorted(Test.outcomes)
    for name, passed, failed, seconds, output in outcomes:
        if failed:
            print(f'\n---- {name}\n{output.rstrip()}\n')
    for name, passed, failed, seconds, output in outcomes:
        print(f'{name:24} {passed:4} passed {failed:4} failed {seconds:7.1f} s')
        for skipped in re.findall('^SKIPPED.*', output, re.M):
            print(f'    {skipped}')
    print('the slowest:')
    for name, passed, failed, seconds, output in sorted(outcomes, key=lambda outcome: outcome[3], reverse=True)[:10]:
        print(f'{name:24} {seconds:7.1f} s')
    passed, failed = total()
    if failed or not passed:
        print(f'{passed} passed, {failed} failed')
        sys.exit(1)


def total():
    return tuple(sum(outcome[i] for outcome in Test.outcomes) for i in (1, 2))


def shutdown(ctx):
    """The closing line of a successful `check`, after everything that waf itself has to say."""
    if Test.outcomes:
        print('{} passed, {} failed'.format(*total()))


class Bench(Build.BuildContext):
    """builds and runs the benchmarks: each source of test/bench/ is a program, each executable file a script"""
    cmd = fun = 'bench'


def bench(bld):
    build(bld)
    if bld.options.build:
        bld.add_post_fun(time_compiler)
        return
    compile_room(bld, 'study', bld.path.ant_glob('test/calibrate/study/*.cc', excl='**/*-test.cc'), use=ROOM_LIBRARIES)
    for source in benchmarks(bld):
        if bld.options.instructions and source.name not in COUNTED:
            continue
        bld.program(target=benchmark_name(source), source=[source], includes='.', install_path=None,
                    use=['study'] * (source.name == 'calibration.cc') + ROOMS + APART + ['model-ns3', 'NS3'] + ROOM_LIBRARIES, lib=['ns3-point-to-point', 'ns3-traffic-control', 'ns3-csma', 'ns3-bridge'])
    bld.add_post_fun(run_benchmarks)


# Compiles each unit of the program once more, alone, and each header by itself: ten of both, the slowest first.
def time_compiler(bld):
    units = [task for group in bld.groups for generator in group for task in getattr(generator, 'compiled_tasks', [])]
    seconds = {task.inputs[0].path_from(bld.path): time_of(task.run) for task in units}
    print_slowest('units', seconds, {})
    includes = [re.findall('^#include (["<].*[">])', file.read(encoding='utf-8'), re.M) for file in bld.path.ant_glob([f'{room}/**/*.cc' for room in ROOMS])]
    times = {name: sum(name in each for each in includes) for name in sorted(set(sum(includes, [])))}
    flags = bld.env.CXXFLAGS + [flag for library in ROOM_LIBRARIES for flag in bld.env[f'CXXFLAGS_{library}']]

    def compile_alone(name):
        return subprocess.run(bld.env.CXX + flags + ['-w', '-I.', '-fsyntax-only', '-x', 'c++', '-'], input=f'#include {name}\n', encoding='utf-8',
                              cwd=bld.path.abspath(), stderr=subprocess.DEVNULL).returncode

    print_slowest('headers', {name: time_of(compile_alone, name) for name in times}, times)


# Seconds, or nothing if it fails, as for a header of MPI where there is none.
def time_of(action, *arguments):
    began = time.monotonic()
    return None if action(*arguments) else time.monotonic() - began


def print_slowest(what, seconds, included):
    seconds = {name: taken for name, taken in seconds.items() if taken is not None}
    print(f'{len(seconds)} {what}, {sum(seconds.values()):.0f} s of compilation; the slowest:')
    for name in sorted(seconds, key=seconds.get, reverse=True)[:10]:
        print(f'{seconds[name]:7.1f} s  {name}' + (f', included by {included[name]} sources' if name in included else ''))


def benchmarks(bld):
    return bld.path.ant_glob('test/bench/*.cc')


def benchmark_name(source):
    return f'bench-{os.path.splitext(source.name)[0]}'


# Beside the program, what test/bench/instructions counts.
COUNTED = ['engines.cc', 'bare-loops.cc']


def run_benchmarks(bld):
    if bld.options.instructions:
        return run_benchmark(bld, bld.path.find_node('test/bench/instructions'))
    wanted = bld.targets.split(',') if bld.targets else []
    alone = [source for source in benchmarks(bld) if source.name != 'bare-loops.cc']  # a script calls that one
    programs = [bld.bldnode.make_node(name) for name in map(benchmark_name, alone) if not wanted or name in wanted]
    for benchmark in programs + ([] if wanted else executables(bld, 'test/bench')):
        run_benchmark(bld, benchmark)


def run_benchmark(bld, benchmark):
    print(f'---- {benchmark.name}', flush=True)
    if subprocess.call([benchmark.abspath()], env=test_environment(bld), cwd=bld.bldnode.abspath()):
        bld.fatal(f'{benchmark.name} failed')


class Fuzz(Build.BuildContext):
    """feeds the readers of files with bytes that libFuzzer makes up, under ASan and UBSan, in build/fuzz/; needs clang"""
    cmd = fun = variant = 'fuzz'


# The reader, and where more inputs to begin from lie.
FUZZED = {'scenario': 'scenarios', 'loss-map': 'scenarios/data', 'boundary': 'scenarios/data', 'burst-table': 'scenarios/data', 'trigger-times': None,
          'capture': None, 'list': None, 'studio-request': None}


def fuzz(bld):
    if not bld.env.FUZZER:
        bld.fatal('fuzzing needs clang with libFuzzer (Debian: clang-14 libclang-rt-14-dev); then ./waf configure')
    rooms = ['model', 'scenarios', 'calibrate']
    for room in rooms:
        compile_room(bld, room, sources(bld, room), use=ROOM_LIBRARIES)
    compile_counters(bld)
    bld.objects(target='folders', source=FOLDERS_SOURCE, includes='.', use='FOLDERS')
    bld.program(target='fuzz', source=['test/fuzz/targets.cc', 'plots/studio/studio-request.cc', FUZZER_SOURCE, RANKS_SOURCES[False]], includes='.', install_path=None,
                use=rooms + ['folders', 'FUZZER'] + ROOM_LIBRARIES)
    bld.add_post_fun(run_fuzzer)


def run_fuzzer(bld):
    for reader, more in FUZZED.items():
        print(f'---- {reader}', flush=True)
        found, kept = bld.bldnode.make_node(f'corpus/{reader}'), bld.path.find_dir(f'test/fuzz/corpus/{reader}')
        found.mkdir()
        folders = [found, kept] + ([bld.path.find_dir(more)] if more else [])
        if subprocess.call([bld.bldnode.make_node('fuzz').abspath(), reader, f'-max_total_time={bld.options.seconds}', '-timeout=10', '-print_final_stats=1',
                            '-verbosity=0', f'-artifact_prefix={bld.bldnode.abspath()}/{reader}-'] + [folder.abspath() for folder in folders if folder]):
            bld.fatal(f'{reader}: the input that broke it lies in {bld.bldnode.abspath()}/{reader}-*')


def program(bld, name='watershed'):
    return bld.bldnode.make_node(name).abspath()


def executables(bld, folder):
    return [node for node in bld.path.ant_glob(f'{folder}/*', excl='**/*.cc') if os.access(node.abspath(), os.X_OK)]
