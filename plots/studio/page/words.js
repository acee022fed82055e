// SPDX-License-Identifier: GPL-2.0-only

export const count = number => number.toLocaleString('en')

export function item(text) {
  const line = document.createElement('li')
  line.textContent = text
  return line
}
