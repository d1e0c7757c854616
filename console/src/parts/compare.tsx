// Before and after, with a divider that is dragged or moved by arrow keys.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../messages'

export function Compare({ before, after, mask, name }: { before: string; after: string; mask?: string; name: string }) {
  const [share, setShare] = useState(50)
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => { place.current?.style.setProperty('--share', `${share}%`) }, [share])
  return (
    <div class="compare" ref={place}>
      <img src={after} alt={`${name}: ${t().after}`} draggable={false} />
      {mask && <img class="mask" src={mask} alt="" draggable={false} />}
      <img class="first" src={before} alt={`${name}: ${t().before}`} draggable={false} />
      <span class="tag left" aria-hidden="true">{t().before}</span>
      <span class="tag right" aria-hidden="true">{t().after}</span>
      <span class="divider" aria-hidden="true" />
      <input
        type="range" min="0" max="100" step="0.5" value={share} aria-label={t().compare}
        aria-valuetext={`${Math.round(share)} %`}
        onInput={(event) => setShare(event.currentTarget.valueAsNumber)}
      />
    </div>
  )
}
