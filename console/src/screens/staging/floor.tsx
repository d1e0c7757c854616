// Where the walls meet the floor, and how long something is, as a person shows it on the photo.

import { useState } from 'preact/hooks'
import type { StagingOptions, StagingRequest } from '../../api/rooms'
import type { Point } from '../../camera'
import { t } from '../../messages'
import { staging } from '../../messages/staging'
import { Points } from '../../parts/points'
import type { PointLine } from '../../parts/points'

interface FloorParts {
  picture: string
  size: [number, number]
  request: StagingRequest
  /** Why nothing can be made. */
  reason?: string
  isBusy: boolean
  render: (corrections: Pick<StagingOptions, 'room_corners' | 'known_length'>) => void
}

const MOST_CORNERS = 16

function usual([width, height]: [number, number]): Point[] {
  const shares: Point[] = [[0, 0.8], [0.3, 0.6], [0.7, 0.6], [1, 0.8]]
  return shares.map(([x, y]) => [Math.round(x * width), Math.round(y * height)])
}

/** One corner more, where they are farthest apart. */
function withOneMore(points: Point[]): Point[] {
  const gap = (at: number) => Math.hypot(points[at + 1]![0] - points[at]![0], points[at + 1]![1] - points[at]![1])
  const widest = points.slice(1).reduce((best, _, at) => (gap(at) > gap(best) ? at : best), 0)
  const [from, to] = [points[widest]!, points[widest + 1]!]
  const between: Point = [Math.round((from[0] + to[0]) / 2), Math.round((from[1] + to[1]) / 2)]
  return [...points.slice(0, widest + 1), between, ...points.slice(widest + 1)]
}

export function Floor({ picture, size, request, reason, isBusy, render }: FloorParts) {
  const given = request.options
  const [hasCorners, setHasCorners] = useState(true)
  const [corners, setCorners] = useState<Point[]>((given.room_corners as Point[] | null | undefined) ?? usual(size))
  const [hasLength, setHasLength] = useState(Boolean(given.known_length))
  const [ends, setEnds] = useState<Point[]>(() => {
    const { from, to } = given.known_length ?? {}
    return from && to ? [from as Point, to as Point] : [[size[0] * 0.35, size[1] * 0.75], [size[0] * 0.65, size[1] * 0.75]].map((point) => point.map(Math.round) as Point)
  })
  const [meters, setMeters] = useState(given.known_length?.meters ?? 3)
  const lines: PointLine[] = [
    ...(hasCorners ? [{ name: (at: number) => staging().corner(at + 1, corners.length), points: corners, change: setCorners }] : []),
    ...(hasLength ? [{ name: (at: number) => staging().lengthEnd(at + 1), points: ends, change: setEnds }] : []),
  ]
  const [from, to] = ends
  const isLength = !hasLength || meters > 0
  return (
    <div class="desk">
      <div class="desk-main"><Points picture={picture} name={t().original} size={size} lines={lines} /></div>
      <div class="desk-side card">
        <label class="check"><input type="checkbox" checked={hasCorners} onChange={(event) => setHasCorners(event.currentTarget.checked)} /><span>{staging().useCorners}</span></label>
        {hasCorners && (
          <>
            <p class="quiet small">{staging().floorHint} {staging().pointHint}</p>
            <div class="row">
              <button type="button" disabled={corners.length >= MOST_CORNERS} onClick={() => setCorners(withOneMore(corners))}>{staging().addCorner}</button>
              <button type="button" disabled={corners.length <= 2} onClick={() => setCorners(corners.filter((_, at) => at !== Math.floor(corners.length / 2)))}>{staging().removeCorner}</button>
            </div>
          </>
        )}
        <label class="check"><input type="checkbox" checked={hasLength} onChange={(event) => setHasLength(event.currentTarget.checked)} /><span>{staging().knownLength}</span></label>
        {hasLength && (
          <>
            <p class="quiet small">{staging().lengthHint}</p>
            <label class="field"><span>{staging().meters}</span>
              <input type="number" min="0.1" max="100" step="0.01" value={meters} onInput={(event) => setMeters(event.currentTarget.valueAsNumber)} />
            </label>
          </>
        )}
        {lines.length === 0 && <p class="quiet small">{staging().nothingCorrected}</p>}
        {reason && <p class="hint small">{reason}</p>}
        <button
          type="button" class="primary wide" disabled={isBusy || reason !== undefined || lines.length === 0 || !isLength}
          onClick={() => render({ room_corners: hasCorners ? corners : undefined, known_length: hasLength && from && to ? { from, to, meters } : undefined })}
        >{staging().draftAgain}</button>
        <p class="quiet small">{staging().counts(1)}</p>
      </div>
    </div>
  )
}
