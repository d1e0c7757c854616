// What was billed, compared with the time before, and what the plan allows.

import { useEffect, useMemo, useState } from 'preact/hooks'
import { getSession, getUsage } from '../../api/client'
import type { Session, Usage } from '../../api/client'
import { locale, money, size, t } from '../../messages'
import { account as m } from '../../messages/account'
import { sayError } from '../../notices'
import { Curl } from '../../parts/curl'
import { Chart, shortDay } from './usage-chart'

const DAY = 86_400_000
const date = (time: number) => new Date(time).toISOString().slice(0, 10)

function daysOf(from: string, to: string): string[] {
  const all: string[] = []
  for (let time = Date.parse(from); time <= Date.parse(to); time += DAY) all.push(date(time))
  return all
}

/** The days of a range, and as many of the time before: of the month before, from its first. */
function rangeOf(name: string): { days: string[]; before: string[] } {
  const now = Date.now()
  const today = date(now)
  if (name === 'month') {
    const days = daysOf(`${today.slice(0, 8)}01`, today)
    const end = Date.parse(days[0] ?? today) - DAY
    return { days, before: daysOf(`${date(end).slice(0, 8)}01`, date(end)).slice(0, days.length) }
  }
  const count = name === 'days30' ? 30 : 90
  const first = now - (count - 1) * DAY
  return { days: daysOf(date(first), today), before: daysOf(date(first - count * DAY), date(first - DAY)) }
}

const ends = (days: string[]): [string, string] => [days[0] ?? '', days[days.length - 1] ?? '']

export function UsageScreen({ session }: { session: Session }) {
  const [range, setRange] = useState('month')
  const [usage, setUsage] = useState<Usage | null>(null)
  const [earlier, setEarlier] = useState<Usage | null>(null)
  const { days, before } = useMemo(() => rangeOf(range), [range])
  const [from, to] = ends(days)
  const may = session.key.scopes.includes('usage')
  // What was used since the page was opened.
  const [organization, setOrganization] = useState(session.organization)
  useEffect(() => { getSession().then((now) => { if (now) setOrganization(now.organization) }, sayError) }, [])
  useEffect(() => {
    if (!may) return
    let isCurrent = true
    setEarlier(null)
    getUsage(from, to).then((found) => { if (isCurrent) setUsage(found) }, sayError)
    getUsage(...ends(before)).then((found) => { if (isCurrent) setEarlier(found) }, sayError)
    return () => { isCurrent = false }
  }, [from, to, before, may])

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
  const costsBefore = useMemo(() => {
    const costs = new Map<string, number>()
    for (const { created_at, unit_price_cents } of earlier?.events ?? []) {
      const on = created_at.slice(0, 10)
      costs.set(on, (costs.get(on) ?? 0) + unit_price_cents)
    }
    return before.map((on) => costs.get(on) ?? 0)
  }, [earlier, before])
  if (!may) return <p class="hint">{m().noUsageScope}</p>

  const nameOf = (kind: string) => t().kinds[kind] ?? kind
  const csv = () => {
    const rows = (usage?.events ?? []).map((event) => [event.id, event.event_type, event.unit_price_cents, event.status, event.created_at].join(','))
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([['id,event_type,unit_price_cents,status,created_at', ...rows, ''].join('\r\n')], { type: 'text/csv' }))
    link.download = `aerie-usage-${from}-${to}.csv`
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
  }
  const { limits } = session
  const total = usage?.summary.total_cost_cents
  const totalBefore = earlier?.summary.total_cost_cents
  return (
    <>
      <div class="heading">
        <h2 class="hidden">{t().usageTitle}</h2>
        <fieldset class="chips">
          <legend class="hidden">{t().range}</legend>
          {Object.entries(t().ranges).map(([value, name]) => (
            <label key={value} class="chip"><input type="radio" name="range" checked={range === value} onChange={() => setRange(value)} /><span>{name}</span></label>
          ))}
        </fieldset>
      </div>
      <dl class="facts">
        <div>
          <dt>{t().cost}</dt><dd>{total === undefined ? '…' : money(total)}</dd>
          {total !== undefined && totalBefore !== undefined && <dd>{changeOf(total, totalBefore)}</dd>}
        </div>
        <div>
          <dt>{m().before}</dt><dd>{totalBefore === undefined ? '…' : money(totalBefore)}</dd>
          <dd>{m().beforeRange(...(ends(before).map(shortDay) as [string, string]))}</dd>
        </div>
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
          <Chart days={days} byKind={byKind.map(([kind, { days: costs }]) => [kind, costs])} before={costsBefore} total={money(usage.summary.total_cost_cents)} />
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
      <Curl commands={`curl -s "$BASE/v1/usage?from=${from}&to=${to}" -H "X-API-Key: $KEY"`} />
    </>
  )
}

function changeOf(now: number, then: number): string {
  if (then === 0) return m().firstCost
  const percent = Math.round((Math.abs(now - then) / then) * 100)
  if (percent === 0) return m().same
  const words = (percent / 100).toLocaleString(locale(), { style: 'percent' })
  return now > then ? m().more(words) : m().less(words)
}
