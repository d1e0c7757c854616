// Cost by day and kind, with the values of a day that is chosen by mouse, touch or arrow keys.

import { useEffect, useState } from 'preact/hooks'
import { locale, money, t } from '../../messages'
import { account as m } from '../../messages/account'

export interface Costs {
  /** Names of the days, `2026-03-10`. */
  days: string[]
  byKind: [kind: string, cents: ReadonlyMap<string, number>][]
  /** Of the time before, for each of the days. */
  before: number[]
}

export const shortDay = (on: string): string =>
  new Date(`${on}T12:00:00Z`).toLocaleDateString(locale(), { month: 'short', day: 'numeric', timeZone: 'UTC' })

const [WIDTH, HEIGHT] = [720, 160]

export function Chart({ days, byKind, before, total }: Costs & { total: string }) {
  const [chosen, choose] = useState(days.length - 1)
  useEffect(() => choose(days.length - 1), [days])
  const sums = days.map((on) => byKind.reduce((sum, [, costs]) => sum + (costs.get(on) ?? 0), 0))
  const most = Math.max(1, ...sums, ...before)
  const step = WIDTH / days.length
  const tall = (cents: number) => (cents / most) * (HEIGHT - 8)
  const at = Math.min(chosen, days.length - 1)
  const on = days[at] ?? ''
  const parts = byKind.flatMap(([kind, costs], which) => {
    const cents = costs.get(on) ?? 0
    return cents > 0 ? [{ kind, which, text: `${t().kinds[kind] ?? kind} ${money(cents)}` }] : []
  })
  const head = m().dayOf(shortDay(on), parts.length > 0 ? money(sums[at] ?? 0) : m().nothingBilled)
  const tail = m().dayBefore(money(before[at] ?? 0))
  const point = (event: PointerEvent) => {
    const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect()
    choose(Math.max(0, Math.min(days.length - 1, Math.floor(((event.clientX - left) / width) * days.length))))
  }
  return (
    <figure class="chart">
      <div class="pick small">
        <strong>{head}</strong>
        {parts.map(({ kind, which, text }) => <span key={kind}><span class={`swatch kind-${which % 6}`} aria-hidden="true" />{text}</span>)}
        <span class="quiet">{tail}</span>
      </div>
      <div class="chart-place">
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={t().chartLabel(total, days.length)}>
          <rect class="day" x={at * step} y="0" width={step} height={HEIGHT} />
          {before.map((cents, place) => cents > 0 && (
            <rect key={place} class="before" x={place * step + step * 0.04} y={HEIGHT - tall(cents)} width={step * 0.92} height={tall(cents)} rx="2" />
          ))}
          {days.map((name, place) => {
            let top = HEIGHT
            return byKind.map(([kind, costs], which) => {
              const height = tall(costs.get(name) ?? 0)
              if (height === 0) return null
              top -= height
              return <rect key={kind + name} class={`kind-${which % 6}`} x={place * step + step * 0.2} y={top} width={step * 0.6} height={height} rx="2" />
            })
          })}
          <line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
        </svg>
        <input
          type="range" min="0" max={days.length - 1} value={at} aria-label={m().pick} title={m().chartHint}
          aria-valuetext={[head, ...parts.map(({ text }) => text), tail].join(', ')}
          onInput={(event) => choose(event.currentTarget.valueAsNumber)} onPointerMove={point}
          onPointerDown={(event) => { event.preventDefault(); event.currentTarget.focus(); point(event) }}
        />
      </div>
      <figcaption class="quiet small"><span>{shortDay(days[0] ?? '')}</span><span>{shortDay(days[days.length - 1] ?? '')}</span></figcaption>
    </figure>
  )
}
