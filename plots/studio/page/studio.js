// SPDX-License-Identifier: GPL-2.0-only
// The page of `watershed studio`. Numbers are the program's: the page asks, draws and remembers.
/* global d3 */

import { ask, fragment, page, pause, token } from './ask.js'
import { beginPlayer, drawMemory, drawStage, showBurst, showMemory, showNetwork } from './burst.js'
import { tryCatalogue } from './catalogue.js'
import { save, savedPage } from './saved.js'
import { count, item } from './words.js'

const byId = id => document.getElementById(id)

// ---- The design: a scenario's text, and keys that are set beside it.

const kGroups = [
  ['Detector', [['front_end.modules', 'modules'], ['frame.payload', 'payload of a frame'], ['front_end.link_rate', 'rate of a module'],
    ['front_end.skew', 'skew, module to module'], ['front_end.jitter', 'jitter']]],
  ['Triggers', [['trigger.separation', 'separation'], ['trigger.events', 'events in a burst'], ['trigger.rate', 'mean rate'], ['trigger.dead_time', 'dead time']]],
  ['Switches', [['switch.count', 'switches'], ['switch.uplinks', 'uplinks of each'], ['switch.uplink_rate', 'rate of an uplink']]],
  ['Memory', [['switch.buffer.size', 'size'], ['switch.buffer.alpha', 'alpha'], ['switch.buffer.sharing', 'sharing']]]
]
const kWhole = ['front_end.modules', 'trigger.events', 'switch.count', 'switch.uplinks']

const state = { name: '', text: '', set: {}, values: {}, map: null, mapName: '', struck: new Set(), pinned: null }
let past = [], future = []

const overrides = () => Object.entries(state.set).map(([key, value]) => `${key}=${value}`)
const design = () => ({ scenario: state.text, set: overrides() })
const valueOf = key => state.set[key] ?? state.values[key]

/// Parts of "46 frames" or "8.72 us": number and unit.
function quantity(text) {
  const found = /^"?([0-9.eE+-]+) ?([^"]*)"?$/.exec(text ?? '')
  return found && isFinite(found[1]) ? { number: Number(found[1]), unit: found[2] } : null
}
const withUnit = (number, unit) => unit ? `${number} ${unit}` : String(number)
const rounded = (number, whole) => whole ? Math.max(1, Math.round(number)) : Number(number.toPrecision(3))

function remember() {
  past.push(JSON.stringify({ text: state.text, set: state.set }))
  future = []
  if (past.length > 200) past.shift()
}
function restore(from, to) {
  if (!from.length) return
  to.push(JSON.stringify({ text: state.text, set: state.set }))
  Object.assign(state, JSON.parse(from.pop()))
  changed(true)
}

function setKey(key, value, step = true) {
  if (step) remember()
  if (value === state.values[key]) delete state.set[key]
  else state.set[key] = value
  changed(false)
}

function field(key, label) {
  const text = valueOf(key)
  if (text === undefined) return null
  const row = document.createElement('div'), name = document.createElement('label'), input = document.createElement('input')
  row.className = 'field'
  input.type = 'text'
  input.id = `key-${key}`
  input.value = text.replace(/^"|"$/g, '')
  input.className = key in state.set ? 'changed' : ''
  name.htmlFor = input.id
  name.textContent = label
  name.title = key
  row.append(name, input)
  input.addEventListener('change', () => { setKey(key, input.value.trim() || state.values[key]); fill() })
  const start = quantity(state.values[key])
  if (start && start.number > 0) {
    const whole = kWhole.includes(key), slider = document.createElement('input'), scale = d3.scaleLog().domain([start.number / 20, start.number * 20]).range([-1000, 1000])
    slider.type = 'range'
    slider.min = -1000
    slider.max = 1000
    slider.setAttribute('aria-label', `${label}, ${key}`)
    slider.value = scale(quantity(text)?.number ?? start.number)
    let moves = false
    slider.addEventListener('input', () => {
      const value = withUnit(rounded(scale.invert(Number(slider.value)), whole), start.unit)
      input.value = value
      slider.setAttribute('aria-valuetext', value)
      setKey(key, value, !moves)
      moves = true
    })
    slider.addEventListener('change', () => { moves = false })
    row.append(slider)
  }
  return row
}

function fill() {
  byId('design').replaceChildren(...kGroups.map(([title, keys]) => {
    const set = document.createElement('fieldset'), legend = document.createElement('legend')
    legend.textContent = title
    set.append(legend, ...keys.map(([key, label]) => field(key, label)).filter(row => row))
    return set
  }).filter(set => set.childElementCount > 1))
  byId('text').value = state.text
}

// ---- Questions. A newer one ends the older, here as on the server.

let asked = 0, boundary = null, losses = null, run = null, fitted = null, ghosts = []

/// A decade to either side of the design's separation.
const kSeparations = 41
const separations = (number = kSeparations) => {
  const middle = quantity(valueOf('trigger.separation')), unit = middle?.unit ?? 'us', at = middle?.number ?? 20
  return { unit, at, list: d3.range(number).map(i => Number((at * 10 ** (2 * i / (number - 1) - 1)).toPrecision(6))) }
}

/// Milliseconds that a separation of the last line took: where all take too long, a first line has fewer.
let each = 1
async function askLine(number) {
  const { unit, list } = separations(number), from = performance.now()
  const line = await ask('boundary', { ...design(), separation: list.map(one => `${one} ${unit}`).join(',') }).catch(() => undefined)
  if (line) each = (performance.now() - from) / list.length
  return line
}

/// A drag changes the design more often than it can be asked about: the newest waits until the picture of the one before
/// is there, but no longer than so many milliseconds.
const kPatience = 200
/// Milliseconds after which what a run says is told anew, even while the design is dragged.
const kTold = 500
let begun = -Infinity, again = false, told = -Infinity, linking = 0

/// Keeps the design in the page's address, once it stays.
function link() {
  clearTimeout(linking)
  linking = setTimeout(() => history.replaceState(null, '', `#${new URLSearchParams({ token, design: btoa(unescape(encodeURIComponent(JSON.stringify({ name: state.name, text: state.text, set: state.set })))) })}`), 200)
}

async function changed(refill) {
  byId('undo').disabled = !past.length
  byId('redo').disabled = !future.length
  link()
  if (!refill && performance.now() - begun < kPatience) {
    again = true
    return
  }
  const mine = ++asked
  begun = performance.now()
  again = false
  if (refill) {
    try {
      state.values = (await ask('scenario', { scenario: state.text, set: [] }))?.values ?? {}
    } catch (error) {
      begun = -Infinity
      return say(error.message, '', 'wrong')
    }
    fill()
  }
  const show = line => { boundary = line ? line.rows.map(([separation, events]) => ({ separation, events })) : null }
  const kSoon = 100, kFewest = 9, few = Math.min(kSeparations, Math.max(kFewest, Math.floor(kSoon / each) | 1))   // odd: the design's own is among them
  try {
    // The line first, alone: it is what the eye follows.
    const line = await askLine(few)
    if (mine !== asked || line === null) return
    show(line)
    losses = null
    draw()
    if (performance.now() - told < kTold) begun = -Infinity   // from here on a newer design asks for its line at once
    if (again && begun === -Infinity) return changed(false)
    const [one, proof, risk] = await Promise.all([
      ask('run', { ...design(), engine: 'exact' }),
      ask('bound', design()).catch(error => ({ refused: error.message })),
      withoutEnd() ? ask('risk', design()) : null
    ])
    if (mine !== asked || one === null) return
    begun = -Infinity
    told = performance.now()
    run = one
    tell(one, proof, risk)
    caption()
    showNetwork(one)
    if (again) return changed(false)
    // The rest is for who looks, not for who drags: it would keep the next line waiting.
    await pause(150)
    if (mine === asked && line && few < kSeparations) {
      const whole = await askLine(kSeparations)
      if (mine === asked && whole) show(whole), draw()
    }
    if (mine === asked && line) await askLosses(mine)
    if (mine === asked) showMemory(await ask('occupancy', design()).catch(() => null))
  } catch (error) {
    if (mine !== asked) return
    begun = -Infinity
    say(error.message, '', 'wrong')
    if (again) changed(false)
  }
}

function say(verdict, basis, kind) {
  byId('verdict').textContent = verdict
  byId('verdict').className = kind
  byId('basis').textContent = basis
}

/// The program knows the scenario by another name.
const own = text => text.replace('scenario.toml', state.name)

const withoutEnd = () => /poisson|periodic/.test(valueOf('trigger.pattern') ?? '')
const kKnown = { bound: 'at most ', sampled: 'about ' }

/// One event in so many, with how it is known.
function chance(risk) {
  const [least, most] = risk.bounds, known = kKnown[risk.risk_kind] ?? ''
  const text = each => each > 0 ? each.toPrecision(2) : `10^${(risk.log10_at_most ?? risk.log10_probability).toFixed(0)}`
  return known ? `${known}${text(risk.risk_kind === 'bound' ? most : risk.probability)}` : least === most ? text(most) : `${text(least)} to ${text(most)}`
}

function tell(one, proof, risk) {
  const lost = one.frames.lost, sent = one.frames.sent
  if (proof?.answer && proof.lossless) say(`loses nothing, proven: ${proof.answer[1] ?? ''}`, own(proof.answer[0]), '')
  else if (risk) say(`chance that an event is incomplete: ${chance(risk)}; a night of ${risk.night_hours} h: ${risk.per_night.toPrecision(2)} events`,
    `${risk.method}, ${risk.risk_kind}${risk.remark ? `: ${risk.remark}` : ''}; load ${(100 * risk.load).toFixed(1)} %${proof?.refused ? `; no proof: ${proof.refused}` : ''}`, lost ? 'lossy' : '')
  else {
    const words = lost ? `loses ${count(lost)} of ${count(sent)} frames; ${one.events.complete} of ${one.events.sent} events are complete`
      : `loses none of ${count(sent)} frames in this run`
    const why = proof?.refused ? `no proof: ${proof.refused}` : own((proof?.answer ?? []).slice(0, 2).join(' '))
    const { at } = separations(), longest = lost && boundary?.find(each => Math.abs(each.separation / at - 1) < 1e-9 || each.separation === at)?.events
    say(words + (longest ? `; at this separation from ${count(longest + 1)} events on` : ''), `one run, seed ${one.seed}; ${why}`, lost ? 'lossy' : '')
  }
  const cards = [['frames lost', count(lost)], ['complete events', `${one.events.complete} of ${one.events.sent}`],
    ['most in a memory', one.buffer?.peak_frames === undefined ? '–' : `${count(one.buffer.peak_frames)} frames`],
    ['busiest uplink', `${(100 * d3.max(one.uplinks ?? [], each => each.utilisation) || 0).toFixed(1)} %`]]
  byId('results').replaceChildren(...cards.map(([label, text]) => {
    const card = document.createElement('div'), number = document.createElement('b')
    card.className = 'card'
    number.textContent = text
    card.append(number, label)
    return card
  }))
}

// ---- The plane.

const kMargin = { top: 12, right: 16, bottom: 44, left: 62 }

function scales() {
  const { unit, at, list } = separations(), inMicroseconds = { ns: 1e-3, us: 1, ms: 1e3, s: 1e6 }[unit] ?? 1
  const bursts = measured(), box = byId('plane').getBoundingClientRect()
  const xs = [...list.map(each => each * inMicroseconds), ...bursts.map(each => each.separation)].filter(each => each > 0)
  const events = Number(quantity(valueOf('trigger.events'))?.number ?? 10)
  const ys = [...(boundary ?? []).map(each => each.events).filter(each => each), ...bursts.map(each => each.events), ...(state.pinned?.line ?? []).map(each => each.events).filter(each => each), events]
  return {
    x: d3.scaleLog().domain(d3.extent(xs)).range([kMargin.left, box.width - kMargin.right]),
    y: d3.scaleLog().domain([1, Math.max(10, Math.min(1e6, 2 * d3.max(ys)))]).range([box.height - kMargin.bottom, kMargin.top]).clamp(true),
    box, unit, inMicroseconds, at: at * inMicroseconds, events
  }
}

function draw() {
  const { x, y, box, unit, inMicroseconds, at, events } = scales()
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
  if (boundary) svg.append('path').attr('class', 'watershed').attr('d', path(boundary))
  if (fitted) {
    const curve = fitted.curve.map(each => ({ separation: each.separation_us, ...each }))
    svg.append('path').attr('class', 'band').attr('d', d3.area().defined(each => each.events_low && each.events_high).x(each => x(each.separation)).y0(each => y(each.events_low)).y1(each => y(each.events_high))(curve))
    svg.append('path').attr('class', 'fitted').attr('d', d3.line().defined(each => each.events).x(each => x(each.separation)).y(each => y(each.events))(curve))
  }
  for (const each of ghosts) svg.append('circle').attr('class', 'ghost').attr('r', 7).attr('cx', x(each.separation_us)).attr('cy', y(each.events)).append('title').text(each.reason)
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

/// Draws all, in another size or in other colours.
function redraw() {
  draw()
  drawMemory()
  drawStage()
}

function caption() {
  byId('caption').textContent = `${boundary ? 'Blue: the longest burst without loss; below it none is lost. Where it ends, no burst that was tried loses. ' : 'No watershed is asked for these triggers. '}` +
    `${state.pinned ? `Dashed: pinned, ${state.pinned.name}. ` : ''}${fitted ? `Thin: fit of ${state.mapName}, band of 95 %. ` : ''}Orange behind: share of frames lost. ${state.name}${state.picked ? `, ${state.picked}` : ''}${overrides().length ? ', ' + overrides().join(', ') : ''}; ${run?.program ?? ''}.`
}

/// Plays the burst of the point of the map that is clicked.
function watchAt(event, { x, y, unit, inMicroseconds }) {
  if (!boundary) return
  const box = byId('lines').getBoundingClientRect(), separation = Number((x.invert(event.clientX - box.left) / inMicroseconds).toPrecision(3))
  watch([`trigger.separation=${withUnit(separation, unit)}`, `trigger.events=${Math.max(1, Math.round(y.invert(event.clientY - box.top)))}`])
}

/// Plays the burst of the design, or one of another separation and length.
async function watch(set = []) {
  const asker = `${page} burst`, burst = { scenario: state.text, set: [...overrides(), ...set] }
  byId('told').textContent = 'Asking …'
  try {
    const one = await ask('run', { ...burst, engine: 'exact' }, asker)
    if (!one) return
    // So many events around the first loss that no more frames are shown than can be followed.
    const most = Math.max(3, Math.round(20000 * one.events.sent / one.frames.sent)), span = most * one.simulated_s / one.events.sent
    const from = one.events.sent > most ? Math.max(0, (one.first_loss?.time_s ?? 0) - 0.8 * span) : 0
    const time = seconds => `${(1e6 * seconds).toFixed(6)} us`
    const table = await ask('frames', { ...burst, 'frames-from': time(from), ...(one.events.sent > most ? { 'frames-until': time(from + span) } : {}) }, asker)
    if (!table) return
    showBurst(one, table, set.length ? set.map(each => each.replace(/^trigger\./, '').replace('=', ' ')).join(', ') : 'The burst of the design')
    showMemory(await ask('occupancy', burst, asker).catch(() => null))
  } catch (error) { byId('told').textContent = error.message }
}

/// Moves the design's burst with the pointer. The scales stay as they were at the start.
function dragBurst({ x, y, unit, inMicroseconds }) {
  const box = byId('lines').getBoundingClientRect()
  remember()
  const move = event => {
    const separation = Number((x.invert(event.clientX - box.left) / inMicroseconds).toPrecision(3))
    state.set['trigger.separation'] = withUnit(separation, unit)
    setKey('trigger.events', String(Math.max(1, Math.round(y.invert(event.clientY - box.top)))), false)
  }
  addEventListener('pointermove', move)
  addEventListener('pointerup', () => { removeEventListener('pointermove', move); fill() }, { once: true })
}

/// Asks for the loss map behind the line, once the line stands.
async function askLosses(mine) {
  const { x, y, unit, inMicroseconds } = scales(), n = 32, even = (domain, i) => domain[0] * (domain[1] / domain[0]) ** (i / (n - 1))
  const most = /jitter|skew|aggregation|group|traffic|node/.test(state.text + overrides()) ? 20000 : 200000   // frames are followed one by one there
  const events = [...new Set(d3.range(n).map(i => Math.round(even(y.domain(), i))))].filter(each => each <= most)
  const separation = d3.range(n).map(i => `${Number((even(x.domain(), i) / inMicroseconds).toPrecision(5))} ${unit}`).join(',')
  const table = await ask('map', { ...design(), separation, events: events.join(',') }).catch(() => null)
  if (mine !== asked || !table) return
  const [at, event, sent, received] = ['separation_us', 'events', 'frames_sent', 'frames_received'].map(name => table.columns.indexOf(name))
  losses = { n, events, domain: x.domain(), rows: table.rows.map(row => ({ separation: row[at], events: row[event], share: 1 - row[received] / row[sent] })).filter(row => row.share > 0) }
  drawLosses(x, y)
}

function drawLosses(x, y) {
  const canvas = byId('losses'), context = canvas.getContext('2d'), box = canvas.getBoundingClientRect()
  canvas.width = box.width
  canvas.height = box.height
  if (!losses) return
  const { n, events, domain } = losses, half = (x(domain[1]) - x(domain[0])) / (n - 1) / 2
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--lossy')
  for (const each of losses.rows) {
    const i = events.indexOf(each.events), top = y(Math.sqrt(each.events * (events[i + 1] ?? each.events))), bottom = y(Math.sqrt(each.events * (events[i - 1] ?? each.events)))
    const left = Math.max(kMargin.left, x(each.separation) - half)
    context.globalAlpha = 0.08 + 0.5 * each.share
    context.fillRect(left, top, x(each.separation) + half - left, bottom - top)
  }
}

// ---- A measured map.

function measured() {
  if (!state.map) return []
  // d3.csvParse() makes code, which the page's policy forbids.
  const [head = [], ...rows] = d3.csvParseRows(state.map.split(/\r?\n/).filter(line => line && !line.startsWith('#')).join('\n'))
  const [separation, events, sent, received] = ['separation_us', 'events', 'frames_sent', 'frames_received'].map(name => head.indexOf(name))
  return rows.map((row, i) => ({ row: i + 1, separation: Number(row[separation]), events: Number(row[events]), sent: Number(row[sent]), lost: row[sent] - row[received] })).filter(each => each.separation > 0)
}

/// The map's text without the rows that are struck out.
function kept() {
  let row = -1   // the header
  return state.map.split(/\r?\n/).filter(line => line.startsWith('#') || !line || ++row === 0 || !state.struck.has(row)).join('\n')
}

/// The fit's first line and its answer; the program knows the map by another name.
function fitText() {
  const without = state.struck.size ? ` (without ${[...state.struck].map(row => `row ${row}`).join(', ')})` : ''
  return fitted ? `${fitted.headline.replace('map.csv', state.mapName)}${without}. ${fitted.answer}` : ''
}

async function refit() {
  const status = byId('fit')
  ghosts = []
  byId('advice').replaceChildren()
  byId('next').hidden = byId('drop').hidden = byId('result').hidden = !state.map
  fitted = null
  if (!state.map) { status.textContent = ''; return draw() }
  status.textContent = 'Fitting …'
  draw()
  try {
    const answer = await ask('fit', { ...design(), map: kept() })
    if (!answer) return
    fitted = answer
    status.textContent = fitText()
    const kinds = answer.models.filter(each => each.probability >= 0.005).sort((a, b) => b.probability - a.probability)
    byId('advice').replaceChildren(item(`kinds of memory: ${kinds.map(each => `${each.name} ${(100 * each.probability).toFixed(0)} %`).join(', ')}`), ...answer.suspects.map(each => item(`row ${each.row} is suspect`)), ...answer.violating_rows.map(each => item(`row ${each} contradicts the others`)))
  } catch (error) { status.textContent = error.message }
  draw()
}

/// A result that is typed in becomes a row of the map, with what the others have in their further columns.
function addResult(form) {
  const fields = Object.fromEntries(new FormData(form)), rows = state.map.trimEnd().split(/\r?\n/), like = rows[rows.length - 1].split(',')
  const head = rows.find(line => line && !line.startsWith('#')).split(','), at = name => head.indexOf(name)
  const ports = at('ports') >= 0 ? Number(like[at('ports')]) : Number(valueOf('front_end.modules')), sent = ports * Number(fields.events)
  const values = { separation_us: fields.separation_us, events: fields.events, frames_sent: sent, frames_received: sent - Number(fields.lost) }
  state.map = [...rows, head.map((name, i) => values[name] ?? (['ports', 'payload_bytes'].includes(name) ? like[i] : '')).join(','), ''].join('\n')
  refit()
}

function strike(point) {
  if (!state.struck.delete(point.row)) state.struck.add(point.row)
  refit()
}

async function advise() {
  byId('fit').textContent = `${fitText()} Asking for the next bursts …`
  try {
    const answer = await ask('next', { ...design(), map: kept() })
    if (!answer) return
    ghosts = answer.points
    byId('fit').textContent = fitText()
    byId('advice').replaceChildren(item(answer.reason), ...ghosts.map(each => item(`${each.separation_us} us, ${each.events} events, ${each.ports} ports, ${each.payload_bytes} B: ${each.reason}`)))
    draw()
  } catch (error) { byId('fit').textContent = error.message }
}

function takeMap(file) {
  if (!file) return
  file.text().then(text => {
    Object.assign(state, { map: text, mapName: file.name, struck: new Set() })
    refit()
  })
}

// ---- What the page offers.

/// A figure or a report that the program draws.
async function handOn(command, ending, type) {
  const { unit, list } = separations(), button = byId(command)
  button.disabled = true
  try {
    const answer = await ask(command, { ...design(), ...(state.map ? { map: kept() } : {}), separation: list.map(each => `${each} ${unit}`).join(',') })
    if (answer) save(`${state.name.replace(/\.toml$/, '')}-${command}.${ending}`, answer[ending], type)
  } catch (error) { say(error.message, '', 'wrong') }
  button.disabled = false
}

function theme(name) {
  document.documentElement.dataset.theme = name
  redraw()
}

async function begin() {
  const start = await (await fetch('/api/v1/start', { headers: { Authorization: `Bearer ${token}` } })).json()
  if (start.error) return say(start.error, '', 'wrong')
  const shared = fragment.get('design')
  Object.assign(state, { name: start.scenario_name, text: start.scenario, map: start.map, mapName: start.map_name ?? '' })
  if (shared) Object.assign(state, JSON.parse(decodeURIComponent(escape(atob(shared)))))
  byId('name').textContent = state.name
  document.documentElement.dataset.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  byId('undo').addEventListener('click', () => restore(past, future))
  byId('redo').addEventListener('click', () => restore(future, past))
  byId('theme').addEventListener('click', () => theme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'))
  byId('pin').addEventListener('click', () => {
    state.pinned = state.pinned || !boundary ? null : { line: boundary, name: overrides().join(', ') || state.name }
    byId('pin').textContent = state.pinned ? 'Unpin' : 'Pin for comparison'
    draw()
  })
  byId('save').addEventListener('click', async () => {
    try { save(state.name, (await ask('scenario', design())).scenario) } catch (error) { say(error.message, '', 'wrong') }
  })
  byId('keep').addEventListener('click', () => save(`${state.name.replace(/\.toml$/, '')}.html`, savedPage(`${state.name}, ${run?.program ?? ''}`), 'text/html'))
  byId('figure').addEventListener('click', () => handOn('figure', 'svg', 'image/svg+xml'))
  byId('report').addEventListener('click', () => handOn('report', 'html', 'text/html'))
  byId('watch').addEventListener('click', () => watch())
  byId('result').addEventListener('submit', event => { event.preventDefault(); addResult(event.target) })
  beginPlayer()
  byId('link').addEventListener('click', () => setTimeout(() => navigator.clipboard?.writeText(location.href), 250))
  byId('take').addEventListener('click', () => { remember(); state.text = byId('text').value; state.set = {}; changed(true) })
  byId('design').addEventListener('submit', event => event.preventDefault())
  byId('file').addEventListener('change', event => takeMap(event.target.files[0]))
  byId('next').addEventListener('click', advise)
  byId('try').addEventListener('click', () => tryCatalogue({
    design, valueOf, withoutEnd, asked: () => asked, say: words => say(words, '', 'wrong'),
    pick(name, text) {
      remember()
      Object.assign(state, { text, set: {}, picked: name })
      changed(true)
    }
  }))
  byId('drop').addEventListener('click', () => { state.map = null; state.struck = new Set(); refit() })
  for (const kind of ['dragover', 'dragleave', 'drop'])
    document.addEventListener(kind, event => {
      event.preventDefault()
      byId('measured').classList.toggle('over', kind === 'dragover')
      if (kind === 'drop') takeMap(event.dataTransfer.files[0])
    })
  addEventListener('resize', redraw)
  await changed(true)
  if (state.map) refit()
}

begin()
