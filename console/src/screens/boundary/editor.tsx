// The picture with the outline that is drawn on it. All lengths are pixels of the picture.

import { useRef, useState } from 'preact/hooks'
import type { Ground, Point } from '../../api/desks'
import { boundary } from '../../messages/boundary'
import { added, adjusted, changed, closed, inserted, moved, removed } from './drawing'
import type { Drawing } from './drawing'
import { SHORTEST, useGestures } from './gestures'
import { Magnifier } from './magnifier'
import { crossing, distance, edges, middle, signedArea } from './polygon'
import { snapper } from './snap'
import { useWheel, useWidth } from './view'
import type { View } from './view'

export interface EditorParts {
  picture: string
  side: number
  ground?: Ground
  parcel: readonly Point[]
  drawing: Drawing
  change: (drawing: Drawing) => void
  selected: number
  select: (corner: number) => void
  view: View
  show: (view: View) => void
  lengths: readonly string[]
}

const ARROWS: Record<string, Point> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }
const path = (corners: readonly Point[]) => corners.map((corner) => corner.join()).join(' ')

export function Editor(parts: EditorParts) {
  const { picture, side, parcel, drawing, change, selected, select, view, show, lengths } = parts
  const place = useRef<SVGSVGElement>(null)
  const unit = side / view.zoom / useWidth(place)
  const gestures = useGestures({ side, view, show, unit, drawing, change, select, snap: snapper(parcel, side) })
  const [cursor, setCursor] = useState<Point | null>(null)
  const nudged = useRef(-1)
  useWheel(place, view, side, show)
  const { corners, isClosed } = drawing.now
  const crossed = isClosed ? crossing(corners) : null

  const focus = (which: number) => {
    select(which)
    requestAnimationFrame(() => place.current?.querySelector<SVGGElement>(`[data-corner="${which}"]`)?.focus())
  }
  const within = (value: number) => Math.min(Math.max(value, 0), side)

  const keyOfCorner = (event: KeyboardEvent, at: number) => {
    const corner = corners[at]
    const arrow = ARROWS[event.key]
    if (!corner) return
    if (arrow) {
      const by = event.shiftKey ? 10 : 1
      const now = moved(drawing.now, at, [within(corner[0] + arrow[0] * by), within(corner[1] + arrow[1] * by)])
      change(nudged.current === at ? adjusted(drawing, now) : changed(drawing, now))
      nudged.current = at
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      change(changed(drawing, removed(drawing.now, at)))
      focus(Math.min(at, corners.length - 2))
    } else if (event.key === 'Insert' || event.key === 'i') {
      const next = corners[(at + 1) % corners.length] ?? corner
      change(changed(drawing, inserted(drawing.now, at, middle(corner, next))))
      focus(at + 1)
    } else {
      return
    }
    event.preventDefault()
    event.stopPropagation()
  }

  const key = (event: KeyboardEvent) => {
    const arrow = ARROWS[event.key]
    if (!arrow) nudged.current = -1
    if (event.ctrlKey || event.metaKey) return
    if (event.key === 'Enter' && !isClosed && corners.length >= 3) change(changed(drawing, closed(drawing.now)))
    else if (event.key === 'Escape') select(-1)
    else if (event.target !== event.currentTarget || isClosed) return
    else if (arrow) {
      const [x, y] = cursor ?? [view.x + side / view.zoom / 2, view.y + side / view.zoom / 2]
      const by = (event.shiftKey ? 40 : 8) * unit
      setCursor([within(x + arrow[0] * by), within(y + arrow[1] * by)])
    } else if (event.key === ' ' && cursor) change(changed(drawing, added(drawing.now, cursor)))
    else return
    event.preventDefault()
  }

  const open = !isClosed && corners.length > 0 ? cursor ?? gestures.hover : null
  const last = corners.at(-1)
  const held = corners[gestures.dragged]
  return (
    <>
      <svg
        ref={place} class="surface" viewBox={`${view.x} ${view.y} ${side / view.zoom} ${side / view.zoom}`} tabIndex={0} role="application"
        aria-label={boundary().surface} aria-describedby="draw-help" data-zoom={view.zoom}
        onPointerDown={(event) => { nudged.current = -1; setCursor(null); gestures.down(event) }} onPointerMove={gestures.move}
        onPointerUp={gestures.up} onPointerCancel={gestures.up} onPointerLeave={gestures.leave} onKeyDown={key} onBlur={() => setCursor(null)}
      >
        <Drawn picture={picture} side={side} corners={corners} isClosed={isClosed} parcel={parcel} unit={unit} />
        {crossed?.map((at) => {
          const [[ax, ay], [bx, by]] = edges(corners)[at] ?? [[0, 0], [0, 0]]
          return <line key={at} class="crossed" x1={ax} y1={ay} x2={bx} y2={by} stroke-width={5 * unit} />
        })}
        {open && last && <line class="next" x1={last[0]} y1={last[1]} x2={open[0]} y2={open[1]} stroke-width={2 * unit} stroke-dasharray={`${6 * unit}`} />}
        {cursor && <path class="cursor" d={`M${cursor[0] - 12 * unit} ${cursor[1]}h${24 * unit}m${-12 * unit} ${-12 * unit}v${24 * unit}`} stroke-width={2 * unit} />}
        {edges(corners).slice(0, isClosed ? undefined : -1).map(([a, b], at) => {
          if (distance(a, b) < SHORTEST * unit) return null
          const [x, y] = middle(a, b)
          const out = (signedArea(corners) < 0 ? -unit : unit) / distance(a, b)
          return (
            <g key={at}>
              <circle class="middle" cx={x} cy={y} r={5 * unit} stroke-width={1.5 * unit} />
              {lengths[at] && <text class="length" x={x + (b[1] - a[1]) * out * 34} y={y + (a[0] - b[0]) * out * 18} font-size={13 * unit} stroke-width={3.5 * unit}>{lengths[at]}</text>}
            </g>
          )
        })}
        {corners.map(([x, y], at) => (
          <g
            key={at} class={at === selected ? 'corner chosen' : 'corner'} data-corner={at} tabIndex={0} role="button"
            aria-label={boundary().corner(at + 1, corners.length)} aria-pressed={at === selected} onFocus={() => select(at)} onKeyDown={(event) => keyOfCorner(event, at)}
          >
            <circle class="reach" cx={x} cy={y} r={22 * unit} />
            <circle class="dot" cx={x} cy={y} r={(at === selected ? 8 : 6.5) * unit} stroke-width={2.5 * unit} />
          </g>
        ))}
      </svg>
      {held && (
        <Magnifier at={held} radius={44 * unit} isLeft={held[0] > view.x + side / view.zoom / 2}>
          <Drawn picture={picture} side={side} corners={corners} isClosed={isClosed} parcel={parcel} unit={unit / 2} />
        </Magnifier>
      )}
    </>
  )
}

interface DrawnParts {
  picture: string
  side: number
  corners: readonly Point[]
  isClosed: boolean
  parcel: readonly Point[]
  unit: number
}

/** The picture, the suggested parcel, and the outline: light on dark, so that it is seen on any ground. */
function Drawn({ picture, side, corners, isClosed, parcel, unit }: DrawnParts) {
  const Shape = isClosed ? 'polygon' : 'polyline'
  return (
    <>
      <image href={picture} width={side} height={side} />
      {parcel.length > 2 && <polygon class="parcel" points={path(parcel)} stroke-width={2 * unit} stroke-dasharray={`${7 * unit} ${5 * unit}`} />}
      <Shape class="casing" points={path(corners)} stroke-width={5 * unit} />
      <Shape class={isClosed ? 'outline closed' : 'outline'} points={path(corners)} stroke-width={2.5 * unit} />
    </>
  )
}
