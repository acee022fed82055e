// SPDX-License-Identifier: GPL-2.0-only
// The page of `watershed studio`. Numbers are the program's: the page asks, draws and remembers.

import { ask, cancelWorks, fragment, token } from './ask.js'
import { beginPlayer, drawMemory, drawStage, watch } from './burst.js'
import { tryCatalogue } from './catalogue.js'
import { askComparison, takePrices } from './comparison.js'
import { design, known, nameOf, onChange, redo, state, take, undo } from './design.js'
import { addResult, advise, drawResiduals, kept, refit, takeMap } from './measured.js'
import { draw, separations } from './plane.js'
import { changed, say, sayLongest } from './questions.js'
import { drawRisks, shownRisks } from './risk.js'
import { save, savedPage } from './saved.js'
import { byId } from './words.js'

/// Draws all, in another size or in other colours.
function redraw() {
  for (const each of [draw, drawMemory, drawStage, drawRisks, drawResiduals]) each()
}

const fileName = ending => `${state.name.replace(/\.toml$/, '')}${ending}`

/// A figure or a report that the program draws.
async function handOn(command, ending, type) {
  const { unit, list } = separations(), button = byId(command)
  button.disabled = true
  try {
    const answer = await ask(command, { ...design(), ...(state.map ? { map: kept() } : {}), separation: list.map(each => `${each} ${unit}`).join(',') })
    if (answer) save(fileName(`-${command}.${ending}`), answer[ending], type)
  } catch (error) { say(error.message, '', 'wrong') }
  button.disabled = false
}

function theme(name) {
  document.documentElement.dataset.theme = name
  redraw()
}

function pin() {
  state.pinned = state.pinned || !known.line ? null : { line: known.line, name: nameOf(), text: state.text, set: { ...state.set }, risks: shownRisks() }
  byId('pin').textContent = state.pinned ? 'Unpin' : 'Pin for comparison'
  draw()
  drawRisks()
  sayLongest(true)
  askComparison()
}

/// A table of prices has a column "switch", a loss map has none.
async function takeFile(file) {
  if (!file) return
  const text = await file.text(), head = text.split(/\r?\n/).find(line => line && !line.startsWith('#')) ?? ''
  if (!/(^|[,;])"?switch"?([,;]|$)/.test(head)) return takeMap(text, file.name)
  await takePrices(text, file.name)
  if (byId('switches').childElementCount) tryCatalogue()
}

async function begin() {
  const start = await (await fetch('/api/v1/start', { headers: { Authorization: `Bearer ${token}` } })).json()
  if (start.error) return say(start.error, '', 'wrong')
  const shared = fragment.get('design')
  Object.assign(state, { name: start.scenario_name, text: start.scenario, map: start.map, mapName: start.map_name ?? '' })
  if (shared) Object.assign(state, JSON.parse(decodeURIComponent(escape(atob(shared)))))
  byId('name').textContent = state.name
  document.documentElement.dataset.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  onChange(changed)
  const clicks = {
    undo, redo, pin, next: advise, try: tryCatalogue, cancel: cancelWorks, watch: () => watch(), take: () => take(byId('text').value),
    theme: () => theme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'),
    save: async () => {
      try { save(state.name, (await ask('scenario', design())).scenario) } catch (error) { say(error.message, '', 'wrong') }
    },
    keep: () => save(fileName('.html'), savedPage(`${state.name}, ${known.run?.program ?? ''}`), 'text/html'),
    figure: () => handOn('figure', 'svg', 'image/svg+xml'), report: () => handOn('report', 'html', 'text/html'),
    link: () => setTimeout(() => navigator.clipboard?.writeText(location.href).then(() => { byId('link').textContent = 'Copied' }), 250), drop: () => takeMap(null, '')
  }
  for (const [id, act] of Object.entries(clicks)) byId(id).addEventListener('click', () => act())
  byId('result').addEventListener('submit', event => { event.preventDefault(); addResult(event.target) })
  byId('design').addEventListener('submit', event => event.preventDefault())
  for (const id of ['file', 'prices'])
    byId(id).addEventListener('change', ({ target }) => {
      takeFile(target.files[0])
      target.value = ''   // else the same file could not be chosen again
    })
  addEventListener('keydown', event => {
    if (!(event.ctrlKey || event.metaKey) || !/^[yz]$/i.test(event.key) || /^(text|textarea)$/.test(event.target.type)) return
    event.preventDefault()
    event.key === 'y' || event.shiftKey ? redo() : undo()
  })
  for (const kind of ['dragover', 'dragleave', 'drop'])
    document.addEventListener(kind, event => {
      event.preventDefault()
      byId('measured').classList.toggle('over', kind === 'dragover')
      if (kind === 'drop') takeFile(event.dataTransfer.files[0])
    })
  beginPlayer()
  addEventListener('resize', redraw)
  await changed(true)
  if (state.map) refit()
}

begin()
