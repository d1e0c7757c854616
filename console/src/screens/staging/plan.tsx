// The room from above, with its furniture to drag, turn and remove.

import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Arrangement } from '../../arrangement'
import { onPlane, ray } from '../../camera'
import type { Camera, Point } from '../../camera'
import { facing, footprint, movedTo, turnedTo, without } from '../../furniture'
import type { Piece } from '../../furniture'
import { pieceName } from '../../messages/furniture'
import { staging } from '../../messages/staging'
import { followPointer } from '../../parts/drag'
import { decimal } from './format'

interface PlanParts {
  arrangement: Arrangement
  /** What the picture shows: the plan keeps its extent while pieces move. */
  original: Piece[]
  selected: number | null
  select: (which: number | null) => void
  camera: Camera | null
  /** Where walls meet the floor, if somebody has said so, pixels. */
  corners?: Point[]
}

/** Meters around what is drawn. */
const MARGIN = 0.7
const KEY_STEP = 0.05
const KEY_STEPS: Record<string, Point> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }
export const TURN_STEP = 15

/** In a drawing, the room's second axis points up. */
const drawn = (points: Point[]) => points.map(([x, y]) => `${x.toFixed(3)},${(-y).toFixed(3)}`).join(' ')
const area = ({ size }: Piece) => size[0] * size[1]

export function Plan({ arrangement, original, selected, select, camera, corners }: PlanParts) {
  const { pieces, change } = arrangement
  const drawing = useRef<SVGSVGElement>(null)
  const [meter, setMeter] = useState(60)
  const walls = useMemo(() => (camera && corners ? corners.map((at) => onPlane(camera, at, 0)).filter((at) => at !== null) : []), [camera, corners])
  const [left, far, width, height] = useMemo(() => {
    const all: Point[] = [[0, -0.3], ...original.flatMap(footprint), ...walls]
    const along = (axis: 0 | 1) => all.map((point) => point[axis])
    const [low, high] = [Math.min(...along(0)) - MARGIN, Math.max(...along(0)) + MARGIN]
    const [near, deep] = [Math.min(...along(1)) - 0.6, Math.max(...along(1)) + MARGIN]
    return [low, -deep, high - low, deep - near]
  }, [original, walls])
  useLayoutEffect(() => {
    const place = drawing.current
    if (!place) return
    const measure = () => setMeter(Math.min(place.clientWidth / width, place.clientHeight / height) || 60)
    const observer = new ResizeObserver(measure)
    observer.observe(place)
    measure()
    return () => observer.disconnect()
  }, [width, height])
  const px = 1 / meter

  const drag = (which: number) => (press: PointerEvent) => {
    select(which)
    const [piece, all] = [pieces[which], pieces]
    if (!piece) return
    const gesture = `drag ${crypto.randomUUID()}`
    followPointer(press, (at, from) => {
      change(movedTo(all, which, [piece.position[0] + at[0] - from[0], piece.position[1] - (at[1] - from[1])]), gesture)
    })
  }
  const turn = (which: number) => (press: PointerEvent) => {
    const [piece, all] = [pieces[which], pieces]
    if (!piece) return
    const gesture = `turn ${crypto.randomUUID()}`
    followPointer(press, ([x, y]) => {
      const degrees = (Math.atan2(x - piece.position[0], y + piece.position[1]) * 180) / Math.PI
      // Nearly along an axis of the room is meant to be along it.
      const quarter = Math.round(degrees / 90) * 90
      change(turnedTo(all, which, Math.abs(degrees - quarter) < 5 ? quarter : degrees), gesture)
    })
  }
  const key = (which: number) => (event: KeyboardEvent) => {
    const piece = pieces[which]
    const steps = KEY_STEPS[event.key]
    if (!piece || event.ctrlKey || event.metaKey) return
    if (steps) {
      const step = event.shiftKey ? KEY_STEP * 5 : KEY_STEP
      change(movedTo(pieces, which, [piece.position[0] + steps[0] * step, piece.position[1] + steps[1] * step]), `keys ${which}`)
    } else if (event.key.toLowerCase() === 'r') {
      change(turnedTo(pieces, which, piece.turn + (event.shiftKey ? -TURN_STEP : TURN_STEP)), `turn ${which}`)
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      change(without(pieces, which))
      select(null)
    } else if (event.key !== 'Enter' && event.key !== ' ') {
      return
    }
    event.preventDefault()
  }

  const order = pieces.map((_, at) => at).sort((a, b) => area(pieces[b]!) - area(pieces[a]!))
  const chosen = selected === null ? undefined : pieces[selected]
  const edges = camera ? [0, camera.width].map((at) => ray(camera, [at, camera.height / 2])) : []
  const reach = Math.hypot(width, height)
  const lines = (from: number, to: number) => Array.from({ length: Math.max(0, Math.floor(to) - Math.ceil(from) + 1) }, (_, at) => Math.ceil(from) + at)
  return (
    <svg ref={drawing} class="plan" viewBox={`${left} ${far} ${width} ${height}`} role="group" aria-label={staging().plan}>
      {lines(left, left + width).map((x) => <line key={`x${x}`} class="grid" x1={x} x2={x} y1={far} y2={far + height} />)}
      {lines(far, far + height).map((y) => <line key={`y${y}`} class="grid" x1={left} x2={left + width} y1={y} y2={y} />)}
      {edges.length > 0 && (
        <polygon class="view" points={drawn([[0, 0], ...edges.map(([x, y]): Point => { const far = reach / Math.hypot(x, y); return [x * far, y * far] })])} />
      )}
      {walls.length > 1 && <polyline class="walls" points={drawn(walls)} />}
      <g class="camera" transform={`scale(${px})`}>
        <path d="M-9 6h18v-11h-5l-3-4h-2l-3 4h-5z" /><circle r="3.2" />
        <text y="20">{staging().camera}</text>
      </g>
      {order.map((which) => {
        const piece = pieces[which]!
        const name = pieceName(piece.piece)
        const [x, y] = [piece.position[0], -piece.position[1]]
        const front = facing(piece)
        const tip = piece.size[1] / 2
        return (
          <g
            key={which} class={which === selected ? 'piece selected' : 'piece'} tabIndex={0} role="button" aria-pressed={which === selected}
            aria-label={staging().pieceAt(name, decimal(piece.position[0]), decimal(piece.position[1]))} data-piece={piece.piece}
            onPointerDown={drag(which)} onKeyDown={key(which)} onFocus={() => select(which)}
          >
            <polygon points={drawn(footprint(piece))} />
            <line class="front" x1={x + front[0] * tip * 0.55} y1={y - front[1] * tip * 0.55} x2={x + front[0] * tip} y2={y - front[1] * tip} />
            {Math.min(piece.size[0], piece.size[1]) * meter > 26 && Math.max(piece.size[0], piece.size[1]) * meter > name.length * 6 && (
              <text x={x} y={y + 4 * px} font-size={11 * px}>{name}</text>
            )}
          </g>
        )
      })}
      {chosen && selected !== null && <Handle piece={chosen} px={px} press={turn(selected)} />}
    </svg>
  )
}

function Handle({ piece, px, press }: { piece: Piece; px: number; press: (press: PointerEvent) => void }) {
  const front = facing(piece)
  const away = piece.size[1] / 2 + 26 * px
  const [x, y] = [piece.position[0], -piece.position[1]]
  const [handleX, handleY] = [x + front[0] * away, y - front[1] * away]
  return (
    <g class="handle" aria-hidden="true" data-testid="turn" onPointerDown={press}>
      <line x1={x + (front[0] * piece.size[1]) / 2} y1={y - (front[1] * piece.size[1]) / 2} x2={handleX} y2={handleY} />
      <circle class="target" cx={handleX} cy={handleY} r={22 * px} />
      <circle cx={handleX} cy={handleY} r={7 * px} />
    </g>
  )
}
