// What was billed, what the plan allows, and the keys.

import { useEffect, useMemo, useState } from 'preact/hooks'
import { getUsage, listKeys } from '../api/client'
import type { Key, Session, Usage } from '../api/client'
import { day, language, money, size, t } from '../messages'
import { sayError } from '../notices'
import { Curl } from '../parts/curl'

const DAY = 86_400_000
const date = (time: number) => new Date(time).toISOString().slice(0, 10)

function rangeOf(name: string): [string, string] {
  const now = Date.now()
  const today = date(now)
  if (name === 'month') return [`${today.slice(0, 8)}01`, today]
  return [date(now - (name === 'days30' ? 29 : 89) * DAY), today]
}

export function UsageScreen({ session }: { session: Session }) {
  const [range, setRange] = useState('month')
  const [usage, setUsage] = useState<Usage | null>(null)
  const [keys, setKeys] = useState<Key[] | null>(null)
  const [from, to] = useMemo(() => rangeOf(range), [range])
  const may = session.key.scopes.includes('usage')
  useEffect(() => {
    if (may) getUsage(from, to).then(setUsage, sayError)
  }, [from, to, may])
  useEffect(() => { if (may) listKeys().then(setKeys, sayError) }, [may])

  const days = useMemo(() => {
    const all: string[] = []
    for (let time = Date.parse(from); time <= Date.parse(to); time += DAY) all.push(date(time))
    return all
  }, [from, to])
  const byKind = useMemo(() => {
    const found = new Map<string, { jobs: number; cents: number; days: Map<string, number> }>()
    for (const event of usage?.events ?? []) {
      const kind = event.event_type.split('.')[0] ?? ''
      const one = found.get(kind) ?? { jobs: 0, cents: 0, days: new Map() }
      one.jobs += 1
      one.cents += event.unit_price_cents
      const on = event.created_at.slice(0, 10)
      one.days.set(on, (one.days.get(on) ?? 0) + event.unit_price_cents)
      found.set(kind, one)
    }
    return [...found].sort(([, a], [, b]) => b.cents - a.cents)
  }, [usage])
  const nameOf = (kind: string) => t().kinds[kind] ?? kind
  const csv = () => {
    const rows = (usage?.events ?? []).map((event) => [event.id, event.event_type, event.unit_price_cents, event.status, event.created_at].join(','))
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([['id,event_type,unit_price_cents,status,created_at', ...rows, ''].join('\r\n')], { type: 'text/csv' }))
    link.download = `aerie-usage-${from}-${to}.csv`
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
  }
  const { organization, limits } = session
  return (
    <div class="page">
      <div class="heading">
        <h1>{t().usageTitle}</h1>
        <span class="grow" />
        <fieldset class="chips">
          <legend class="hidden">{t().range}</legend>
          {Object.entries(t().ranges).map(([value, name]) => (
            <label key={value} class="chip"><input type="radio" name="range" checked={range === value} onChange={() => setRange(value)} /><span>{name}</span></label>
          ))}
        </fieldset>
      </div>
      <dl class="facts">
        <div><dt>{t().cost}</dt><dd>{usage ? money(usage.summary.total_cost_cents) : '…'}</dd></div>
        <div><dt>{t().quota}</dt><dd>{t().quotaOf(organization.quota_used, organization.monthly_quota)}</dd></div>
        <div><dt>{t().uploads}</dt><dd>{t().uploadsOf(size(organization.uploaded_bytes), limits.upload_bytes_per_month === null ? null : size(limits.upload_bytes_per_month))}</dd></div>
        <div><dt>{t().plan}</dt><dd>{organization.plan}</dd></div>
        <div><dt>{t().requests}</dt><dd>{t().requestsOf(limits.requests_per_minute, limits.requests_per_day)}</dd></div>
      </dl>
      {usage && usage.events.length === 0 && (
        <section class="teach"><h2>{t().usageEmpty}</h2><p class="quiet">{t().usageEmptyHint}</p></section>
      )}
      {usage && usage.events.length > 0 && (
        <section class="card">
          <div class="toolbar"><h2>{t().perDay}</h2><span class="grow" /><button type="button" onClick={csv}>{t().csv}</button></div>
          <Chart days={days} byKind={byKind.map(([kind, { days }]) => [kind, days])} total={money(usage.summary.total_cost_cents)} />
          <div class="scroll" tabIndex={0} role="region" aria-label={t().perDay}>
            <table>
              <thead><tr><th scope="col">{t().kind}</th><th scope="col" class="figure">{t().jobs}</th><th scope="col" class="figure">{t().cost}</th></tr></thead>
              <tbody>
                {byKind.map(([kind, { jobs, cents }], at) => (
                  <tr key={kind}><td><span class={`swatch kind-${at % 6}`} aria-hidden="true" />{nameOf(kind)}</td><td class="figure">{jobs}</td><td class="figure">{money(cents)}</td></tr>
                ))}
              </tbody>
              <tfoot><tr><th scope="row">{t().total}</th><td class="figure">{usage.summary.total_events}</td><td class="figure">{money(usage.summary.total_cost_cents)}</td></tr></tfoot>
            </table>
          </div>
        </section>
      )}
      {keys && (
        <section class="card">
          <h2>{t().keys}</h2>
          <div class="scroll" tabIndex={0} role="region" aria-label={t().keys}>
            <table>
              <thead><tr><th scope="col">{t().key}</th><th scope="col">{t().scopes}</th><th scope="col">{t().created}</th><th scope="col">{t().expires}</th><th scope="col">{t().state}</th></tr></thead>
              <tbody>
                {keys.map((key) => (
                  <tr key={key.id}>
                    <td><code>{key.hint}</code>{key.is_current && <span class="quiet small"> {t().thisSession}</span>}</td>
                    <td>{key.scopes.join(', ')}</td><td>{day(key.created_at)}</td>
                    <td>{key.expires_at ? day(key.expires_at) : t().never}</td>
                    <td>{key.revoked_at ? t().revoked : key.expires_at && Date.parse(key.expires_at) < Date.now() ? t().expired : t().active}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <p class="quiet small">{t().keysHint}</p>
          <pre tabIndex={0}><code>{`aerie admin key create --org ${organization.id}\naerie admin key revoke KEY_ID`}</code></pre>
        </section>
      )}
      <Curl commands={`curl -s "$BASE/v1/usage?from=${from}&to=${to}" -H "X-API-Key: $KEY"`} />
    </div>
  )
}

function Chart({ days, byKind, total }: { days: string[]; byKind: [string, Map<string, number>][]; total: string }) {
  const sums = days.map((on) => byKind.reduce((sum, [, costs]) => sum + (costs.get(on) ?? 0), 0))
  const most = Math.max(1, ...sums)
  const [width, height] = [720, 160]
  const step = width / days.length
  const short = (on: string) => new Date(`${on}T12:00:00Z`).toLocaleDateString(language.value, { month: 'short', day: 'numeric', timeZone: 'UTC' })
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={t().chartLabel(total, days.length)}>
        {days.map((on, at) => {
          let top = height
          return byKind.map(([kind, costs], which) => {
            const tall = ((costs.get(on) ?? 0) / most) * (height - 8)
            if (tall === 0) return null
            top -= tall
            return <rect key={kind + on} class={`kind-${which % 6}`} x={at * step + step * 0.12} y={top} width={step * 0.76} height={tall} rx="2"><title>{`${short(on)} · ${t().kinds[kind] ?? kind} · ${money(costs.get(on) ?? 0)}`}</title></rect>
          })
        })}
        <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} />
      </svg>
      <figcaption class="quiet small"><span>{short(days[0] ?? '')}</span><span>{short(days[days.length - 1] ?? '')}</span></figcaption>
    </figure>
  )
}
