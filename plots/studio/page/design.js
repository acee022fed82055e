// SPDX-License-Identifier: GPL-2.0-only
// The design: a scenario's text, and keys that are set beside it.
/* global d3 */

import { byId, element } from './words.js'

const kGroups = [
  ['Detector', [['front_end.modules', 'modules'], ['frame.payload', 'payload of a frame'], ['front_end.link_rate', 'rate of a module'],
    ['front_end.skew', 'skew, module to module'], ['front_end.jitter', 'jitter']]],
  ['Triggers', [['trigger.separation', 'separation'], ['trigger.events', 'events in a burst'], ['trigger.rate', 'mean rate'], ['trigger.dead_time', 'dead time']]],
  ['Switches', [['switch.model', 'model'], ['switch.count', 'switches'], ['switch.uplinks', 'uplinks of each'], ['switch.uplink_rate', 'rate of an uplink']]],
  ['Memory', [['switch.buffer.size', 'size'], ['switch.buffer.alpha', 'alpha'], ['switch.buffer.sharing', 'sharing']]]
]
const kWhole = ['front_end.modules', 'trigger.events', 'switch.count', 'switch.uplinks']

/// Contents of the page: the design, files that were dropped on it, and a design to compare with.
export const state = { name: '', text: '', set: {}, picked: '', values: {}, map: null, mapName: '', struck: new Set(), prices: null, pricesName: '', pinned: null }
/// Answers about the design: the line without loss, or why there is none, the loss map behind it, a run, and the measured map's fit.
export const known = { line: null, why: '', losses: null, run: null, fit: null, next: [] }
const past = [], future = []

export const overrides = (set = state.set) => Object.entries(set).map(([key, value]) => `${key}=${value}`)
export const design = () => ({ scenario: state.text, set: overrides() })
export const valueOf = key => state.set[key] ?? state.values[key]
export const bare = text => text?.replace(/^"|"$/g, '')
export const nameOf = () => [state.name, state.picked, ...overrides()].filter(each => each).join(', ')
export const withoutEnd = () => /poisson|periodic/.test(valueOf('trigger.pattern') ?? '')
/// The program knows the scenario by another name.
export const own = text => text.replace('scenario.toml', state.name)

/// Parts of "46 frames" or "8.72 us": number and unit.
export function quantity(text) {
  const found = /^"?([0-9.eE+-]+) ?([^"]*)"?$/.exec(text ?? '')
  return found && isFinite(found[1]) ? { number: Number(found[1]), unit: found[2] } : null
}
export const withUnit = (number, unit) => unit ? `${number} ${unit}` : String(number)
const rounded = (number, whole) => whole ? Math.max(1, Math.round(number)) : Number(number.toPrecision(3))

/// Values of the keys, also of those that a switch of the catalogue brings.
export function takeValues(values) {
  state.values = Object.fromEntries(Object.entries(values).map(([key, value]) => [key.trim(), value]))
}

let changed = () => {}
export const onChange = then => { changed = then }

export function remember() {
  past.push(JSON.stringify({ text: state.text, set: state.set, picked: state.picked }))
  future.length = 0
  if (past.length > 200) past.shift()
}
function restore(from, to) {
  if (!from.length) return
  to.push(JSON.stringify({ text: state.text, set: state.set, picked: state.picked }))
  Object.assign(state, JSON.parse(from.pop()))
  changed(true)
}
export const undo = () => restore(past, future)
export const redo = () => restore(future, past)
export function showHistory() {
  byId('undo').disabled = !past.length
  byId('redo').disabled = !future.length
}

/// Takes another text in place of the design's. @param picked  switch of the catalogue that it has
export function take(text, picked = '') {
  remember()
  Object.assign(state, { text, set: {}, picked })
  changed(true)
}

export function setKey(key, value, step = true) {
  if (step) remember()
  if (value === state.values[key]) delete state.set[key]
  else state.set[key] = value
  changed(false)
}

function field(key, label) {
  const text = valueOf(key)
  if (text === undefined) return null
  const input = Object.assign(element('input'), { type: 'text', id: `key-${key}`, value: bare(text), className: key in state.set ? 'changed' : '' })
  const row = Object.assign(element('div', Object.assign(element('label', label), { htmlFor: input.id, title: key }), input), { className: 'field' })
  input.addEventListener('change', () => { setKey(key, input.value.trim() || state.values[key]); fill() })
  const start = quantity(state.values[key])
  if (start && start.number > 0) {
    const whole = kWhole.includes(key), slider = element('input'), scale = d3.scaleLog().domain([start.number / 20, start.number * 20]).range([-1000, 1000])
    Object.assign(slider, { type: 'range', min: -1000, max: 1000 }).setAttribute('aria-label', `${label}, ${key}`)
    const now = quantity(text), number = now?.unit === start.unit ? now.number : start.number
    slider.value = scale(number)
    let moves = false
    const move = to => {
      const value = withUnit(to, start.unit)
      slider.setAttribute('aria-valuetext', value)
      if (value === input.value) return
      input.value = value
      setKey(key, value, !moves)
      moves = true
    }
    slider.addEventListener('input', () => move(rounded(scale.invert(Number(slider.value)), whole)))
    slider.addEventListener('change', () => { moves = false })
    // A key of the keyboard moves a number by one.
    if (whole) slider.addEventListener('keydown', event => {
      const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key]
      if (!step) return
      event.preventDefault()
      const to = Math.max(1, Number(input.value) + step)
      slider.value = scale(to)
      move(to)
      moves = false
    })
    row.append(slider)
  }
  return row
}

export function fill() {
  byId('design').replaceChildren(...kGroups.map(([title, keys]) => element('fieldset', element('legend', title), ...keys.map(([key, label]) => field(key, label)).filter(row => row)))
    .filter(set => set.childElementCount > 1))
  byId('text').value = state.text
}
