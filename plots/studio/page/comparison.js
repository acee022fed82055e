// SPDX-License-Identifier: GPL-2.0-only
// The design beside the pinned one, and what both cost by a table of prices.

import { ask, page } from './ask.js'
import { design, overrides, own, state } from './design.js'
import { separations } from './plane.js'
import { byId, table } from './words.js'

export function takePrices(text, name) {
  Object.assign(state, { prices: text, pricesName: name })
  byId('cost').scrollIntoView({ block: 'nearest' })
  return askComparison()
}

export const prices = () => state.prices ? { prices: state.prices } : {}

/// Compares the design with the pinned one; without one the table has a column of the design alone.
export async function askComparison(stands = () => true) {
  const { pinned } = state, { at, unit } = separations(), cost = byId('cost'), other = pinned ?? state
  if (!state.prices) cost.textContent = 'No prices are known: drop a table of them (CSV with columns switch, price_EUR, power_W; switches by their names in the list, and rows "uplink" and "interface" for what a link costs more) on this page.'
  if (!state.prices && !pinned) return byId('compared').replaceChildren()
  const set = [[design().set, 1], [overrides(other.set), 2]].flatMap(([keys, number]) => keys.map(each => `${number}:${each}`))
  try {
    const answer = await ask('compare', { scenario: state.text, other: other.text, set, separation: `${at} ${unit}`, ...prices() }, `${page} comparison`)
    if (!stands() || !answer) return
    const [{ price, power, switches }] = answer.designs
    if (state.prices) cost.textContent = `Price: ${price === null ? Object.keys(switches).some(each => each === 'switch') ? 'unknown, as this design names no switch of the catalogue' : `unknown, as ${state.pricesName} has not all of: ${Object.keys(switches).join(', ')}` : `${price.toLocaleString('en')} ${answer.currency}`}${power === null ? '' : `; power: ${power} W`} (${state.pricesName}).`
    byId('compared').replaceChildren(table(['quantity', 'this design', ...pinned ? ['pinned'] : []], answer.table.map(({ quantity, values }) => [quantity, ...values.slice(0, pinned ? 2 : 1)])))
  } catch (error) { if (stands()) cost.textContent = own(error.message).replace('prices.csv', state.pricesName) }
}
