// What an outline measures, and what is wrong with it.

import { useEffect, useState } from 'preact/hooks'
import { boundary } from '../../messages/boundary'
import type { Outline } from './drawing'
import { area, crossing } from './polygon'
import { meters, squareFeet, squareMeters } from './units'

/** Why an outline cannot be submitted, or nothing. */
export function problemOf({ corners, isClosed }: Outline): string {
  if (!isClosed) return boundary().open
  const crossed = crossing(corners)
  if (crossed) return boundary().crosses(crossed[0] + 1, crossed[1] + 1)
  return area(corners) < 16 ? boundary().small : ''
}

interface MeasuresParts {
  measured?: { area: number; lengths: number[] }
  isClosed: boolean
  hasGround: boolean
}

export function Measures({ measured, isClosed, hasGround }: MeasuresParts) {
  if (!hasGround) return <p class="quiet small">{boundary().areaLater}</p>
  const lengths = measured?.lengths.slice(0, isClosed ? undefined : -1) ?? []
  const total = lengths.reduce((sum, one) => sum + one, 0)
  const words = measured && isClosed ? `${squareMeters(measured.area)}, ${squareFeet(measured.area)}` : ''
  return (
    <>
      <dl class="measures">
        <div><dt>{boundary().area}</dt><dd data-testid="area">{measured && isClosed ? <>{squareMeters(measured.area)}<span class="quiet small">{squareFeet(measured.area)}</span></> : '–'}</dd></div>
        <div><dt>{boundary().perimeter}</dt><dd>{isClosed ? meters(total) : '–'}</dd></div>
      </dl>
      <Announced words={words} />
      {lengths.length > 0 && (
        <details class="small" open={lengths.length <= 8}>
          <summary class="quiet">{boundary().edges}</summary>
          <ol class="lengths">{lengths.map((length, at) => <li key={at}><span class="quiet">{boundary().edge(at + 1)}</span><span>{meters(length)}</span></li>)}</ol>
        </details>
      )}
    </>
  )
}

/** For screen readers: once the outline rests, not at each step of a drag. */
function Announced({ words }: { words: string }) {
  const [said, say] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => say(words), 800)
    return () => clearTimeout(timer)
  }, [words])
  return <p class="hidden" role="status">{said}</p>
}
