// What pointers do on the picture: add a corner, drag one, drag the middle of an edge, move the picture, pinch.

import { useRef, useState } from 'preact/hooks'
import type { Point } from '../../api/desks'
import { added, adjusted, changed, closed, inserted, moved } from './drawing'
import type { Drawing } from './drawing'
import { distance, edges, middle } from './polygon'
import { clamped, pointOf, zoomed } from './view'
import type { View } from './view'

/** How near a pointer must be, in pixels of the screen: a finger has 44 pixels. */
const REACH = { mouse: 11, finger: 22 }
/** How far a pointer moves before it drags, in pixels of the screen. */
const SLACK = { mouse: 3, finger: 7 }
/** Edges that are shorter on the screen have no handle in their middle. */
export const SHORTEST = 48

type Grip =
  | { is: 'corner'; at: number; offset: Point; from: Point; hasMoved: boolean; isNew: boolean }
  | { is: 'picture'; from: Point; view: View; hasMoved: boolean }

export interface Surface {
  side: number
  view: View
  show: (view: View) => void
  /** Pixels of the picture for each of the screen. */
  unit: number
  drawing: Drawing
  change: (drawing: Drawing) => void
  select: (corner: number) => void
  snap: (point: Point, reach: number) => Point
}

export function useGestures(surface: Surface) {
  const { side, view, show, unit } = surface
  const [held, setHeld] = useState<Grip | null>(null)
  const [hover, setHover] = useState<Point | null>(null)
  const fingers = useRef(new Map<number, PointerEvent>())
  /** State as of the last event, which may not be drawn yet. */
  const latest = useRef({ drawing: surface.drawing, held })
  latest.current = { drawing: surface.drawing, held }
  const hold = (grip: Grip | null) => { latest.current.held = grip; setHeld(grip) }
  const change = (drawing: Drawing) => { latest.current.drawing = drawing; surface.change(drawing) }
  const kindOf = (event: PointerEvent) => (event.pointerType === 'mouse' ? 'mouse' : 'finger')
  const at = (event: PointerEvent) => pointOf(event, event.currentTarget as Element, view, side)

  const nearest = (points: Point[], to: Point, reach: number) => {
    const [found] = points.map((point, which) => ({ which, far: distance(point, to) })).sort((a, b) => a.far - b.far)
    return found && found.far <= reach * unit ? found.which : -1
  }

  const down = (event: PointerEvent) => {
    if (event.button !== 0) return
    const element = event.currentTarget as Element
    element.setPointerCapture(event.pointerId)
    fingers.current.set(event.pointerId, event)
    if (fingers.current.size > 1) return hold(null)
    const { drawing } = latest.current
    const { corners, isClosed } = drawing.now
    const [point, reach] = [at(event), REACH[kindOf(event)]]
    const from: Point = [event.clientX, event.clientY]
    const corner = nearest([...corners], point, reach)
    const grip = (which: number, isNew: boolean, [x, y]: Point): Grip =>
      ({ is: 'corner', at: which, from, hasMoved: false, isNew, offset: [x - point[0], y - point[1]] })
    if (corner >= 0) {
      surface.select(corner)
      return hold(grip(corner, false, corners[corner] ?? point))
    }
    const lines = edges(corners).slice(0, isClosed ? undefined : -1)
    const middles = lines.map(([a, b]): Point => (distance(a, b) < SHORTEST * unit ? [-1e9, -1e9] : middle(a, b)))
    const edge = nearest(middles, point, reach)
    if (edge >= 0) {
      change(changed(drawing, inserted(drawing.now, edge, middles[edge] ?? point)))
      surface.select(edge + 1)
      return hold(grip(edge + 1, true, middles[edge] ?? point))
    }
    hold({ is: 'picture', from, view, hasMoved: false })
  }

  const move = (event: PointerEvent) => {
    const before = fingers.current.get(event.pointerId)
    if (event.pointerType === 'mouse') setHover(at(event))
    if (!before) return
    if (fingers.current.size > 1) pinch(event)
    fingers.current.set(event.pointerId, event)
    const { held, drawing } = latest.current
    if (!held || fingers.current.size > 1) return
    const far = distance(held.from, [event.clientX, event.clientY])
    if (!held.hasMoved && far < SLACK[kindOf(event)]) return
    if (held.is === 'picture') {
      const [x, y] = [(held.from[0] - event.clientX) * unit, (held.from[1] - event.clientY) * unit]
      show(clamped({ ...held.view, x: held.view.x + x, y: held.view.y + y }, side))
    } else {
      const [x, y] = at(event)
      const to = surface.snap([x + held.offset[0], y + held.offset[1]], REACH.mouse * unit)
      const now = moved(drawing.now, held.at, to)
      change(held.hasMoved || held.isNew ? adjusted(drawing, now) : changed(drawing, now))
    }
    hold({ ...held, hasMoved: true })
  }

  /** Two fingers zoom around the point between them, and move the picture. */
  const pinch = (event: PointerEvent) => {
    const other = [...fingers.current.values()].find(({ pointerId }) => pointerId !== event.pointerId)
    const before = fingers.current.get(event.pointerId)
    if (!other || !before) return
    const still: Point = [other.clientX, other.clientY]
    const by = distance(still, [event.clientX, event.clientY]) / Math.max(1, distance(still, [before.clientX, before.clientY]))
    const center = { clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 }
    const next = zoomed(view, by, pointOf(center, event.currentTarget as Element, view, side), side)
    show(clamped({ ...next, x: next.x - ((event.clientX - before.clientX) / 2) * unit, y: next.y - ((event.clientY - before.clientY) / 2) * unit }, side))
  }

  const up = (event: PointerEvent) => {
    fingers.current.delete(event.pointerId)
    const { held, drawing } = latest.current
    hold(null)
    if (!held || held.hasMoved || event.type === 'pointercancel') return
    if (held.is === 'corner') {
      if (held.at === 0 && !drawing.now.isClosed && drawing.now.corners.length >= 3) change(changed(drawing, closed(drawing.now)))
      return
    }
    if (drawing.now.isClosed) return surface.select(-1)
    const corner = surface.snap(at(event), REACH.mouse * unit)
    change(changed(drawing, added(drawing.now, corner)))
    surface.select(drawing.now.corners.length)
  }

  return { dragged: held?.is === 'corner' && held.hasMoved ? held.at : -1, hover, down, move, up, leave: () => setHover(null) }
}
