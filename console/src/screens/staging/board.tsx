// The picture with its furniture outlined, to drag where it should stand.

import type { Arrangement } from '../../arrangement'
import { onPlane, onWall, pixel, ray } from '../../camera'
import type { Camera, Point } from '../../camera'
import { box, facing, hull, isHanging, movedTo } from '../../furniture'
import type { Piece } from '../../furniture'
import { followPointer } from '../../parts/drag'

interface BoardParts {
  picture: string
  name: string
  size: [number, number]
  arrangement: Arrangement
  selected: number | null
  select: (which: number | null) => void
  camera: Camera | null
}

/** A plane of grabbed points this near to the height of the eye would move by leaps, meters. */
const NEAR_EYE = 0.35
/** How much one step of the mouse may move a piece, meters. */
const FARTHEST = 30

const text = (points: Point[]) => points.map((point) => point.map((value) => value.toFixed(1)).join()).join(' ')

function outline(piece: Piece, camera: Camera | null): Point[] {
  if (!camera) return piece.polygon ?? []
  return hull(box(piece).map((corner) => pixel(camera, corner)).filter((at) => at !== null))
}

/** Where a piece goes when its grabbed point follows the pointer. */
function dragged(piece: Piece, camera: Camera, from: Point, at: Point): { to: Point; elevation?: number } | null {
  const [x, y] = piece.position
  if (isHanging(piece)) {
    const place: [number, number, number] = [x, y, piece.elevation]
    const [start, now] = [onWall(camera, from, place, facing(piece)), onWall(camera, at, place, facing(piece))]
    return start && now && { to: [x + now[0] - start[0], y + now[1] - start[1]], elevation: piece.elevation + now[2] - start[2] }
  }
  // The height at which the pointer meets the upright axis of the piece.
  const sight = ray(camera, from)
  const meets = camera.eye + (sight[2] * Math.hypot(x, y)) / Math.hypot(sight[0], sight[1])
  const grabbed = Math.min(Math.max(meets, piece.elevation), piece.elevation + piece.size[2])
  const height = Math.abs(grabbed - camera.eye) > NEAR_EYE ? grabbed : Math.min(camera.eye - NEAR_EYE, grabbed)
  const [start, now] = [onPlane(camera, from, height), onPlane(camera, at, height)]
  if (!start || !now || Math.hypot(now[0] - start[0], now[1] - start[1]) > FARTHEST) return null
  return { to: [x + now[0] - start[0], y + now[1] - start[1]] }
}

export function Board({ picture, name, size, arrangement, selected, select, camera }: BoardParts) {
  const { pieces, change } = arrangement
  const drag = (which: number) => (press: PointerEvent) => {
    select(which)
    const [piece, all] = [pieces[which], pieces]
    if (!camera || !piece) return
    const gesture = `drag ${crypto.randomUUID()}`
    followPointer(press, (at, from) => {
      const found = dragged(piece, camera, from, at)
      if (found) change(movedTo(all, which, found.to, found.elevation), gesture)
    })
  }
  // Rugs below, then from far to near.
  const depth = (piece: Piece) => (piece.size[2] < 0.05 ? 1000 : 0) + Math.hypot(piece.position[0], piece.position[1])
  const order = pieces.map((_, at) => at).sort((a, b) => depth(pieces[b]!) - depth(pieces[a]!))
  return (
    <div class="board" style={{ '--ratio': size[0] / size[1] }}>
      <img src={picture} alt={name} draggable={false} />
      <svg viewBox={`0 0 ${size[0]} ${size[1]}`} aria-hidden="true" class={camera ? 'can-drag' : ''}>
        {order.map((which) => (
          <polygon
            key={which} class={which === selected ? 'outline selected' : 'outline'} points={text(outline(pieces[which]!, camera))}
            data-piece={pieces[which]!.piece} onPointerDown={drag(which)}
          />
        ))}
      </svg>
    </div>
  )
}
