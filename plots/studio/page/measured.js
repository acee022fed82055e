// SPDX-License-Identifier: GPL-2.0-only
// A measured map: its bursts, their fit, and what to measure next.
/* global d3 */

import { ask } from './ask.js'
import { design, known, state, valueOf } from './design.js'
import { draw } from './plane.js'
import { byId, element, item, percent, rowsOf } from './words.js'

export const measured = () => rowsOf(state.map).map((row, i) => ({ row: i + 1, separation: Number(row.separation_us), events: Number(row.events), sent: Number(row.frames_sent), lost: row.frames_sent - row.frames_received }))
  .filter(each => each.separation > 0)

/// The map's text without the rows that are struck out: what the program is asked about.
export function kept() {
  let row = -1   // the header
  return state.map.split(/\r?\n/).filter(line => line.startsWith('#') || !line || ++row === 0 || !state.struck.has(row)).join('\n')
}
/// The answer of the fit, how likely its kind of memory is, and what it rests on.
function fitText() {
  const { fit } = known
  if (!fit) return ''
  const without = state.struck.size ? ` (without ${[...state.struck].map(row => `row ${row}`).join(', ')}; the fit counts the others anew)` : '', kind = fit.models.find(each => each.name === fit.model)
  return `${fit.answer || fit.standing}${kind?.probability < 0.95 ? ` That kind of memory has a probability of ${percent(kind.probability, 0)}${Object.values(fit.notes).flat().some(each => each.topic === 'indistinguishable:') ? ', which these bursts do not decide' : ''}.` : ''} ${fit.headline.replace('map.csv', state.mapName)}${without}.`
}

/// Sentences of the fit on single rows, and on the limits of its knowledge.
const kTold = ['not plain', 'rate off', 'violation', 'suspect', 'contradiction', 'trend', 'set aside', 'indistinguishable:']
function remarks({ models, notes }) {
  const kinds = models.filter(each => each.probability >= 0.005).sort((a, b) => b.probability - a.probability)
  const told = Object.values(notes).flat().filter(each => kTold.includes(each.topic)), aside = told.filter(each => each.topic === 'set aside')
  const words = ({ topic, text }) => `${topic.replace(':', '')}: ${text.replace(/ +/g, ' ')}`
  return [item(`kinds of memory: ${kinds.map(each => `${each.name} ${percent(each.probability, 0)}`).join(', ')}`),
    ...told.filter(each => each.topic !== 'set aside' && each.rank <= 2).map(each => item(words(each))),
    ...aside.length ? [item(element('details', element('summary', `rows set aside: ${aside.length}`), ...aside.map(each => element('p', each.text))))] : []]
}

let asked = 0
export async function refit() {
  const status = byId('fit'), mine = ++asked
  Object.assign(known, { fit: null, next: [] })
  byId('advice').replaceChildren()
  byId('next').hidden = byId('drop').hidden = byId('result').hidden = !state.map
  status.textContent = state.map ? 'Fitting …' : ''
  drawResiduals()
  draw()
  if (!state.map) return
  try {
    const fit = await ask('fit', { ...design(), map: kept() })
    if (mine !== asked || !fit) return
    known.fit = fit
    status.textContent = fitText()
    byId('advice').replaceChildren(...remarks(fit))
    drawResiduals()
    draw()
  } catch (error) { if (mine === asked) status.textContent = error.message }
}

/// Residuals of the bursts, in the order of the map.
export function drawResiduals() {
  const left = measured().filter(each => !state.struck.has(each.row)), figure = byId('residuals')
  const rows = (known.fit?.residuals ?? []).map(([row, value, separation, events, lost]) => ({ row: left[row - 1]?.row ?? row, value, separation, events, lost }))
  figure.parentElement.hidden = !rows.length
  if (!rows.length) return
  const box = figure.getBoundingClientRect(), svg = d3.select(figure).attr('viewBox', `0 0 ${box.width} ${box.height}`), most = d3.max(rows, each => Math.abs(each.value))
  const x = d3.scaleLinear().domain([0, d3.max(rows, each => each.row) + 1]).range([40, box.width - 10]), y = d3.scaleLinear().domain([-Math.max(2.5, most), Math.max(2.5, most)]).range([box.height - 36, 8])
  svg.selectAll('*').remove()
  for (const sigma of [-2, 0, 2]) svg.append('line').attr('class', 'guide').attr('x1', 40).attr('x2', box.width - 10).attr('y1', y(sigma)).attr('y2', y(sigma))
  svg.append('g').attr('class', 'axis').attr('transform', `translate(0,${box.height - 36})`).call(d3.axisBottom(x).ticks(6))
  svg.append('g').attr('class', 'axis').attr('transform', 'translate(40,0)').call(d3.axisLeft(y).ticks(5))
  svg.append('text').attr('x', box.width / 2).attr('y', box.height - 4).attr('text-anchor', 'middle').text('row of the map')
  svg.selectAll('circle').data(rows).enter().append('circle').attr('class', each => each.lost ? 'some' : 'none').attr('r', 3.5).attr('cx', each => x(each.row)).attr('cy', each => y(each.value))
    .append('title').text(each => `row ${each.row}, ${each.separation} us, ${each.events} events: ${each.value.toPrecision(3)} standard deviations`)
  figure.setAttribute('aria-label', `Residuals of ${rows.length} bursts, at most ${most.toPrecision(3)} standard deviations`)
}

/// A result that is typed in becomes a row of the map, with what the others have in their further columns.
export function addResult(form) {
  const fields = Object.fromEntries(new FormData(form)), rows = state.map.trimEnd().split(/\r?\n/), like = rows[rows.length - 1].split(',')
  const head = rows.find(line => line && !line.startsWith('#')).split(','), at = name => head.indexOf(name)
  const ports = at('ports') >= 0 ? Number(like[at('ports')]) : Number(valueOf('front_end.modules')), sent = ports * Number(fields.events)
  if (!(fields.separation_us > 0 && /^[1-9]\d*$/.test(fields.events) && /^\d+$/.test(fields.lost) && fields.lost <= sent)) {
    byId('fit').textContent = `Not added: expected a separation above 0 us, a number of events, and from 0 to all of their ${ports} frames each lost.`
    return
  }
  const values = { separation_us: fields.separation_us, events: fields.events, frames_sent: sent, frames_received: sent - Number(fields.lost) }
  state.map = [...rows, head.map((name, i) => values[name] ?? (['ports', 'payload_bytes'].includes(name) ? like[i] : '')).join(','), ''].join('\n')
  refit()
}

export function strike(point) {
  if (!state.struck.delete(point.row)) state.struck.add(point.row)
  refit()
}

export async function advise() {
  const status = byId('fit'), mine = asked
  status.textContent = `${fitText()} Asking for the next bursts …`
  try {
    const answer = await ask('next', { ...design(), map: kept() })
    if (mine !== asked || !answer) return
    known.next = answer.points
    status.textContent = fitText()
    byId('advice').replaceChildren(...known.fit ? remarks(known.fit) : [], item(answer.reason), ...known.next.map(each => item(`${each.separation_us} us, ${each.events} events, ${each.ports} ports, ${each.payload_bytes} B: ${each.reason}`)))
    draw()
  } catch (error) { if (mine === asked) status.textContent = error.message }
}

export function takeMap(text, mapName) {
  Object.assign(state, { map: text, mapName, struck: new Set() })
  refit()
}
