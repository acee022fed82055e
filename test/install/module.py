# SPDX-License-Identifier: GPL-2.0-only
"""Promises of the Python module; run where it is installed, with pandas or with numpy alone."""

import os
import pickle
import signal
import tempfile
import threading
import unittest
from pathlib import Path

import numpy
import watershed as ws
from watershed.program import run_program
from watershed.results import number, span
from watershed.tables import names_of

SHALLOW = dict(ports=[28, 28, 28], payload_bytes=[1024] * 3, separation_us=[8.72] * 3, events=[1, 2, 3], frames_sent=[28, 56, 84], frames_received=[28, 56, 60])


class Scenarios(unittest.TestCase):
    def test_a_short_name_is_a_key_of_the_first_table_on_the_way_of_a_frame(self):
        scenario = ws.Scenario('s60-figure4', {'switch.uplinks': 2}, modules=40, separation='20 us', size='300 frames')
        self.assertEqual(scenario.keys, {'switch.uplinks': '2', 'front_end.modules': '40', 'trigger.separation': '20 us', 'switch.buffer.size': '300 frames'})
        self.assertEqual(scenario.changed(modules=41).keys['front_end.modules'], '41')
        self.assertEqual(scenario.keys['front_end.modules'], '40')

    def test_a_scenario_of_tables_is_that_of_the_file_and_survives_pickling(self):
        tables = {'frame': {'payload': '1024 B'}, 'front_end': {'modules': 29, 'link_rate': '1 Gb/s'}, 'trigger': {'pattern': 'burst', 'separation': '8.72 us', 'events': 2},
                  'switch': {'uplinks': 1, 'uplink_rate': '10 Gb/s', 'buffer': {'sharing': 'shared', 'size': '46 frames'}}}
        scenario = ws.Scenario(tables)
        self.assertEqual(scenario.run(engine='exact').frames, {'sent': 58, 'received': 56, 'lost': 2})
        again = pickle.loads(pickle.dumps(scenario.changed(modules=28)))
        del scenario
        self.assertEqual(again.run(engine='exact').frames['lost'], 0)
        self.assertEqual(repr(again), "Scenario('scenario', {'front_end.modules': '28'})")
        lossy = pickle.loads(pickle.dumps(again.changed(modules=29).run(engine='exact')))
        self.assertEqual(lossy.frames['lost'], 2)

    def test_a_run_counts_what_the_program_counts(self):
        # 29 modules, two events at wire speed, memory for 46 frames: two frames are lost, as the README shows.
        run = ws.Scenario('shallow-28-ports', modules=29).run(engine='exact')
        self.assertEqual((run.frames, run.events), ({'sent': 58, 'received': 56, 'lost': 2}, {'sent': 2, 'complete': 1}))
        self.assertEqual([run.losses[name][0] for name in ('where', 'reason', 'frames')], ['switch', 'buffer-full', 2])
        self.assertIn('switch: buffer-full', run._repr_html_())
        self.assertIn('frames lost', repr(run))

    def test_the_watershed_is_a_table_with_nothing_where_no_burst_loses(self):
        table = ws.Scenario('s60-figure4').boundary(['8.72 us', '20 us', '40 us'])
        self.assertEqual([float(separation) for separation in table['separation_us']], [8.72, 20, 40])
        self.assertEqual([int(events) for events in table['events_lossless'][:2]], [9058, 14620])
        self.assertNotEqual(str(table['events_lossless'][2]), '0')
        self.assertNotIn('events_tried', names_of(table))

    # No bound covers this sharing: a burst of the first separation loses, those of the second were tried up to some length.
    def test_the_watershed_tells_what_was_only_tried_from_what_never_loses(self):
        table = ws.Scenario('shallow-28-ports', sharing='longest-queue-drop', size='30 frames').boundary(['1 ns', '1 ms'])
        self.assertEqual(int(table['events_lossless'][0]), 1)
        self.assertNotEqual(str(table['events_lossless'][1]), '0')
        self.assertGreater(int(table['events_tried'][1]), 1)

    def test_a_risk_lies_between_its_bounds(self):
        risk = ws.Scenario('risk-cheap-switch').risk()
        low, high = risk.interval
        self.assertTrue(risk.is_certain and 0.24 < low <= risk.probability <= high < 0.25, (low, risk.probability, high))

    def test_a_size_for_each_number_of_uplinks(self):
        size = ws.Scenario('risk-cheap-switch').size(loss=1e-9, uplinks=[1, 2])
        self.assertEqual([int(frames) for frames in size.points['frames']], [435, 260])


class Tables(unittest.TestCase):
    def test_a_map_goes_into_a_fit_as_it_comes(self):
        camera = ws.Scenario('shallow-28-ports')
        losses = camera.map('8.72us:40us:6', '1:40:10')
        fitted = ws.fit(losses, camera)
        low, high = fitted.depth.hard
        self.assertTrue(low <= fitted.depth.value <= high)
        self.assertIn(fitted.model, list(fitted.models['name']))
        self.assertIn('95 %', repr(fitted))

    def test_a_table_may_be_a_dictionary_an_array_or_a_file(self):
        array = numpy.array(list(zip(*SHALLOW.values())), dtype=[(name, float if name == 'separation_us' else int) for name in SHALLOW])
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / 'map.csv'
            file.write_text('\n'.join([','.join(SHALLOW), *(','.join(map(str, row)) for row in zip(*SHALLOW.values()))]))
            answers = [ws.fit(table, 'shallow-28-ports').json['depth'] for table in (SHALLOW, array, str(file))]
        self.assertEqual(answers[0], answers[1])
        self.assertEqual(answers[0], answers[2])

    def test_draws_of_a_fit_are_a_table_with_the_likelihood_of_each_row(self):
        fitted = ws.fit(SHALLOW, 'shallow-28-ports', prior={'depth': 'lognormal:46 frames:0.5'})
        draws = pickle.loads(pickle.dumps(fitted)).draws
        rows = sum(numpy.array(draws[f'log_likelihood_{row}'], dtype=float) for row in (1, 2, 3))
        self.assertEqual(len(rows), 2000)
        self.assertTrue(numpy.allclose(rows, numpy.array(draws['log_likelihood'], dtype=float), atol=1e-4))
        self.assertIn('depth=lognormal:46 frames:0.5', fitted.priors_given)

    def test_draws_go_to_arviz_where_it_is(self):
        fitted = ws.fit(SHALLOW, 'shallow-28-ports')
        try:
            import arviz
        except ImportError:
            with self.assertRaisesRegex(ImportError, 'the package arviz is not installed'):
                fitted.to_arviz()
            return
        data = fitted.to_arviz()
        self.assertEqual(data['posterior']['depth'].shape, (1, 2000))
        self.assertEqual(data['log_likelihood']['lost'].shape, (1, 2000, 3))
        self.assertEqual([int(lost) for lost in data['observed_data']['lost']], [0, 0, 24])
        self.assertTrue(numpy.isfinite(arviz.loo(data).elpd_loo if hasattr(arviz.loo(data), 'elpd_loo') else arviz.loo(data).elpd))

    def test_advice_begins_without_a_table(self):
        advice = ws.next(scenario='shallow-28-ports')
        self.assertFalse(advice.stop)
        self.assertGreater(int(advice.points['events'][0]), 0)

    def test_the_catalogue_and_the_sources_of_a_switch(self):
        self.assertIn('dell-s60', list(ws.switches(ports=44, speed='1 Gb/s')['switch']))
        self.assertIn('read', list(ws.switch('dell-s60').values['standing']))

    def test_an_exploration_ranks_ways_and_says_why_the_others_are_out(self):
        explored = ws.explore('explore-nectarcam', modules=265, switches=['cisco-4948e', 'dell-s60'])
        self.assertEqual(list(explored.ways['rank']), sorted(explored.ways['rank']))
        self.assertTrue(all(explored.out['reason']))
        self.assertIn('Recommended: 6 x Cisco Catalyst 4948E', repr(explored))
        guaranteed = ws.explore('explore-nectarcam', modules=44, switches=['dell-s60'], guarantee=True)
        self.assertIn('in whatever sequence triggers come', repr(guaranteed))

    def test_proofs_are_the_programs(self):
        shallow = ws.Scenario('shallow-28-ports', modules=29)
        self.assertFalse(ws.bound(shallow).lossless)
        delays = ws.stagger(shallow)
        self.assertTrue(delays.lossless)
        self.assertEqual(shallow.changed(delays.set).run(engine='exact').frames['lost'], 0)
        rules = ws.throttle('risk-cheap-switch').json['rules']
        self.assertTrue(ws.bound(ws.Scenario('risk-cheap-switch', rules[0]['set'])).lossless)

    def test_a_page_has_results_and_figures(self):
        run = ws.Scenario('shallow-28-ports', modules=29).run(engine='exact')
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / 'page.html'
            page = ws.report(run, ws.bound('shallow-28-ports'), output=file)
            self.assertTrue(page == file.read_text())
        self.assertTrue('2 of 58 frames were lost' in page)
        self.assertTrue(page._repr_html_().startswith('<iframe srcdoc="&lt;!DOCTYPE html&gt;'))

    def test_designs_side_by_side_are_what_each_one_is_alone(self):
        camera = ws.Scenario('risk-4mb')
        compared = ws.compare({'one uplink': camera, 'two uplinks': camera.changed(uplinks=2)}, separation='20 us')
        self.assertEqual(list(compared.designs['name']), ['one uplink', 'two uplinks'])
        self.assertEqual(list(compared.designs['uplinks']), [1, 2])
        self.assertEqual(int(compared.designs['events_lossless'][0]), int(camera.boundary('20 us')['events_lossless'][0]))
        self.assertEqual(compared.json['designs'][1]['risk']['bounds'], list(camera.changed(uplinks=2).risk().interval))
        self.assertIn('Smallest risk: two uplinks', ' '.join(compared.best))
        self.assertEqual(float(compared.designs['risk_probability'][0]), compared.json['designs'][0]['risk']['probability'])

    def test_designs_without_names_are_named_by_what_tells_them_apart(self):
        camera = ws.Scenario('risk-4mb', modules=40)
        compared = ws.compare([camera, camera.changed(size='2 MB')])
        self.assertEqual(list(compared.designs['name']), ['risk-4mb', 'risk-4mb, size = 2 MB'])
        with self.assertRaisesRegex(ws.WrongInput, 'expected at least two'):
            ws.compare([camera])


class Figures(unittest.TestCase):
    def test_every_result_that_draws_itself_has_its_units_and_what_was_measured(self):
        try:
            import matplotlib
        except ImportError:
            self.skipTest('matplotlib is not installed')
        matplotlib.use('Agg')
        camera = ws.Scenario('shallow-28-ports')
        losses = camera.map('8.72us:40us:4', '1:40:5')
        burst_plane = 'event separation / µs', 'events in burst'
        for result, labels in ((losses, burst_plane), (camera.boundary('8.72us:20us:4'), burst_plane), (ws.fit(losses, camera), burst_plane), (ws.next(losses, camera), burst_plane),
                               (camera.run(engine='exact'), ('module', 'frames lost')), (ws.Scenario('risk-cheap-switch').size(uplinks=[1, 2]), ('uplinks', 'memory / frames')),
                               (ws.compare(['risk-4mb', 'risk-cheap-switch']), burst_plane),
                               (ws.sensitivity(ws.Scenario('shallow-28-ports')), ('incomplete events / %', '')),
                               (ws.explore('explore-nectarcam', modules=265, switches=['cisco-4948e']), ('interfaces of the server', 'chance that an event is incomplete'))):
            with self.subTest(type(result).__name__):
                ax = result.plot()
                self.assertEqual((ax.get_xlabel(), ax.get_ylabel()), labels)
                ax.figure.canvas.draw()
                matplotlib.pyplot.close(ax.figure)


class Errors(unittest.TestCase):
    def test_an_error_is_an_exception_with_the_programs_message(self):
        with self.assertRaisesRegex(ws.WrongInput, '^--set: front_end.modules: found "x", expected an integer'):
            ws.Scenario('s60-figure4', modules='x').run()
        with self.assertRaisesRegex(ws.WrongInput, '^table: column payload_bytes is missing, found ports$'):
            ws.fit({'ports': [1]})
        with self.assertRaisesRegex(ws.WrongInput, 'nowhere: there is no such file'):
            ws.Scenario('nowhere')
        with self.assertRaisesRegex(ws.WrongInput, '^modulez: found no such key'):
            ws.Scenario('s60-figure4', modulez=3)

    def test_a_fit_of_thresholds_says_that_it_has_no_depth(self):
        fit = ws.fit({'pg': [1, 1], 'quantity': ['pfc_xoff', 'ingress_drop'], 'point_cells': [20036, 20523]})
        for ask in (lambda: fit.depth, lambda: fit.service_rate, fit.plot):
            with self.assertRaisesRegex(ws.WrongInput, 'only that of a loss map has'):
                ask()

    def test_a_doubt_of_the_program_is_a_warning(self):
        with self.assertWarns(ws.WatershedWarning):
            ws.fit({**SHALLOW, 'separation_us': [8720] * 3}, 'shallow-28-ports')

    def test_an_interrupt_ends_the_program_and_its_processes(self):
        # Work in the background of a shell ignores interrupts.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            run_program('risk', *ws.Scenario('risk-s60').words(), '--method', 'direct', '--events', '100000000000', '--jobs', '2')
        lines = [Path('/proc', folder, 'cmdline') for folder in os.listdir('/proc') if folder.isdigit()]
        self.assertEqual([line.parent for line in lines if os.access(line, os.R_OK) and b'\x00100000000000\x00' in line.read_bytes()], [])


class Numbers(unittest.TestCase):
    def test_an_interval_has_the_digits_that_tell_its_ends_apart(self):
        self.assertEqual(span((9.999801, 10.000013)), '9.999801 to 10.00001')
        self.assertEqual(span((102534, None)), '102534 to no limit')
        self.assertEqual(number(103740.37), '103740')

    def test_an_estimate_that_is_unknown_shows_its_limits(self):
        fitted = ws.fit({**SHALLOW, 'frames_received': SHALLOW['frames_sent']}, 'shallow-28-ports')
        self.assertIsNone(fitted.depth.value)
        self.assertRegex(str(fitted.depth), 'unknown, .* to no limit frames')


class Astropy(unittest.TestCase):
    def test_quantities_with_units(self):
        try:
            from astropy import units
        except ImportError:
            self.skipTest('astropy is not installed')
        scenario = ws.Scenario('s60-figure4', separation=20 * units.us, uplink_rate=10 * units.Gbit / units.s)
        self.assertEqual(scenario.keys, {'trigger.separation': '20 us', 'switch.uplink_rate': '10000000000 b/s'})
        table = ws.Scenario('s60-figure4').boundary([8.72, 20] * units.us)
        self.assertEqual([int(events) for events in table['events_lossless']], [9058, 14620])


if __name__ == '__main__':
    unittest.main()
