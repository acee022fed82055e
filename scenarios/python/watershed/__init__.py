# SPDX-License-Identifier: GPL-2.0-only
"""Will this Ethernet switch lose events, and how deep is its buffer really?

    import watershed as ws
    camera = ws.Scenario("s60-figure4", modules=40)
    camera.run()                                   what one burst loses, where and why
    camera.boundary(["8.72 us", "20 us"])          the watershed
    ws.fit("measured.csv", camera)                 the depth that a measured table shows
    ws.next("measured.csv", camera)                what to measure next
    ws.explore("explore-nectarcam", modules=265)   which switch to buy
    ws.compare(["risk-cheap-switch", "risk-4mb"])  designs side by side
    ws.sensitivity("risk-4mb")                     what if something is other than planned
    ws.bound("risk-4mb")                           the worst of all sequences of triggers
    ws.stagger("shallow-28-ports")                 delays with which nothing is lost
    ws.throttle("risk-cheap-switch")               rules of triggers with which nothing is lost
    ws.report(camera.run(), "boundary.svg")        a page of results and figures

Everything is calculated by the program watershed, which lies in this package; this module only calls it. Tables are pandas DataFrames, or
structured numpy arrays where there is no pandas. Results show themselves in a notebook and draw themselves with .plot().
"""

from .calibration import fit, next
from .design import bound, compare, explore, report, sensitivity, stagger, switch, switches, throttle
from .program import WatershedError, WatershedWarning, WrongInput
from .results import (Absorption, Advice, Bound, Boundary, Compared, Estimate, Explored, Fit, LossMap, Page, Result, Risk, Run, Sensitivity, Size, Stagger, Switch,
                      Throttle)
from .scenario import Scenario, scenarios

__all__ = ['Absorption', 'Advice', 'Bound', 'Boundary', 'Compared', 'Estimate', 'Explored', 'Fit', 'LossMap', 'Page', 'Result', 'Risk', 'Run', 'Scenario', 'Sensitivity', 'Size', 'Stagger', 'Switch',
           'Throttle', 'WatershedError', 'WatershedWarning', 'WrongInput', 'bound', 'compare', 'explore', 'fit', 'next', 'report', 'scenarios', 'sensitivity', 'stagger', 'switch', 'switches',
           'throttle']
