// Geometry of a drawn outline, in pixels of its picture: x runs right, y down. The last corner joins the first.

import type { Boundary, Ground, Point } from '../../api/desks'

export const distance = ([ax, ay]: Point, [bx, by]: Point): number => Math.hypot(bx - ax, by - ay)
export const middle = ([ax, ay]: Point, [bx, by]: Point): Point => [(ax + bx) / 2, (ay + by) / 2]

/** Pairs of neighboring corners. */
export function edges(ring: readonly Point[]): [Point, Point][] {
  return ring.map((corner, at) => [corner, ring[(at + 1) % ring.length] ?? corner])
}

/** Positive if the corners follow each other clockwise on the screen. */
export function signedArea(ring: readonly Point[]): number {
  return edges(ring).reduce((sum, [[ax, ay], [bx, by]]) => sum + ax * by - bx * ay, 0) / 2
}

export const area = (ring: readonly Point[]): number => Math.abs(signedArea(ring))

/** The first two edges that cross or touch beyond a common corner, by their numbers, or `null`. */
export function crossing(ring: readonly Point[]): [number, number] | null {
  const all = edges(ring)
  for (const [first, [a, b]] of all.entries()) {
    for (let second = first + 1; second < all.length; second += 1) {
      const other = all[second]
      const areNeighbors = second === first + 1 || (first === 0 && second === all.length - 1)
      if (other && !areNeighbors && cross(a, b, other[0], other[1])) return [first, second]
    }
  }
  return null
}

/** Twice the signed area of a triangle: which side of the line from `a` to `b` the point `c` is on. */
const side = ([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point) => (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)

function cross(a: Point, b: Point, c: Point, d: Point): boolean {
  return side(a, b, c) * side(a, b, d) <= 0 && side(c, d, a) * side(c, d, b) <= 0
}

/** Pixels to meters east and north, for the picture at the size that the transform is for. */
export function toMeters({ to_local: [a, b, c, d, e, f] }: Ground, [x, y]: Point): Point {
  return [a * x + b * y + c, d * x + e * y + f]
}

/** Outlines on the ground: area in square meters, and lengths of the edges in meters. */
export function measure(ring: readonly Point[], ground: Ground): { area: number; lengths: number[] } {
  const meters = ring.map((corner) => toMeters(ground, corner))
  return { area: area(meters), lengths: edges(meters).map(([from, to]) => distance(from, to)) }
}

const RADIUS = 6_378_137
const E2 = 6.694379990141e-3

/** Longitude and latitude to pixels, exact to a few millimeters for what is in a picture. */
function toPixels({ origin, to_local: [a, b, c, d, e, f] }: Ground, [lon, lat]: Point): Point {
  const radians = Math.PI / 180
  const w = Math.sqrt(1 - E2 * Math.sin(origin.lat * radians) ** 2)
  const [perLon, perLat] = [(RADIUS / w) * radians * Math.cos(((origin.lat + lat) / 2) * radians), ((RADIUS * (1 - E2)) / w ** 3) * radians]
  const [east, north] = [(lon - origin.lon) * perLon - c, (lat - origin.lat) * perLat - f]
  const scale = a * e - b * d
  return [(e * east - b * north) / scale, (a * north - d * east) / scale]
}

/** The outer ring of a boundary in pixels of a picture; the largest, if there are several. */
export function ringOf({ geometry: { type, coordinates } }: Boundary, ground: Ground): Point[] {
  const polygons = (type === 'Polygon' ? [coordinates] : coordinates) as Point[][][]
  const rings = polygons.map(([outer]) => (outer ?? []).slice(0, -1).map((position) => toPixels(ground, position)))
  return rings.sort((one, other) => area(other) - area(one))[0] ?? []
}

/** Quarter turns clockwise of each picture from the one with the street at the bottom. */
const TURNS: Record<string, number> = { bottom: 0, left: 1, top: 2, right: 3 }

/** An outline that was drawn on one orientation, on another one of the same square picture. */
export function turned(ring: readonly Point[], from: string, to: string, length: number): Point[] {
  const turns = ((TURNS[to] ?? 0) - (TURNS[from] ?? 0) + 4) % 4
  let now = [...ring]
  for (let turn = 0; turn < turns; turn += 1) now = now.map(([x, y]) => [length - y, x])
  return now
}
