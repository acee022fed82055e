// SPDX-License-Identifier: GPL-2.0-only
// The network with its loads, and a burst that runs through it: frames, memories and losses as the program tells them.
/* global d3 */

import { ask, page } from './ask.js'
import { overrides, state } from './design.js'
import { byId, count, percent } from './words.js'

const kEvents = ['#0072b2', '#009e73', '#cc79a7', '#56b4e9', '#8c6d31', '#5e4fa2']   // one colour for each event, in turn
const kLoads = [[0.25, '#9bc4e2'], [0.5, '#4f94cd'], [0.75, '#1f5fa8'], [0.95, '#0b2e5c'], [Infinity, '#9e3d8f']]
const kLoadsInDark = [[0.25, '#3a5a78'], [0.5, '#4f94cd'], [0.75, '#7fb8e8'], [0.95, '#c3e2ff'], [Infinity, '#e29ad6']]
const kWhole = 12   // seconds in which the time that is shown passes at full speed

const many = (number, word) => `${count(number)} ${word}${number === 1 ? '' : 's'}`
const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name)
const firstAfter = (rows, time) => d3.bisector(row => row.time).right(rows, time)

let shown = null      // the network: places and links, by the JSON of a run
let burst = null      // frames, memories and losses, by the table of a run
let held = []         // the memory over the whole run
let now = 0, playing = false, before = 0
let markNow = () => {}

// ---- Places.

/// Modules stand left, switches by how many others are before them, the server's interfaces right.
function networkOf(run) {
  const level = new Map(run.switches.map(each => [each.name, 1]))
  for (let changed = true; changed;) {
    changed = false
    for (const link of run.links)
      if (level.has(link.to) && level.get(link.to) <= level.get(link.from)) {
        level.set(link.to, level.get(link.from) + 1)
        changed = true
      }
  }
  const last = 1 + d3.max([...level.values()]), modules = d3.sum(run.switches, each => each.modules)
  const places = new Map(), spread = (i, n) => (i + 0.5) / n
  for (let module = 1; module <= modules; ++module) places.set(`module ${module}`, { x: 0, y: spread(module - 1, modules) })
  for (let i = 1; i < last; ++i) {
    const names = run.switches.map(each => each.name).filter(name => level.get(name) === i)
    names.forEach((name, k) => places.set(name, { x: i / last, y: spread(k, names.length) }))
  }
  const uplinks = run.links.filter(link => link.to === 'server')
  uplinks.forEach((link, i) => places.set(`server ${i}`, { x: 1, y: spread(i, uplinks.length), name: link.builder ? `builder ${link.builder}` : 'server' }))
  const to = link => link.to === 'server' ? places.get(`server ${uplinks.indexOf(link)}`) : places.get(link.to)
  const links = run.links.map(link => ({ ...link, begin: places.get(link.from), end: to(link) }))
  const feeds = new Map()
  for (const each of run.switches)
    for (let i = 0; i < each.modules; ++i) feeds.set(`module ${each.first_module + i}`, { begin: places.get(`module ${each.first_module + i}`), end: places.get(each.name), load: each.module_links.utilisation })
  return { run, places, links, feeds, modules }
}

/// Shows the network of a run, and no frames.
export function showNetwork(run) {
  shown = networkOf(run)
  burst = null
  playing = false
  const words = [`${many(shown.modules, 'module')}, links busy ${percent(d3.max(run.switches, each => each.module_links?.utilisation ?? 0))}`,
    ...run.switches.slice(0, 8).map(each => `${each.name}: at most ${many(each.peak_frames, 'frame')} in its memory, ${many(each.frames_lost, 'frame')} lost`),
    ...run.links.slice(0, 8).map(each => `${each.from}, uplink ${each.uplink} to ${each.to}: busy ${percent(each.utilisation)}`)]
  byId('stage').setAttribute('aria-label', `The network. ${words.join('; ')}`)
  byId('player').hidden = true
  byId('told').textContent = byId('which').textContent = ''
  drawStage()
}

/// Shows nothing, since nothing is known of a design.
export function clearNetwork() {
  shown = burst = null
  playing = false
  held = []
  for (const id of ['told', 'which', 'undrawn']) byId(id).textContent = ''
  byId('player').hidden = true
  drawStage()
  drawMemory()
}

/// Shows the memory of the first switch over a whole run of a design.
export async function askMemory(burst, asker = page, stands = () => true) {
  let why = ''
  const table = await ask('occupancy', burst, asker).catch(error => { why = `The memory over time is not drawn: ${error.message}.` })
  if (!stands() || table === null) return
  held = table ? table.rows.map(([time, frames]) => ({ time, frames })) : []
  byId('undrawn').textContent = why
  drawMemory()
}

// ---- A burst.

/// Takes the frames of a run and plays them until the first loss. @param which  burst that is
export function showBurst(run, table, which) {
  showNetwork(run)
  const at = Object.fromEntries(table.columns.map((name, i) => [name, i]))
  burst = { carried: [], memories: new Map(run.switches.map(each => [each.name, []])), lost: [], longest: 0 }
  for (const row of table.rows) {
    const time = row[at.time_us], place = row[at.place]
    if (row[at.step] === 'held') burst.memories.get(place)?.push({ time, frames: row[at.frames], bytes: row[at.bytes] })
    const frame = { time, place, event: row[at.event], module: row[at.module], stream: row[at.stream] }
    if (row[at.step] === 'lost') burst.lost.push({ ...frame, reason: row[at.reason] })
    if (row[at.step] !== 'carried') continue
    const uplink = row[at.uplink], link = uplink ? shown.links.find(each => each.from === place && each.uplink === uplink) : shown.feeds.get(place)
    const until = row[at.until_us]
    if (link) burst.carried.push({ ...frame, until, link })
    burst.longest = Math.max(burst.longest, until - time)
  }
  const times = table.rows.map(row => row[at.until_us] ?? row[at.time_us])
  burst.from = d3.min(table.rows, row => row[at.time_us]) ?? 0
  burst.until = d3.max(times) ?? 1
  burst.first = run.first_loss && burst.lost.length ? burst.lost[0] : null
  byId('which').textContent = which
  const slider = byId('when')
  slider.min = burst.from
  slider.max = burst.until
  byId('player').hidden = false
  byId('to-loss').hidden = !burst.first
  go(burst.from)
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches) play(true)
}

/// Plays the burst of the design, or one of another separation and length.
export async function watch(set = []) {
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
    await askMemory(burst, asker)
  } catch (error) { byId('told').textContent = error.message }
}

/// Fill of a memory at a time: that of its last change before, as the program told it.
function heldAt(name, time) {
  const rows = burst.memories.get(name) ?? []
  return rows[firstAfter(rows, time) - 1] ?? { frames: 0, bytes: 0 }
}

function tell() {
  const first = burst.first, lost = firstAfter(burst.lost, now)
  byId('clock').textContent = `${now.toPrecision(6)} us`
  const words = !first ? 'No frame is lost in the time that is shown.' : now < first.time ? `The first loss comes at ${first.time} us.`
    : `First loss, at ${first.time} us: the frame of ${first.stream ? `stream ${first.stream}` : `module ${first.module}, event ${first.event},`} came to ${first.place}, whose memory held ` +
      `${many(heldAt(first.place, first.time).frames, 'frame')} (${many(heldAt(first.place, first.time).bytes, 'byte')}): ${first.reason}. Lost until now: ${lost}.`
  if (byId('told').textContent !== words) byId('told').textContent = words
}

function go(time) {
  const passed = burst.first && now < burst.first.time && time >= burst.first.time
  now = Math.min(time, burst.until)
  if (playing && (passed || now >= burst.until)) {
    if (passed) now = burst.first.time
    play(false)
  }
  byId('when').value = now
  byId('when').setAttribute('aria-valuetext', `${now.toPrecision(4)} us`)
  tell()
  drawStage()
  markNow()
}

function play(on) {
  playing = on
  byId('play').textContent = on ? 'Pause' : 'Play'
  if (!on) return
  if (now >= burst.until) now = burst.from
  before = performance.now()
  requestAnimationFrame(step)
}

function step(at) {
  if (!playing || !burst) return
  const speed = Number(byId('speed').value) * (burst.until - burst.from) / kWhole / 1000
  const passed = Math.max(0, at - before)
  before = at
  go(now + passed * speed)
  if (playing) requestAnimationFrame(step)
}

// ---- Pictures.

export function drawStage() {
  const canvas = byId('stage'), context = canvas.getContext('2d'), box = canvas.getBoundingClientRect(), scale = devicePixelRatio || 1
  canvas.width = box.width * scale
  canvas.height = box.height * scale
  if (!shown || !box.width) return
  context.scale(scale, scale)
  const left = 14, right = 92, top = 22, x = place => left + place.x * (box.width - left - right), y = place => top + place.y * (box.height - top - 8)
  const loads = document.documentElement.dataset.theme === 'dark' ? kLoadsInDark : kLoads, loadOf = share => loads.find(([below]) => share < below)[1]
  const ink = colour('--ink'), line = (link, style, width) => {
    context.strokeStyle = style
    context.lineWidth = width
    context.beginPath()
    context.moveTo(x(link.begin), y(link.begin))
    context.lineTo(x(link.end), y(link.end))
    context.stroke()
  }
  context.font = '13px system-ui, sans-serif'
  context.globalAlpha = Math.min(1, 20 / shown.feeds.size + 0.15)
  for (const link of shown.feeds.values()) line(link, loadOf(link.load), 1)
  context.globalAlpha = 1
  for (const link of shown.links) line(link, loadOf(link.utilisation), Math.max(1.5, Math.min(8, 1.5 + Math.log2(link.rate_bits_per_s / 1e9))))
  context.fillStyle = ink
  const room = (box.height - top) / Math.max(1, shown.links.length)
  if (room > 15)
    for (const link of shown.links) {
      const middle = { x: (x(link.begin) + x(link.end)) / 2, y: (y(link.begin) + y(link.end)) / 2 }
      context.textAlign = 'center'
      context.fillText(`busy ${percent(link.utilisation)}`, middle.x, middle.y - 7)
      context.textAlign = 'left'
      if (link.to === 'server') context.fillText(link.end.name ?? '', x(link.end) + 8, y(link.end) + 4)
    }
  if (burst) drawFrames(context, x, y)
  for (const each of shown.run.switches) drawSwitch(context, each, x(shown.places.get(each.name)), y(shown.places.get(each.name)), box.height - top)
  context.fillStyle = ink
  context.textAlign = 'left'
  context.fillText(many(shown.modules, 'module'), 4, 14)
}

function drawSwitch(context, each, x, y, height) {
  const alike = [...shown.places.values()].filter(place => place.x === shown.places.get(each.name).x).length
  const tall = Math.min(110, 0.7 * height / alike), wide = 34, top = y - tall / 2
  const level = burst ? heldAt(each.name, now).frames : each.peak_frames, lossy = burst ? burst.lost.some(lost => lost.place === each.name && lost.time <= now) : each.frames_lost > 0
  context.fillStyle = colour('--card')
  context.fillRect(x - wide / 2, top, wide, tall)
  const full = each.peak_frames ? tall * level / each.peak_frames : 0
  context.fillStyle = lossy ? colour('--lossy') : colour('--accent')
  context.globalAlpha = burst ? 0.8 : 0.35
  context.fillRect(x - wide / 2, top + tall - full, wide, full)
  context.globalAlpha = 1
  context.strokeStyle = lossy ? colour('--lossy') : colour('--ink')
  context.lineWidth = lossy ? 3 : 1.5
  context.strokeRect(x - wide / 2, top, wide, tall)
  if (tall < 26) return
  context.fillStyle = colour('--ink')
  context.textAlign = 'center'
  context.fillText(each.name, x, top - 5)
  context.fillText(burst ? String(level) : `≤ ${level}`, x, top + tall - 5)
}

function drawFrames(context, x, y) {
  const size = shown.modules > 100 ? 3 : 5, rows = burst.carried
  for (let i = firstAfter(rows, now - burst.longest); i < rows.length && rows[i].time <= now; ++i) {
    const { time, until, link, event, stream } = rows[i]
    if (until <= now || until <= time) continue
    const part = (now - time) / (until - time)
    context.fillStyle = stream ? colour('--quiet') : kEvents[event % kEvents.length]
    context.fillRect(x(link.begin) + part * (x(link.end) - x(link.begin)) - size / 2, y(link.begin) + part * (y(link.end) - y(link.begin)) - size / 2, size, size)
  }
  // A cross stays where a frame was lost, at the end of its link.
  context.strokeStyle = colour('--lossy')
  context.lineWidth = 2
  for (const each of burst.lost.slice(0, firstAfter(burst.lost, now)).slice(-400)) {
    const link = shown.feeds.get(`module ${each.module}`), place = shown.places.get(each.place) ?? link?.begin
    if (!place) continue
    const from = link && link.end === place ? link.begin : { x: place.x - 0.05, y: place.y }
    const at = { x: x(place) - 0.12 * (x(place) - x(from)), y: y(place) - 0.12 * (y(place) - y(from)) }
    context.beginPath()
    context.moveTo(at.x - 4, at.y - 4), context.lineTo(at.x + 4, at.y + 4), context.moveTo(at.x - 4, at.y + 4), context.lineTo(at.x + 4, at.y - 4)
    context.stroke()
  }
}

/// The memory over the run; while a burst is shown, its time and first loss.
export function drawMemory() {
  byId('memory').toggleAttribute('hidden', !held.length)
  const box = byId('memory').getBoundingClientRect(), svg = d3.select('#memory').attr('viewBox', `0 0 ${box.width} ${box.height}`)
  svg.selectAll('*').remove()
  const name = shown?.run.switches[0]?.name
  if (!held.length || !box.width) return
  const x = d3.scaleLinear().domain([0, held[held.length - 1].time]).range([62, box.width - 16]), y = d3.scaleLinear().domain([0, d3.max(held, row => row.frames)]).nice().range([box.height - 40, 10])
  svg.append('g').attr('class', 'axis').attr('transform', `translate(0,${box.height - 40})`).call(d3.axisBottom(x).ticks(6))
  svg.append('g').attr('class', 'axis').attr('transform', 'translate(62,0)').call(d3.axisLeft(y).ticks(4))
  svg.append('text').attr('x', (62 + box.width) / 2).attr('y', box.height - 6).attr('text-anchor', 'middle').text(`time (us); frames in the memory of ${name}`)
  svg.append('path').attr('class', 'watershed').attr('d', d3.line().curve(d3.curveStepAfter).x(row => x(row.time)).y(row => y(row.frames))(held))
  const first = shown.run.first_loss
  if (first) svg.append('line').attr('class', 'loss').attr('x1', x(1e6 * first.time_s)).attr('x2', x(1e6 * first.time_s)).attr('y1', 10).attr('y2', box.height - 40).append('title').text('first loss')
  svg.append('line').attr('class', 'now').attr('y1', 10).attr('y2', box.height - 40)
  markNow = () => svg.select('.now').style('display', burst ? null : 'none').attr('x1', x(now)).attr('x2', x(now))
  markNow()
}

export function beginPlayer() {
  byId('play').addEventListener('click', () => play(!playing))
  byId('when').addEventListener('input', () => { play(false); go(Number(byId('when').value)) })
  byId('to-loss').addEventListener('click', () => { play(false); go(burst.first.time) })
}
