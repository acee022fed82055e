// SPDX-License-Identifier: GPL-2.0-only
// The chance that an event is incomplete against the mean rate of triggers.
/* global d3 */

import { ask, page } from './ask.js'
import { design, quantity, state, valueOf, withUnit } from './design.js'
import { byId } from './words.js'

/// Rates in units of the design's own, in the order in which they are asked.
const kRates = [1, 2, 0.5, 4, 0.25, 1.4, 0.7, 2.8, 0.35]
const kLeast = -20   // decimal logarithm; smaller chances are drawn there
let risks = []

export const shownRisks = () => risks

export function clearRisks() {
  risks = []
  drawRisks()
}

/// Asks for one rate after the other. @param first  the answer for the design's own, which is known; null: triggers end
export async function askRisks(first, stands) {
  clearRisks()
  const rate = quantity(valueOf('trigger.rate'))
  if (!first || !rate) return
  for (const times of kRates) {
    const at = Number((rate.number * times).toPrecision(3)), { scenario, set } = design()
    const risk = times === 1 ? first : await ask('risk', { scenario, set: [...set, `trigger.rate=${withUnit(at, rate.unit)}`] }, `${page} rates`).catch(error => ({ why: error.message }))
    if (!stands() || !risk || risk.why === 'Cancelled.') return
    risks.push({ rate: at, unit: rate.unit, own: times === 1, ...risk })
    risks.sort((a, b) => a.rate - b.rate)
    drawRisks()
  }
}

const logOf = (chance, log) => chance > 0 ? Math.log10(chance) : log ?? -Infinity
/// Certain bounds, or the 95 % interval of a sample.
const limitsOf = risk => risk.bounds ?? risk.interval95
const kKnown = { bound: 'at most ', sampled: 'about ' }

/// The chance in words, with how it is known.
export function chance(risk) {
  const text = each => each > 0 ? each.toPrecision(2) : risk.never ? '0' : `10^${(risk.log10_at_most ?? risk.log10_probability).toFixed(0)}`
  return `${kKnown[risk.risk_kind] ?? ''}${text(risk.risk_kind === 'bound' ? limitsOf(risk)[1] : risk.probability)}`
}

const words = risk => risk.why ?? `${chance(risk)}, ${risk.method}`

export function drawRisks() {
  const figure = byId('risks'), svg = d3.select(figure)
  figure.parentElement.hidden = !risks.length
  svg.selectAll('*').remove()
  const curves = [[state.pinned?.risks ?? [], 'pinned'], [risks, 'watershed']].map(([all, name]) => [all.filter(each => !each.why).map(each => ({ ...each, low: logOf(limitsOf(each)[0], each.log10_at_least), high: logOf(limitsOf(each)[1], each.log10_at_most) })), name])
  const all = curves.flatMap(([points]) => points)
  if (!risks.length || !all.length) return
  const box = figure.getBoundingClientRect(), { unit } = risks[0]
  const x = d3.scaleLog().domain(d3.extent(all, each => each.rate)).range([62, box.width - 16]).nice(), least = Math.max(kLeast, Math.min(-2, Math.floor(d3.min(all, each => each.low))))
  const y = d3.scaleLinear().domain([least, 0]).range([box.height - 40, 10]).clamp(true)
  svg.attr('viewBox', `0 0 ${box.width} ${box.height}`)
  svg.append('g').attr('class', 'axis').attr('transform', `translate(0,${box.height - 40})`).call(d3.axisBottom(x).ticks(4, '~g'))
  svg.append('g').attr('class', 'axis').attr('transform', 'translate(62,0)').call(d3.axisLeft(y).ticks(5).tickFormat(each => each === 0 ? '1' : `${each === kLeast ? '≤ ' : ''}10^${each}`))
  svg.append('text').attr('x', (62 + box.width) / 2).attr('y', box.height - 6).attr('text-anchor', 'middle').text(`mean rate (${unit})`)
  for (const [points, name] of curves) svg.append('path').attr('class', name).attr('d', d3.line().x(each => x(each.rate)).y(each => y(each.high))(points))
  const marks = svg.selectAll('.risk').data(curves[1][0]).enter().append('g').attr('class', 'risk')
  marks.append('line').attr('class', 'spread').attr('x1', each => x(each.rate)).attr('x2', each => x(each.rate)).attr('y1', each => y(each.low)).attr('y2', each => y(each.high))
  marks.append('circle').attr('class', each => each.own ? 'design' : 'none').attr('r', each => each.own ? 7 : 4).attr('cx', each => x(each.rate)).attr('cy', each => y(each.high)).append('title').text(each => `${each.rate} ${unit}: ${words(each)}`)
  figure.setAttribute('aria-label', `Chance that an event is incomplete by mean rate. ${risks.map(each => `${each.rate} ${unit}: ${words(each)}`).join('; ')}`)
}
