// The part of the picture that is shown, and where a pointer is in it.

import { useEffect, useState } from 'preact/hooks'
import type { Point } from '../../api/desks'

export interface View {
  x: number
  y: number
  zoom: number
}

const MOST_ZOOM = 8
const WHEEL = 0.0015
export const WHOLE: View = { x: 0, y: 0, zoom: 1 }

const within = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high)

/** A view that does not leave a picture of `side` pixels. */
export function clamped({ x, y, zoom }: View, side: number): View {
  const by = within(zoom, 1, MOST_ZOOM)
  const most = side - side / by
  return { x: within(x, 0, most), y: within(y, 0, most), zoom: by }
}

/** Zooms while `at`, a point of the picture, stays where it is. */
export function zoomed(view: View, by: number, [x, y]: Point, side: number): View {
  const zoom = within(view.zoom * by, 1, MOST_ZOOM)
  const kept = view.zoom / zoom
  return clamped({ x: x - (x - view.x) * kept, y: y - (y - view.y) * kept, zoom }, side)
}

/** Where an event is in the picture. */
export function pointOf(event: { clientX: number; clientY: number }, element: Element, { x, y, zoom }: View, side: number): Point {
  const box = element.getBoundingClientRect()
  const scale = side / zoom / box.width
  return [x + (event.clientX - box.left) * scale, y + (event.clientY - box.top) * scale]
}

/** The width of an element on the screen, in pixels. */
export function useWidth(element: { current: Element | null }): number {
  const [width, setWidth] = useState(600)
  useEffect(() => {
    if (!element.current) return
    const watcher = new ResizeObserver(([entry]) => { if (entry && entry.contentRect.width > 0) setWidth(entry.contentRect.width) })
    watcher.observe(element.current)
    return () => watcher.disconnect()
  }, [])
  return width
}

/** Zooms with the wheel. At its smallest, the picture lets the page scroll on. */
export function useWheel(element: { current: Element | null }, view: View, side: number, show: (view: View) => void): void {
  useEffect(() => {
    const turn = (event: Event) => {
      const wheel = event as WheelEvent
      if (!element.current || (wheel.deltaY > 0 && view.zoom === 1)) return
      wheel.preventDefault()
      show(zoomed(view, Math.exp(-wheel.deltaY * WHEEL), pointOf(wheel, element.current, view, side), side))
    }
    const at = element.current
    at?.addEventListener('wheel', turn, { passive: false })
    return () => at?.removeEventListener('wheel', turn)
  }, [view, side])
}
