// SPDX-License-Identifier: GPL-2.0-only
// Questions to the program, and how far their answers are.

import { byId, percent } from './words.js'

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

/// Work that takes long, of which the page shows how much is done, until it ends or is cancelled.
const works = new Set()
const kLong = 1000   // milliseconds after which it is shown
export class Work extends AbortController {
  constructor(name) {
    super()
    Object.assign(this, { name, began: performance.now(), done: null, words: '' })
    works.add(this)
    setTimeout(showWorks, kLong)
  }
  tell(done, words) {
    Object.assign(this, { done, words })
    showWorks()
  }
  end() {
    works.delete(this)
    showWorks()
  }
}

function showWorks() {
  const long = [...works].filter(each => performance.now() - each.began >= kLong), first = long.find(each => each.done !== null) ?? long[0], bar = byId('done')
  byId('work').hidden = !first
  if (!first) return
  if (first.done === null) bar.removeAttribute('value')
  else bar.value = first.done
  byId('doing').textContent = [`${first.name} …`, first.done === null ? '' : percent(first.done, 0), first.words].filter(each => each).join(' ')
}

export const cancelWorks = () => works.forEach(each => each.abort())

/// The answer at the end of a stream of events. @param hear  takes the others
async function lastOf(stream, hear) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) throw new Error('The program has ended.')
    text += value
    for (let end; (end = text.indexOf('\n\n')) >= 0; text = text.slice(end + 2)) {
      const [kind, ...data] = text.slice(0, end).split('\n'), json = JSON.parse(data.map(line => line.slice('data: '.length)).join('\n'))
      if (kind === 'event: answer') return json
      hear(json)
    }
  }
}

/// Asks a command of the program. @throws Error with the program's words; null where a newer question took its place
/// @param asker  whose newer question of this command ends the older
export async function ask(command, fields, asker = page) {
  waiting(+1)
  const work = new Work(command)
  try {
    const answer = await fetch(`/api/v1/${command}`, {
      method: 'POST', headers: { Authorization: `Bearer ${token}`, 'X-Page': asker, Accept: 'text/event-stream' }, body: JSON.stringify(fields), signal: work.signal
    })
    const streams = answer.headers.get('Content-Type') === 'text/event-stream'
    const json = await (streams ? lastOf(answer.body, ({ done, seconds }) => work.tell(done, `${seconds.toFixed(0)} s`)) : answer.json())
    if (json.refused === 409) return null
    if (!answer.ok || json.refused) throw new Error(json.error.replace(/^error: /, '').trim())
    return json
  } catch (error) {
    throw work.signal.aborted ? new Error('Cancelled.') : error instanceof TypeError ? new Error('The program does not answer: start watershed studio again. The design is kept in this page\'s address.') : error
  } finally {
    work.end()
    setTimeout(waiting, 0, -1)   // by then the page has asked for what follows
  }
}
