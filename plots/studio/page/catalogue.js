// SPDX-License-Identifier: GPL-2.0-only
// The switches of the catalogue in place of the design's own.
/* global d3 */

import { Work, ask, page } from './ask.js'
import { prices } from './comparison.js'
import { bare, design, nameOf, state, take, valueOf, withoutEnd } from './design.js'
import { separations } from './plane.js'
import { say } from './questions.js'
import { byId, count, element, rowsOf, table } from './words.js'

const kKept = ['switch.count', 'switch.uplinks', 'switch.uplink_rate']

/// A design without the switch's keys, but for how many switches and uplinks it has.
async function withoutSwitch() {
  const rest = await ask('scenario', { ...design(), without: 'switch' }, `${page} catalogue`)
  return { text: rest.scenario, kept: kKept.filter(key => valueOf(key) !== undefined).map(key => `${key}=${valueOf(key)}`) }
}

/// A button that puts a switch of the catalogue into the design.
function choice(name, set) {
  const button = element('button', name)
  button.addEventListener('click', async () => {
    try {
      const { text, kept } = await withoutSwitch(), { scenario } = await ask('scenario', { scenario: text, set: [...kept, ...set] })
      take(scenario, name)
    } catch (error) { say(error.message, '', 'wrong') }
  })
  return button
}

/// The design that the list is made for: its name, and what the list depends on.
let made = null
const basis = () => JSON.stringify([state.prices, separations().at, ...Object.entries({ ...state.values, ...state.set })
  .filter(([key]) => !/^(switch\.|ports$)/.test(key) || (!withoutEnd() && kKept.includes(key))).map(([key, value]) => [key, bare(value)]).sort()])

export function markSwitches() {
  const stale = made && made.basis !== basis(), title = byId('for-design')
  byId('suffice').className = stale ? 'stale' : ''
  title.textContent = made ? `${stale ? 'Not for the design that is shown, but' : 'Made'} for ${made.name}${stale ? ': ask again.' : '.'}` : ''
}

/// Asks what each switch of the catalogue does with the design.
export async function tryCatalogue() {
  const list = byId('switches'), work = new Work('catalogue'), mine = made = { name: nameOf(), basis: basis() }, done = (...content) => { if (mine === made) list.replaceChildren(...content) }
  markSwitches()
  done('Trying all switches of the catalogue …')
  byId('suffice').scrollIntoView({ block: 'nearest' })
  try {
    const catalogue = new Map((await ask('switches', {}, `${page} catalogue`)).switches.map(each => [each.switch, each]))
    done(...await (withoutEnd() ? explore(catalogue) : tryBurst(catalogue, work)))
  } catch (error) { done(error.message) }
  work.end()
}

const memoryOf = each => bare(each.values['switch.buffer.size']?.value ?? '') || '–'
const amount = (price, currency) => price === null || price === undefined || price === '' ? 'unknown' : `${Number(price).toLocaleString('en')} ${currency}`
const details = (words, all) => all.length ? element('details', element('summary', `${all.length} ${words}`), ...all.map(each => element('p', each))) : 'nothing'

/// For random triggers: the ways that lose few enough.
async function explore(catalogue) {
  const answer = await ask('explore', { ...design(), top: 10, ...prices() })
  const known = each => each?.price ?? Infinity, others = answer.switches.filter(each => !each.feasible)
  const found = answer.switches.filter(each => each.feasible).map(each => ({ each, way: answer.ways.filter(one => one.switch === each.switch).sort((a, b) => d3.ascending(known(a), known(b)))[0] }))
  found.sort((a, b) => d3.ascending(known(a.way), known(b.way)))   // unless prices are known it stays as the program ranks it
  const [{ each: first, way: cheapest } = {}] = found, rows = found.map(({ each, way }) => {
    const assumed = [...way.assumed, ...way.recalled]
    return [choice(each.name, [`switch.model=${each.switch}`, `switch.count=${way.switches}`, `switch.uplinks=${way.uplinks}`]), way.switches, way.uplinks, memoryOf(catalogue.get(each.switch)),
      `${way.capacity.toFixed(2)} ×`, way.watershed_events ? `${count(way.watershed_events)} events` : 'any', amount(way.price, answer.currency), details(assumed.length === 1 ? 'value' : 'values', assumed), each.why]
  })
  return [table(['switch', 'number', 'uplinks of each', 'memory', 'triggers at most', 'burst at most', 'price', 'assumed', 'why not recommended'], rows),
    ...isFinite(known(cheapest)) ? [element('p', `Cheapest of those that suffice and have a price: ${cheapest.switches} × ${first.name}, ${amount(cheapest.price, answer.currency)}.`)] : [], element('p', `${answer.advice.buy}. ${answer.advice.why}`),
    details('others are not known to suffice', others.map(each => `${each.name}: ${each.why}`))]
}

/// For a burst: what each switch loses of it, and the longest that it would bear.
async function tryBurst(catalogue, work) {
  const { text, kept } = await withoutSwitch(), { at, unit } = separations(), left = [...catalogue.values()], outcomes = [], refused = []
  const [, currency = ''] = /^[^#].*price_(\w+)/m.exec(state.prices ?? '') ?? [], priceOf = new Map(rowsOf(state.prices).map(each => [each.switch, each[currency ? `price_${currency}` : 'price']]))
  const next = async number => {
    for (let each; (each = left.shift()) && !work.signal.aborted;) {
      const set = [...kept, `switch.model=${each.switch}`], asker = `${page} catalogue ${number}`
      try {
        const run = await ask('run', { scenario: text, set, engine: 'exact' }, asker), line = await ask('boundary', { scenario: text, set, separation: `${at} ${unit}` }, asker).catch(() => null)
        outcomes.push({ ...each, ...run.frames, assumed: run.assumed, longest: line ? line.rows[0][1] ?? Infinity : null })
      } catch (error) { refused.push(`${each.name}: ${error.message}`) }
      work.tell((outcomes.length + refused.length) / catalogue.size, `${outcomes.length + refused.length} of ${catalogue.size}`)
    }
  }
  await Promise.all(d3.range(4).map(next))
  if (work.signal.aborted) throw new Error('Cancelled.')
  outcomes.sort((a, b) => a.lost - b.lost || a.assumed.length - b.assumed.length || (a.name < b.name ? -1 : 1))
  return [table(['switch', 'this burst', 'memory', `bears at most, at ${at} ${unit}`, 'price of one', 'assumed'], outcomes.map(each => [choice(each.name, [`switch.model=${each.switch}`]),
    each.lost ? `loses ${count(each.lost)} of ${count(each.sent)} frames` : 'loses none', memoryOf(each), each.longest === null ? '–' : each.longest === Infinity ? 'any that was tried' : `${count(each.longest)} events`,
    amount(priceOf.get(each.switch), currency), details(each.assumed.length === 1 ? 'value' : 'values', each.assumed.map(one => one.key ? `${one.key} = ${one.value}` : String(one)))])),
  details('have not the ports, or no known memory', refused)]
}
