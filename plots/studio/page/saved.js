// SPDX-License-Identifier: GPL-2.0-only
// The page as a file of its own: what it shows, and nothing that asks.

export function save(name, text, type = 'text/plain') {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}

/// The page as it stands: pictures for canvases, texts for fields, and neither buttons nor scripts nor the token.
export function savedPage(title) {
  const whole = document.documentElement.cloneNode(true)
  const pairs = selector => [...document.querySelectorAll(selector)].map((each, i) => [each, whole.querySelectorAll(selector)[i]])
  // A window of another size scales pictures, and what lies on them alike.
  for (const [figure, copy] of pairs('#plane, #stage, #memory, #risks, #residuals')) {
    const { width, height } = figure.getBoundingClientRect()
    copy.style.cssText = `height: auto; aspect-ratio: ${width} / ${height}`
  }
  for (const [canvas, copy] of pairs('canvas')) {
    const picture = document.createElement('img')
    picture.src = canvas.toDataURL()
    picture.id = copy.id
    picture.style.cssText = copy.style.cssText
    picture.className = 'canvas'
    picture.alt = canvas.getAttribute('aria-label') ?? ''
    copy.replaceWith(picture)
  }
  for (const [field, copy] of pairs('input[type=text]')) {
    const value = document.createElement('output')
    value.textContent = field.value
    value.className = field.className
    copy.replaceWith(value)
  }
  for (const button of whole.querySelectorAll('table button')) button.replaceWith(...button.childNodes)
  for (const [area, copy] of pairs('textarea')) {
    const text = document.createElement('pre')
    text.textContent = area.value
    copy.replaceWith(text)
  }
  const style = document.createElement('style')
  style.textContent = [...document.styleSheets].flatMap(sheet => [...sheet.cssRules]).map(rule => rule.cssText).join('\n')
  whole.querySelector('link[rel=stylesheet]').replaceWith(style)
  const policy = document.createElement('meta')
  policy.httpEquiv = 'Content-Security-Policy'
  policy.content = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
  whole.querySelector('meta').after(policy)
  whole.querySelector('title').textContent = title
  for (const each of whole.querySelectorAll('script, button, label:has(select), input, .asks, .button, [hidden]')) each.remove()
  for (const each of whole.querySelectorAll('.point')) {
    each.removeAttribute('tabindex')
    each.removeAttribute('role')
  }
  for (const label of whole.querySelectorAll('label')) label.removeAttribute('for')
  return `<!doctype html>\n${whole.outerHTML}\n`
}
