// The camera of a staged photo, from what a job says of its furniture: boxes in meters, and their outlines in pixels. With it, a piece
// is drawn and dragged on the picture where it will stand.

export type Point = [number, number]
export type Place = [number, number, number]

/** What a box in the room is, and where the picture shows it. */
export interface Seen {
  corners: Place[]
  /** Its outline in pixels, cut off at the picture's edges. */
  outline: Point[]
}

export interface Camera {
  /** Of the picture, pixels. */
  width: number
  height: number
  /** Of the camera above the floor, meters. It stands at 0, 0. */
  eye: number
  focal: number
  /** Radians: up, clockwise, and to the right of the room's second axis. */
  pitch: number
  roll: number
  yaw: number
}

/** Nearer points are behind the camera. */
const NEAREST = 0.02
/** Greatest error of outlines that a camera may have, as a share of the picture's width. */
const WORST = 0.01

const turned = (a: number, b: number, angle: number): Point => {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  return [a * cos - b * sin, a * sin + b * cos]
}

/** The pixel of a place; none behind the camera. */
export function pixel(camera: Camera, [x, y, z]: Place): Point | null {
  const [right, ahead] = turned(x, y, camera.yaw)
  const [down, deep] = turned(camera.eye - z, ahead, -camera.pitch)
  if (deep < NEAREST) return null
  const [u, v] = turned(right, down, -camera.roll)
  return [camera.width / 2 + (camera.focal * u) / deep, camera.height / 2 + (camera.focal * v) / deep]
}

/** The direction of a pixel in the room. */
export function ray(camera: Camera, [u, v]: Point): Place {
  const [right, lower] = turned((u - camera.width / 2) / camera.focal, (v - camera.height / 2) / camera.focal, camera.roll)
  const [down, ahead] = turned(lower, 1, camera.pitch)
  const [x, y] = turned(right, ahead, -camera.yaw)
  return [x, y, -down]
}

/** Where a pixel meets the horizontal plane at a height; none at or above the horizon. */
export function onPlane(camera: Camera, at: Point, height: number): Point | null {
  const [x, y, z] = ray(camera, at)
  const reach = (height - camera.eye) / z
  return Number.isFinite(reach) && reach > 0 && reach < 200 ? [x * reach, y * reach] : null
}

/** Where a pixel meets the upright plane through a place that faces a direction. */
export function onWall(camera: Camera, at: Point, place: Place, facing: Point): Place | null {
  const [x, y, z] = ray(camera, at)
  const across = x * facing[0] + y * facing[1]
  const reach = (place[0] * facing[0] + place[1] * facing[1]) / across
  return Number.isFinite(reach) && reach > 0 && reach < 200 ? [x * reach, y * reach, camera.eye + z * reach] : null
}

/** Left, top, right and bottom. */
function bounds(points: Point[]): number[] {
  const along = (axis: 0 | 1) => points.map((point) => point[axis])
  return [Math.min(...along(0)), Math.min(...along(1)), Math.max(...along(0)), Math.max(...along(1))]
}

function shown(camera: Camera, corners: Place[]): Point[] {
  const limit = (value: number, most: number) => Math.min(Math.max(value, 0), most)
  return corners.flatMap((corner) => {
    const found = pixel(camera, corner)
    return found ? [[limit(found[0], camera.width), limit(found[1], camera.height)] as Point] : []
  })
}

/** How far outlines are from where a camera shows them, pixels. */
function errors(camera: Camera, seen: { corners: Place[]; bounds: number[] }[]): number[] {
  return seen.flatMap((one) => {
    const points = shown(camera, one.corners)
    if (points.length === 0) return one.bounds.map(() => camera.width)
    return bounds(points).map((value, at) => value - (one.bounds[at] ?? 0))
  })
}

type Vector = number[]
const sumOf = (values: Vector) => values.reduce((sum, value) => sum + value * value, 0)

/** Solves a small system of linear equations by elimination; changes what it gets. */
function solve(rows: number[][]): Vector {
  const size = rows.length
  for (let at = 0; at < size; at += 1) {
    let best = at
    for (let row = at; row < size; row += 1) if (Math.abs(rows[row]![at]!) > Math.abs(rows[best]![at]!)) best = row
    ;[rows[at], rows[best]] = [rows[best]!, rows[at]!]
    for (let row = 0; row < size; row += 1) {
      if (row === at) continue
      const factor = rows[row]![at]! / (rows[at]![at]! || 1e-12)
      for (let column = at; column <= size; column += 1) rows[row]![column]! -= factor * rows[at]![column]!
    }
  }
  return rows.map((row, at) => row[size]! / (row[at]! || 1e-12))
}

/** Least squares by Levenberg and Marquardt. */
function fitted(start: Vector, residuals: (values: Vector) => Vector): { values: Vector; error: number } {
  let [values, now, damping] = [start, residuals(start), 1e-2]
  for (let round = 0; round < 40 && damping < 1e9; round += 1) {
    const slopes = values.map((value, at) => {
      const step = 1e-5
      return residuals(values.map((same, other) => (other === at ? value + step : same))).map((moved, row) => (moved - now[row]!) / step)
    })
    const rows = slopes.map((slope, at) => [
      ...slopes.map((other, column) => slope.reduce((sum, s, row) => sum + s * other[row]!, 0) * (at === column ? 1 + damping : 1)),
      -slope.reduce((sum, s, row) => sum + s * now[row]!, 0),
    ])
    const steps = solve(rows)
    const next = values.map((value, at) => value + steps[at]!)
    const then = residuals(next)
    const isBetter = sumOf(then) < sumOf(now)
    damping *= isBetter ? 0.2 : 8
    const gain = sumOf(now) - sumOf(then)
    if (isBetter) [values, now] = [next, then]
    if (isBetter && gain < 1e-6) break
  }
  return { values, error: Math.sqrt(sumOf(now) / now.length) }
}

/** The camera that shows furniture where the picture has it; none if the furniture says too little. */
export function cameraOf(width: number, height: number, eye: number, all: Seen[]): Camera | null {
  const seen = all.filter(({ outline }) => outline.length > 2).map(({ corners, outline }) => ({ corners, bounds: bounds(outline) }))
  const edges = [0, 0, width, height]
  const inside = seen.flatMap((one) => one.bounds.filter((value, at) => Math.abs(value - edges[at]!) > 0.5))
  if (inside.length < 6) return null
  const of = ([focal = 0, pitch = 0, roll = 0, yaw = 0]: Vector): Camera => ({ width, height, eye, focal: Math.exp(focal) * width, pitch, roll, yaw })
  let best: { values: Vector; error: number } | null = null
  for (const focal of [0.5, 0.75, 1.1]) {
    for (const pitch of [-0.15, 0.05]) {
      for (const yaw of [-0.6, -0.3, 0, 0.3, 0.6]) {
        const found = fitted([Math.log(focal), pitch, 0, yaw], (values) => errors(of(values), seen))
        if (!best || found.error < best.error) best = found
      }
    }
  }
  return best && best.error < width * WORST ? of(best.values) : null
}
