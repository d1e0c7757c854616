// What is under a finger, twice as large, in a corner of the picture.

import type { ComponentChildren } from 'preact'
import type { Point } from '../../api/desks'

export function Magnifier({ at: [x, y], radius, isLeft, children }: { at: Point; radius: number; isLeft: boolean; children: ComponentChildren }) {
  return (
    <svg class={isLeft ? 'magnifier left' : 'magnifier'} viewBox={`${x - radius / 1.5} ${y - radius / 1.5} ${radius / 0.75} ${radius / 0.75}`} aria-hidden="true">
      {children}
      <path class="cursor" d={`M${x - radius / 5} ${y}h${radius / 2.5}M${x} ${y - radius / 5}v${radius / 2.5}`} stroke-width={radius / 44} />
    </svg>
  )
}
