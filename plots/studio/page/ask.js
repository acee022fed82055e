// SPDX-License-Identifier: GPL-2.0-only
// Questions to the program.

export const fragment = new URLSearchParams(location.hash.slice(1))
export const token = fragment.get('token') || ''
export const page = String(Math.random()).slice(2)

/// How many questions wait for an answer, as `data-asks` of the page.
let asks = 0
const waiting = more => { document.body.dataset.asks = asks += more }

/// Time for what is more urgent; counts as a question.
export function pause(milliseconds) {
  waiting(+1)
  return new Promise(done => setTimeout(done, milliseconds)).finally(() => setTimeout(waiting, 0, -1))
}

/// Asks a command of the program. @throws Error with the program's words; null where a newer question took its place
/// @param asker  whose newer question of this command ends the older
export async function ask(command, fields, asker = page) {
  waiting(+1)
  try {
    const answer = await fetch(`/api/v1/${command}`, {
      method: 'POST', headers: { Authorization: `Bearer ${token}`, 'X-Page': asker, 'X-Refusals': 'in the body' }, body: JSON.stringify(fields)
    })
    const json = await answer.json()
    if (json.refused === 409) return null
    if (!answer.ok || json.refused) throw new Error(json.error.replace(/^error: /, '').trim())
    return json
  } finally { setTimeout(waiting, 0, -1) }   // by then the page has asked for what follows
}
