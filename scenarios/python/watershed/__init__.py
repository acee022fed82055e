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

Everything is calculated by the program watershed, which lies in this package; this module only calls it. Tables are pandas DataFrames, or
structured numpy arrays where there is no pandas. Results show themselves in a notebook and draw themselves with .plot().
"""

from .calibration import fit, next
from .design import compare, explore, sensitivity, switch, switches
from .program import WatershedError, WatershedWarning, WrongInput
from .results import Absorption, Advice, Boundary, Compared, Estimate, Explored, Fit, LossMap, Risk, Run, Sensitivity, Size, Switch
from .scenario import Scenario, scenarios

__all__ = ['Absorption', 'Advice', 'Boundary', 'Compared', 'Estimate', 'Explored', 'Fit', 'LossMap', 'Risk', 'Run', 'Scenario', 'Sensitivity', 'Size', 'Switch', 'WatershedError', 'WatershedWarning',
           'WrongInput', 'compare', 'explore', 'fit', 'next', 'scenarios', 'sensitivity', 'switch', 'switches']
