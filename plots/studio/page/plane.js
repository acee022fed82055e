// SPDX-License-Identifier: GPL-2.0-only
// The plane of bursts: separation and length, with the line without loss, the loss map behind it, and measured bursts.
/* global d3 */

import { design, fill, known, nameOf, overrides, own, quantity, remember, setKey, state, valueOf, withUnit } from './design.js'
import { ask } from './ask.js'
import { measured, strike } from './measured.js'
import { watch } from './burst.js'
import { byId } from './words.js'

/// A decade to either side of the design's separation.
export const kSeparations = 41
export function separations(number = kSeparations) {
  const middle = quantity(valueOf('trigger.separation')), unit = middle?.unit ?? 'us', at = middle?.number > 0 ? middle.number : 20
  return { unit, at, list: d3.range(number).map(i => Number((at * 10 ** (2 * i / (number - 1) - 1)).toPrecision(6))), inMicroseconds: { ns: 1e-3, us: 1, ms: 1e3, s: 1e6 }[unit] ?? 1 }
}

const kMargin = { top: 12, right: 16, bottom: 44, left: 62 }

function scales() {
  const { unit, at, list, inMicroseconds } = separations()
  const bursts = measured(), box = byId('plane').getBoundingClientRect()
  const xs = [...list.map(each => each * inMicroseconds), ...bursts.map(each => each.separation)].filter(each => each > 0)
  const events = Number(quantity(valueOf('trigger.events'))?.number ?? 10)
  const ys = [...(known.line ?? []), ...(state.pinned?.line ?? []), ...bursts].map(each => each.events).filter(each => each).concat(events)
  return {
    x: d3.scaleLog().domain(d3.extent(xs)).range([kMargin.left, box.width - kMargin.right]),
    y: d3.scaleLog().domain([1, Math.max(10, Math.min(1e6, 2 * d3.max(ys)))]).range([box.height - kMargin.bottom, kMargin.top]).clamp(true),
    box, unit, inMicroseconds, at: at * inMicroseconds, events
  }
}

export function draw() {
  const { x, y, box, unit, inMicroseconds, at, events } = scales(), fit = known.fit
  drawLosses(x, y)
  const svg = d3.select('#lines').attr('viewBox', `0 0 ${box.width} ${box.height}`)
  svg.selectAll('*').remove()
  svg.append('rect').attr('class', 'ground').attr('x', kMargin.left).attr('y', kMargin.top).attr('width', box.width - kMargin.left - kMargin.right).attr('height', box.height - kMargin.top - kMargin.bottom)
    .each(function () { this.addEventListener('click', event => watchAt(event, { x, y, unit, inMicroseconds })) })
  svg.append('g').attr('class', 'axis').attr('transform', `translate(0,${box.height - kMargin.bottom})`).call(d3.axisBottom(x).ticks(6, '~g'))
  svg.append('g').attr('class', 'axis').attr('transform', `translate(${kMargin.left},0)`).call(d3.axisLeft(y).ticks(6, '~g'))
  svg.append('text').attr('x', (kMargin.left + box.width) / 2).attr('y', box.height - 8).attr('text-anchor', 'middle').text('separation of events (us)')
  svg.append('text').attr('transform', `translate(16,${box.height / 2}) rotate(-90)`).attr('text-anchor', 'middle').text('events in a burst')
  // Between two separations no less is lossless than at the closer one; where no burst that was tried loses there is no line.
  const path = d3.line().curve(d3.curveStepAfter).defined(each => each.events).x(each => x(each.separation)).y(each => y(each.events))
  if (state.pinned) svg.append('path').attr('class', 'pinned').attr('d', path(state.pinned.line))
  if (known.line) svg.append('path').attr('class', 'watershed').attr('d', path(known.line))
  if (fit) {
    const curve = fit.curve.map(each => ({ separation: each.separation_us, ...each }))
    svg.append('path').attr('class', 'band').attr('d', d3.area().defined(each => each.events_low && each.events_high).x(each => x(each.separation)).y0(each => y(each.events_low)).y1(each => y(each.events_high))(curve))
    svg.append('path').attr('class', 'fitted').attr('d', d3.line().defined(each => each.events).x(each => x(each.separation)).y(each => y(each.events))(curve))
  }
  for (const each of known.next) svg.append('circle').attr('class', 'ghost').attr('r', 7).attr('cx', x(each.separation_us)).attr('cy', y(each.events)).append('title').text(each.reason)
  const points = svg.selectAll('.point').data(measured()).enter().append('g').attr('class', each => `point ${state.struck.has(each.row) ? 'struck' : ''}`)
    .attr('tabindex', 0).attr('role', 'button').attr('aria-label', each => `row ${each.row}: ${each.lost} frames lost; strike out or take back`)
    .attr('transform', each => `translate(${x(each.separation)},${y(each.events)})`)
    .each(function (each) {
      this.addEventListener('click', () => strike(each))
      this.addEventListener('keydown', event => { if (event.key === 'Enter') strike(each) })
    })
  points.filter(each => !each.lost).append('circle').attr('class', 'none').attr('r', 5)
  points.filter(each => each.lost).append('path').attr('class', 'some').attr('d', 'M-5,-5L5,5M-5,5L5,-5')
  points.append('title').text(each => `row ${each.row}: ${each.lost} of ${each.sent} frames lost; click to strike it out`)
  if (valueOf('trigger.separation') !== undefined && valueOf('trigger.events') !== undefined) {
    svg.append('line').attr('class', 'guide').attr('x1', x(at)).attr('x2', x(at)).attr('y1', y(1)).attr('y2', y(events))
    const dot = svg.append('circle').attr('class', 'design').attr('r', 8).attr('cx', x(at)).attr('cy', y(events))
    dot.append('title').text('this design\'s burst: drag it')
    dot.node().addEventListener('pointerdown', event => { event.preventDefault(); dragBurst({ x, y, unit, inMicroseconds }) })
  }
  caption()
}

export function caption() {
  const { losses, line, fit } = known
  byId('caption').textContent = [line ? 'Blue: the longest burst without loss; below it none is lost. Where it ends, no burst that was tried loses.' : `No watershed: ${own(known.why ?? '')}.`,
    state.pinned ? `Dashed: pinned, ${state.pinned.name}.` : '', fit ? `Thin: fit of ${state.mapName}, band of 95 %.` : '', known.next.length ? 'Rings: bursts worth measuring next.' : '',
    losses?.why ? `No loss map: ${losses.why}.` : losses ? 'Orange behind: share of frames lost.' : '', `${nameOf()}${known.run ? `; ${known.run.program}` : ''}.`].filter(each => each).join(' ')
}

/// A point of the plane as values of the design's keys.
function burstAt(event, { x, y, unit, inMicroseconds }) {
  const box = byId('lines').getBoundingClientRect()
  return [withUnit(Number((x.invert(event.clientX - box.left) / inMicroseconds).toPrecision(3)), unit), String(Math.max(1, Math.round(y.invert(event.clientY - box.top))))]
}

/// Plays the burst of the point that is clicked.
function watchAt(event, scale) {
  if (!known.line) return
  const [separation, events] = burstAt(event, scale)
  watch([`trigger.separation=${separation}`, `trigger.events=${events}`])
}

/// Moves the design's burst with the pointer. The scales stay as they were at the start.
function dragBurst(scale) {
  remember()
  const move = event => {
    const [separation, events] = burstAt(event, scale)
    state.set['trigger.separation'] = separation
    setKey('trigger.events', events, false)
  }
  addEventListener('pointermove', move)
  addEventListener('pointerup', () => { removeEventListener('pointermove', move); fill() }, { once: true })
}

/// Asks for the loss map behind the line. @param stands  whether the design is still the same
export async function askLosses(stands) {
  const { x, y, unit, inMicroseconds } = scales(), n = 32, even = (domain, i) => domain[0] * (domain[1] / domain[0]) ** (i / (n - 1))
  const most = /jitter|skew|aggregation|group|traffic|node/.test(state.text + overrides()) ? 20000 : 200000   // frames are followed one by one there
  const events = [...new Set(d3.range(n).map(i => Math.round(even(y.domain(), i))))].filter(each => each <= most)
  const separation = d3.range(n).map(i => `${Number((even(x.domain(), i) / inMicroseconds).toPrecision(5))} ${unit}`).join(',')
  const losses = await ask('map', { ...design(), separation, events: events.join(',') }).catch(error => ({ why: error.message }))
  if (!stands() || !losses) return
  known.losses = losses
  if (!losses.why) {
    const [at, event, sent, received] = ['separation_us', 'events', 'frames_sent', 'frames_received'].map(name => losses.columns.indexOf(name))
    known.losses = { n, events, domain: x.domain(), rows: losses.rows.map(row => ({ separation: row[at], events: row[event], share: 1 - row[received] / row[sent] })).filter(row => row.share > 0) }
  }
  drawLosses(x, y)
  caption()
}

function drawLosses(x, y) {
  const canvas = byId('losses'), context = canvas.getContext('2d'), box = canvas.getBoundingClientRect()
  canvas.width = box.width
  canvas.height = box.height
  if (!known.losses?.rows) return
  const { n, events, domain, rows } = known.losses, half = (x(domain[1]) - x(domain[0])) / (n - 1) / 2
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--lossy')
  for (const each of rows) {
    const i = events.indexOf(each.events), top = y(Math.sqrt(each.events * (events[i + 1] ?? each.events))), bottom = y(Math.sqrt(each.events * (events[i - 1] ?? each.events)))
    const left = Math.max(kMargin.left, x(each.separation) - half)
    context.globalAlpha = 0.08 + 0.5 * each.share
    context.fillRect(left, top, x(each.separation) + half - left, bottom - top)
  }
}
