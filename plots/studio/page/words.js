// SPDX-License-Identifier: GPL-2.0-only
/* global d3 */

export const byId = id => document.getElementById(id)
export const count = number => number.toLocaleString('en')
export const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)} %`

/// An element with what is in it.
export function element(name, ...content) {
  const made = document.createElement(name)
  made.append(...content)
  return made
}
export const item = (...content) => element('li', ...content)

/// A table with a head, whose rows begin with what they are about.
export function table(head, rows) {
  const scoped = (scope, content) => Object.assign(element('th', content), { scope })
  return element('table', element('thead', element('tr', ...head.map(each => scoped('col', each)))),
    element('tbody', ...rows.map(([first, ...others]) => element('tr', scoped('row', first), ...others.map(each => element('td', each))))))
}

/// Rows of a table (CSV) by the names of its columns. d3.csvParse() makes code, which the page's policy forbids.
export function rowsOf(text) {
  const [head = [], ...rows] = d3.csvParseRows((text ?? '').split(/\r?\n/).filter(line => line && !line.startsWith('#')).join('\n'))
  return rows.map(row => Object.fromEntries(head.map((name, i) => [name, row[i]])))
}
