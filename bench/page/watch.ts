/** Runs within the page to measure when it has drawn a text, and how long its frames take. */

declare global {
  interface Window {
    /** When a text is in the row of the probe, and the frame that shows it was drawn. */
    seen(text: string): Promise<number>
    drawn: { begin: number; last: number; count: number; longest: number; work: number }
  }
}

export function watch(): void {
  const frames = { begin: performance.now(), last: 0, count: 0, longest: 0, work: 0 }
  window.drawn = frames
  const next = (at: number) => {
    if (frames.last > 0) frames.longest = Math.max(frames.longest, at - frames.last)
    frames.last = at
    frames.count += 1
    requestAnimationFrame(next)
  }
  requestAnimationFrame(next)
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) frames.work = Math.max(frames.work, duration)
  }).observe({ type: 'long-animation-frame' })

  window.seen = (text) =>
    new Promise((resolve) => {
      const list = document.querySelector('.list')
      const look = () => {
        const row = list?.querySelector('[data-id="probe"]')
        if (!row?.textContent?.includes(text)) return
        observer.disconnect()
        // A task after the frame: the page draws in the frame's own callback.
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve(Date.now())
        port2.postMessage(null)
      }
      const observer = new MutationObserver(look)
      if (list) observer.observe(list, { childList: true, subtree: true, characterData: true })
      look()
    })
}

export function framesOf() {
  const { begin, last, count, longest, work } = window.drawn
  return { frames: count, ms: last - begin, longestFrameMs: longest, longestWorkMs: work }
}
