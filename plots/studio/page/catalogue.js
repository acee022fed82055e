// SPDX-License-Identifier: GPL-2.0-only
// The switches of the catalogue beside the design's own.
/* global d3 */

import { ask, page } from './ask.js'
import { count, item } from './words.js'

let asker = null

/// A design without the switch's keys, but for how many switches and uplinks it has.
async function withoutSwitch() {
  const bare = await ask('scenario', { ...asker.design(), without: 'switch' }, `${page} catalogue`)
  const kept = ['switch.count', 'switch.uplinks', 'switch.uplink_rate'].filter(key => asker.valueOf(key) !== undefined).map(key => `${key}=${asker.valueOf(key)}`)
  return { text: bare.scenario, kept }
}

/// A button that puts a switch of the catalogue into the design.
function choice(name, set, words) {
  const entry = item(` ${words}`), button = document.createElement('button')
  button.textContent = name
  button.addEventListener('click', async () => {
    try {
      const { text, kept } = await withoutSwitch(), scenario = await ask('scenario', { scenario: text, set: [...kept, ...set] })
      asker.pick(name, scenario.scenario)
    } catch (error) { asker.say(error.message) }
  })
  entry.prepend(button)
  return entry
}

/// Asks what each switch of the catalogue does with the design.
/// @param about  the page: its design, and what becomes of a switch that is picked
export async function tryCatalogue(about) {
  asker = about
  const list = document.getElementById('switches')
  list.replaceChildren(item('Trying all switches of the catalogue …'))
  try {
    await (asker.withoutEnd() ? explore(list) : tryBurst(list))
  } catch (error) { list.replaceChildren(item(error.message)) }
}

/// For random triggers: the ways that lose few enough.
async function explore(list) {
  const answer = await ask('explore', { ...asker.design(), top: 10 })
  if (!answer) return
  const others = answer.switches.filter(each => !each.feasible)
  list.replaceChildren(item(`${answer.advice.buy}. ${answer.advice.why}`), ...answer.switches.filter(each => each.feasible).map(each => {
    const way = answer.ways.find(one => one.switch === each.switch), set = way ? [`switch.count=${way.switches}`, `switch.uplinks=${way.uplinks}`] : []
    return choice(each.name, [`switch.model=${each.switch}`, ...set], `${each.feasible} of ${each.ways} ways suffice; ${each.why}`)
  }), item(`${others.length} others do not: ${others.slice(0, 5).map(each => `${each.name} (${each.why})`).join(', ')} …`))
}

/// For a burst: what each switch loses of it.
async function tryBurst(list) {
  const { text, kept } = await withoutSwitch(), { switches } = await ask('switches', {}), mine = asker.asked()
  const outcomes = [], refused = []
  const next = async number => {
    for (let each; (each = switches.shift()) && mine === asker.asked();) {
      try {
        const one = await ask('run', { scenario: text, set: [...kept, `switch.model=${each.switch}`], engine: 'exact' }, `${page} catalogue ${number}`)
        outcomes.push({ ...each, lost: one.frames.lost, sent: one.frames.sent, assumed: one.assumed.length })
      } catch (error) { refused.push(each.name) }
      list.replaceChildren(item(`${outcomes.length + refused.length} tried, ${switches.length} to go …`))
    }
  }
  await Promise.all(d3.range(4).map(next))
  outcomes.sort((a, b) => a.lost - b.lost || a.assumed - b.assumed || (a.name < b.name ? -1 : 1))
  list.replaceChildren(...outcomes.map(each => choice(each.name, [`switch.model=${each.switch}`],
    `${each.lost ? `loses ${count(each.lost)} of ${count(each.sent)} frames` : 'loses none'}${each.assumed ? `; ${each.assumed} of its values assumed` : ''}`)),
  item(`${refused.length} have not the ports, or no known memory.`))
}
