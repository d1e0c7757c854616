// Points on a picture that are dragged, or moved by arrow keys.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Point } from '../camera'
import { followPointer } from './drag'

export interface PointLine {
  name: (at: number) => string
  points: Point[]
  change: (points: Point[]) => void
}

interface PointsParts {
  picture: string
  name: string
  size: [number, number]
  lines: PointLine[]
}

const KEYS: Record<string, Point> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

export function Points({ picture, name, size, lines }: PointsParts) {
  const drawing = useRef<SVGSVGElement>(null)
  const [px, setPx] = useState(1)
  useLayoutEffect(() => {
    const place = drawing.current
    if (!place) return
    const observer = new ResizeObserver(() => setPx(size[0] / place.clientWidth || 1))
    observer.observe(place)
    return () => observer.disconnect()
  }, [size[0]])
  const inside = ([x, y]: Point): Point => [Math.min(Math.max(x, 0), size[0]), Math.min(Math.max(y, 0), size[1])].map(Math.round) as Point
  const moved = (line: PointLine, which: number, to: Point) => line.change(line.points.map((point, at) => (at === which ? inside(to) : point)))
  return (
    <div class="board" style={{ '--ratio': size[0] / size[1] }}>
      <img src={picture} alt={name} draggable={false} />
      <svg ref={drawing} viewBox={`0 0 ${size[0]} ${size[1]}`} class="points">
        {lines.map((line, of) => (
          <g key={of} class={`line-${of}`}>
            <polyline points={line.points.map((point) => point.join()).join(' ')} />
            {line.points.map(([x, y], which) => (
              <g
                key={which} class="point" tabIndex={0} role="button" aria-label={line.name(which)}
                onPointerDown={(press) => {
                  const [startX, startY] = [x, y]
                  followPointer(press, (at, from) => moved(line, which, [startX + at[0] - from[0], startY + at[1] - from[1]]))
                }}
                onKeyDown={(event) => {
                  const step = KEYS[event.key]
                  if (!step) return
                  event.preventDefault()
                  const far = Math.max(1, (size[0] / 500) * (event.shiftKey ? 8 : 1))
                  moved(line, which, [x + step[0] * far, y + step[1] * far])
                }}
              >
                <circle class="target" cx={x} cy={y} r={22 * px} /><circle cx={x} cy={y} r={7 * px} />
              </g>
            ))}
          </g>
        ))}
      </svg>
    </div>
  )
}
