// What is drawn: corners, whether the outline is closed, and earlier states to go back to.

import type { Point } from '../../api/desks'

export interface Outline {
  corners: readonly Point[]
  isClosed: boolean
}

export interface Drawing {
  /** Of the picture that it was drawn on. */
  orientation: string
  now: Outline
  past: readonly Outline[]
  future: readonly Outline[]
}

const EMPTY: Outline = { corners: [], isClosed: false }
const STEPS = 200

export const blank = (orientation: string): Drawing => ({ orientation, now: EMPTY, past: [], future: [] })

/** A new state, which can be undone. */
export function changed(drawing: Drawing, now: Outline): Drawing {
  return { ...drawing, now, past: [...drawing.past, drawing.now].slice(-STEPS), future: [] }
}

/** The same step with another result: while a corner is dragged. */
export const adjusted = (drawing: Drawing, now: Outline): Drawing => ({ ...drawing, now })

export function undone(drawing: Drawing): Drawing {
  const now = drawing.past.at(-1)
  return now ? { ...drawing, now, past: drawing.past.slice(0, -1), future: [drawing.now, ...drawing.future] } : drawing
}

export function redone(drawing: Drawing): Drawing {
  const [now, ...future] = drawing.future
  return now ? { ...drawing, now, past: [...drawing.past, drawing.now], future } : drawing
}

export const added = ({ corners }: Outline, corner: Point): Outline => ({ corners: [...corners, corner], isClosed: false })

export const inserted = ({ corners, isClosed }: Outline, after: number, corner: Point): Outline =>
  ({ corners: [...corners.slice(0, after + 1), corner, ...corners.slice(after + 1)], isClosed })

export const moved = ({ corners, isClosed }: Outline, which: number, to: Point): Outline =>
  ({ corners: corners.map((corner, at) => (at === which ? to : corner)), isClosed })

export function removed({ corners, isClosed }: Outline, which: number): Outline {
  const left = corners.filter((_, at) => at !== which)
  return { corners: left, isClosed: isClosed && left.length >= 3 }
}

export const closed = ({ corners, isClosed }: Outline): Outline => ({ corners, isClosed: isClosed || corners.length >= 3 })
