// SPDX-License-Identifier: GPL-2.0-only
// Questions of the page about a design as it changes, and its first lines. A newer question ends the older, here as on the server.
/* global d3 */

import { ask, page, pause, token } from './ask.js'
import { askMemory, clearNetwork, showNetwork } from './burst.js'
import { markSwitches } from './catalogue.js'
import { askComparison } from './comparison.js'
import { design, fill, known, overrides, own, showHistory, state, takeValues, withoutEnd } from './design.js'
import { askLosses, caption, draw, kSeparations, separations } from './plane.js'
import { askRisks, chance, clearRisks } from './risk.js'
import { byId, count, element, percent } from './words.js'

/// A line of so many separations is there within kSoon milliseconds, as the last ones were. An odd number has the design's own.
const kSoon = 60, kFewest = 3
/// Events beyond which the first line is not lengthened by runs; the whole line, which follows, is.
const kShort = 2000
let few = kFewest
async function askLine(number, more = {}) {
  const { unit, list } = separations(number), from = performance.now()
  const line = await ask('boundary', { ...design(), separation: list.map(one => `${one} ${unit}`).join(','), ...more }).catch(error => ({ why: error.message }))
  const took = performance.now() - from
  if (line && (took > kSoon || 2 * took < kSoon)) few = Math.max(kFewest, Math.min(kSeparations, Math.floor(number * Math.max(0.25, Math.min(2, 0.7 * kSoon / took))) | 1))
  return line
}
const rowsOfLine = line => line.rows?.map(([separation, events]) => ({ separation, events })) ?? null

/// A drag changes the design more often than it can be asked about: the newest waits until the picture of the one before
/// is there, but no longer than so many milliseconds.
const kPatience = 150
/// Milliseconds after which a run is asked anew even while the design is dragged; until then it waits for a rest of so many.
const kTold = 500, kRest = 80
let asked = 0, begun = -Infinity, again = false, told = -Infinity, toldOf = 0, linking = 0

/// Keeps the design in the page's address, once it stays.
function link() {
  clearTimeout(linking)
  linking = setTimeout(() => history.replaceState(null, '', `#${new URLSearchParams({ token, design: btoa(unescape(encodeURIComponent(JSON.stringify({ name: state.name, text: state.text, set: state.set })))) })}`), 200)
}

export async function changed(refill) {
  showHistory()
  link()
  if (!refill && performance.now() - begun < kPatience) {
    again = true
    return
  }
  const mine = ++asked, stands = () => mine === asked
  begun = performance.now()
  again = false
  try {
    if (refill) {
      takeValues((await ask('scenario', { scenario: state.text, set: [] }))?.values ?? {})
      fill()
    }
    markSwitches()
    // The line first, alone: it is what the eye follows.
    const number = few, line = await askLine(number, { limit: kShort })
    if (!stands() || line === null) return
    Object.assign(known, { line: rowsOfLine(line), why: line.why, losses: null })
    draw()
    sayLongest()
    begun = -Infinity   // from here on a newer design asks for its line at once
    if (performance.now() - told < kTold) {
      if (again) return changed(false)
      await pause(kRest)
      if (!stands()) return
    }
    told = performance.now()
    const endless = withoutEnd(), answers = Promise.all([
      ask('run', { ...design(), engine: 'exact' }),
      ask('bound', design()).catch(error => ({ refused: error.message })),
      endless ? ask('risk', design()) : null
    ])
    if (again) changed(false)
    const [run, proof, risk] = await answers
    if (mine < toldOf || run === null || (endless && risk === null)) return
    toldOf = mine
    known.run = run
    tell(run, proof, risk)
    caption()
    showNetwork(run)
    // The rest is for who looks, not for who drags: it would keep the next line waiting.
    await pause(150)
    if (stands() && known.line && (number < kSeparations || known.line.some(each => !each.events))) {
      const whole = await askLine(kSeparations)
      if (stands() && whole) known.line = rowsOfLine(whole) ?? known.line, draw()
    }
    if (stands()) await sayLongest(true)
    if (stands() && known.line) await askLosses(stands)
    if (stands()) await askMemory(design(), page, stands)
    if (stands()) await askComparison(stands)
    if (stands()) await askRisks(risk, stands)
  } catch (error) {
    if (!stands()) return
    begun = -Infinity
    toldOf = mine
    Object.assign(known, { line: null, why: error.message, losses: null, run: null })
    for (const each of ['results', 'longest', 'compared', 'cost']) byId(each).replaceChildren()
    clearRisks()
    clearNetwork()
    draw()
    say(error.message, '', 'wrong')
    if (again) changed(false)
  }
}

export function say(verdict, basis, kind) {
  byId('verdict').textContent = verdict
  byId('verdict').className = kind
  byId('basis').textContent = basis
}

const rowAt = (line, at) => line?.find(each => Math.abs(each.separation / at - 1) < 1e-4)

/// The longest burst without loss at the design's separation, and how that of the pinned design differs.
/// @param asks  may ask for the pinned design's, where its line has none
export async function sayLongest(asks) {
  const { at, unit, inMicroseconds } = separations(), row = rowAt(known.line, at * inMicroseconds), { pinned } = state, words = each => each?.events ? `${count(each.events)} event${each.events === 1 ? '' : 's'}` : 'none that was tried loses'
  if (!row) return byId('longest').replaceChildren()
  let other = rowAt(pinned?.line, at * inMicroseconds)
  if (pinned && !other && asks) other = rowsOfLine(await ask('boundary', { scenario: pinned.text, set: overrides(pinned.set), separation: `${at} ${unit}` }, `${page} pinned`).catch(() => null) ?? {})?.[0]
  const more = other?.events && row.events ? row.events / other.events - 1 : null
  byId('longest').textContent = `longest lossless burst at ${at} ${unit}: ${words(row)}${pinned && other ? ` (pinned: ${words(other)}${more === null ? '' : `, ${more < 0 ? '−' : '+'}${percent(Math.abs(more))}`})` : ''}`
}

function tell(run, proof, risk) {
  const { lost, sent } = run.frames
  if (proof?.answer && proof.lossless) say(`loses nothing, proven: ${proof.answer[1] ?? ''}`, own(proof.answer[0]), '')
  else if (risk) say(`chance that an event is incomplete: ${chance(risk)}${risk.per_night > 0 ? `; a night of ${risk.night_hours} h: ${risk.per_night.toPrecision(2)} events` : ''}`,
    `${risk.method}, ${risk.risk_kind}${risk.remark ? `: ${risk.remark}` : ''}; load ${percent(risk.load)}${proof?.refused ? `; no proof: ${proof.refused}` : ''}`, lost ? 'lossy' : '')
  else {
    const words = lost ? `loses ${count(lost)} of ${count(sent)} frames; ${run.events.complete} of ${run.events.sent} events are complete` : `loses none of ${count(sent)} frames in this run`
    say(words, `one run, seed ${run.seed}; ${proof?.refused ? `no proof: ${proof.refused}` : own((proof?.answer ?? []).slice(0, 2).join(' '))}`, lost ? 'lossy' : '')
  }
  const cards = [['frames lost', count(lost)], ['complete events', `${run.events.complete} of ${run.events.sent}`],
    ['most in a memory', run.buffer?.peak_frames === undefined ? '–' : `${count(run.buffer.peak_frames)} frames`],
    ['busiest uplink', percent(d3.max(run.uplinks ?? [], each => each.utilisation) || 0)]]
  byId('results').replaceChildren(...cards.map(([label, text]) => Object.assign(element('div', element('b', text), label), { className: 'card' })))
}
