// Pieces of furniture in a room, in meters: to the right of the camera, away from it, up. How they are moved, and sent to be rendered.

import type { PlacedPiece } from './api/rooms'
import type { Place, Point } from './camera'

export interface Piece {
  piece: string
  model?: string
  recipe?: string
  /** Its center. */
  position: Place
  /** Width, depth, height. */
  size: Place
  /** Height of its lower edge. */
  elevation: number
  /** Degrees to the left; 0 faces the camera's side of the room. */
  turn: number
  colors?: Record<string, string>
  style?: string
  /** Its outline in the picture, pixels. */
  polygon?: Point[]
}

/** What hangs on walls: it is dragged along its wall. */
const HANGS = ['framed art', 'mirror', 'wall clock']
/** Kinds that take each other's place. */
const FAMILIES = [
  ['sofa', 'sectional', 'daybed'],
  ['armchair', 'recliner', 'pouf', 'ottoman'],
  ['coffee table', 'ottoman', 'bench'],
  ['side table', 'nightstand', 'stool'],
  ['dining table', 'round table'],
  ['dining chair', 'desk chair', 'stool'],
  ['bed', 'single bed', 'daybed'],
  ['bookshelf', 'wardrobe', 'dresser', 'sideboard', 'media console', 'console table'],
  ['floor lamp', 'potted plant', 'planter'],
  ['framed art', 'mirror', 'wall clock'],
]
/** What stands lower stands on the floor. */
const ON_FLOOR = 0.05
/** How far the top of a piece may be from the lower edge of what stands on it. */
const TOP = 0.2

export const isHanging = (piece: Piece): boolean => HANGS.includes(piece.piece) && piece.elevation > ON_FLOOR

const round = (value: number, steps: number) => Math.round(value * steps) / steps

const rotated = ([x, y]: Point, degrees: number): Point => {
  const angle = (degrees * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  return [x * cos - y * sin, x * sin + y * cos]
}

/** The direction that its front faces. */
export const facing = (piece: Piece): Point => rotated([0, -1], piece.turn)

/** The corners of what it covers of the floor. */
export function footprint(piece: Piece): Point[] {
  const [width, depth] = piece.size
  const corners: Point[] = [[-1, -1], [1, -1], [1, 1], [-1, 1]]
  return corners.map(([right, away]) => {
    const [x, y] = rotated([(right * width) / 2, (away * depth) / 2], piece.turn)
    return [piece.position[0] + x, piece.position[1] + y]
  })
}

/** The corners of the box around it. */
export const box = (piece: Piece): Place[] =>
  footprint(piece).flatMap(([x, y]): Place[] => [[x, y, piece.elevation], [x, y, piece.elevation + piece.size[2]]])

/** The convex outline of points. */
export function hull(points: Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const half = (all: Point[]) => {
    const found: Point[] = []
    for (const point of all) {
      for (;;) {
        const [a, b] = found.slice(-2)
        if (!a || !b || (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 0) break
        found.pop()
      }
      found.push(point)
    }
    return found.slice(0, -1)
  }
  return [...half(sorted), ...half(sorted.reverse())]
}

function covers(piece: Piece, at: Point): boolean {
  const [x, y] = rotated([at[0] - piece.position[0], at[1] - piece.position[1]], -piece.turn)
  return Math.abs(x) <= piece.size[0] / 2 && Math.abs(y) <= piece.size[1] / 2
}

/** Which pieces stand on a piece, and go where it goes. */
function riders(all: Piece[], which: number): number[] {
  const below = all[which]
  if (!below || isHanging(below) || below.size[2] < ON_FLOOR) return []
  const top = below.elevation + below.size[2]
  return all.flatMap((piece, at) => {
    const isOn = at !== which && !isHanging(piece) && piece.elevation > ON_FLOOR && piece.elevation < top + TOP
    return isOn && covers(below, [piece.position[0], piece.position[1]]) ? [at] : []
  })
}

/** Beyond that, the request would be refused. */
const FARTHEST = 100
const within = (value: number) => round(Math.min(Math.max(value, -FARTHEST), FARTHEST), 100)

const shifted = (piece: Piece, x: number, y: number): Piece => ({
  ...piece,
  position: [within(piece.position[0] + x), within(piece.position[1] + y), piece.position[2]],
})

/** The pieces with one of them at another place, in whole centimeters. */
export function movedTo(all: Piece[], which: number, [x, y]: Point, elevation?: number): Piece[] {
  const piece = all[which]
  if (!piece) return all
  const [right, away] = [x - piece.position[0], y - piece.position[1]]
  const along = new Set(riders(all, which))
  return all.map((one, at) => {
    if (at !== which) return along.has(at) ? shifted(one, right, away) : one
    const lower = elevation === undefined ? piece.elevation : round(Math.min(Math.max(elevation, 0), 6), 100)
    return { ...shifted(one, right, away), elevation: lower }
  })
}

/** The pieces with one of them turned, with what stands on it. */
export function turnedTo(all: Piece[], which: number, degrees: number): Piece[] {
  const piece = all[which]
  if (!piece) return all
  const turn = round(((degrees % 360) + 360) % 360, 10)
  const by = turn - piece.turn
  const along = new Set(riders(all, which))
  return all.map((one, at) => {
    if (at === which) return { ...one, turn }
    if (!along.has(at)) return one
    const [x, y] = rotated([one.position[0] - piece.position[0], one.position[1] - piece.position[1]], by)
    const there = shifted(one, piece.position[0] + x - one.position[0], piece.position[1] + y - one.position[1])
    return { ...there, turn: round((((one.turn + by) % 360) + 360) % 360, 10) }
  })
}

export function without(all: Piece[], which: number): Piece[] {
  const gone = new Set([which, ...riders(all, which)])
  return all.filter((_, at) => !gone.has(at))
}

export const changed = (all: Piece[], which: number, changes: Partial<Piece>): Piece[] =>
  all.map((piece, at) => (at === which ? { ...piece, ...changes } : piece))

/** What takes a piece's place: one that another picture of the room has, or the usual one of a kind. */
export interface Swap {
  piece: string
  /** None: the usual one. */
  from?: Piece
}

/** What a piece may be swapped for: pieces of its kind and of related kinds in other pictures, and usual ones. */
export function swapsFor(piece: Piece, others: Piece[]): Swap[] {
  const kinds = new Set([piece.piece, ...FAMILIES.filter((family) => family.includes(piece.piece)).flat()])
  const known = new Set([piece.model ?? piece.recipe])
  const found: Swap[] = []
  for (const other of others) {
    const name = other.model ?? other.recipe
    if (!kinds.has(other.piece) || known.has(name)) continue
    known.add(name)
    found.push({ piece: other.piece, from: other })
  }
  return [...found, ...[...kinds].map((kind) => ({ piece: kind }))]
}

export function swapped(piece: Piece, { piece: kind, from }: Swap): Piece {
  const { position, elevation, turn, size, colors } = piece
  const same = kind === piece.piece ? { colors } : {}
  if (!from) return { piece: kind, position, elevation, turn, size, ...same }
  const { model, recipe, style } = from
  return { piece: kind, model, recipe, style, colors: from.colors, size: from.size, position, elevation, turn }
}

/** What is sent of a piece. */
export function placed({ piece, model, recipe, position, elevation, turn, colors }: Piece): PlacedPiece {
  return {
    piece: piece as PlacedPiece['piece'],
    position: [position[0], position[1]],
    elevation,
    turn,
    ...(model ? { model } : {}),
    ...(recipe ? { recipe } : {}),
    ...(colors && Object.keys(colors).length > 0 && !model ? { colors } : {}),
  }
}
