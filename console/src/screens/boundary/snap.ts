// Corners that are near the suggested parcel go onto it.

import type { Point } from '../../api/desks'
import { distance, edges } from './polygon'

function nearestOn([ax, ay]: Point, [bx, by]: Point, [x, y]: Point): Point {
  const [dx, dy] = [bx - ax, by - ay]
  const share = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)))
  return [ax + share * dx, ay + share * dy]
}

/**
 * A function that moves a point onto a corner of the parcel within reach, or else onto an edge within half of that, and always into the
 * picture of `side` pixels.
 */
export function snapper(parcel: readonly Point[], side: number): (point: Point, reach: number) => Point {
  const within = (value: number) => Math.min(Math.max(value, 0), side)
  return ([x, y], reach) => {
    const point: Point = [within(x), within(y)]
    const near = (points: Point[], within: number) =>
      points.filter((one) => distance(one, point) <= within).sort((one, other) => distance(one, point) - distance(other, point))[0]
    return near([...parcel], reach) ?? near(edges(parcel).map(([a, b]) => nearestOn(a, b, point)), reach / 2) ?? point
  }
}
