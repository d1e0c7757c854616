// All organizations, what they were billed, and what plans and prices there are.

import { useState } from 'preact/hooks'
import { createOrganization, getMonth, getPlans, listOrganizations } from '../api/operator'
import type { MonthUsage, Organization, Plans } from '../api/operator'
import { day, locale, money, size, t } from '../messages'
import { operator as words } from '../messages/operator'
import { sayError } from '../notices'
import { Icon } from '../parts/icon'
import { go } from '../route'
import { count } from './format'
import { Commands, State, Table, Updated } from './parts'
import { usePolled } from './polled'

const PAGE = 50
const MONTHS = 13

/** This month and those before it, `YYYY-MM`. */
function months(): string[] {
  const now = new Date()
  return Array.from({ length: MONTHS }, (_, back) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7))
}

export const monthName = (month: string): string =>
  new Date(`${month}-01T12:00:00Z`).toLocaleDateString(locale(), { month: 'long', year: 'numeric', timeZone: 'UTC' })

export function MonthSelect({ month, change, isBare }: { month: string; change: (month: string) => void; isBare?: boolean }) {
  return (
    <label class="filter"><span class={isBare ? 'hidden' : 'quiet small'}>{words().usageOf}</span>
      <select value={month} onChange={(event) => change(event.currentTarget.value)}>
        {months().map((value) => <option key={value} value={value}>{monthName(value)}</option>)}
      </select>
    </label>
  )
}

export function OrganizationsScreen() {
  const [search, setSearch] = useState('')
  const [limit, setLimit] = useState(PAGE)
  const [month, setMonth] = useState(months()[0] ?? '')
  const found = usePolled(() => listOrganizations(search, Math.min(limit, 100)), `${search} ${limit}`)
  const usage = usePolled(() => getMonth(month), month)
  const plans = usePolled(getPlans, '', 300_000)
  const [shown, setShown] = useState<{ data: Organization[]; total: number } | undefined>()
  // While a search is under way, what was found before stays.
  if (found.value && found.value !== shown) setShown(found.value)
  const isEmpty = shown?.total === 0 && !search
  return (
    <div class="page wide">
      <div class="heading">
        <h1>{words().organizations}</h1>
        {shown && shown.total > 0 && <span class="quiet">{count(shown.total)}</span>}
        <span class="grow" />
        <Updated of={[found, usage]} />
      </div>
      {isEmpty && (
        <section class="teach">
          <h2>{words().noOrganizations}</h2>
          <p class="quiet">{words().noOrganizationsHint}</p>
          <ol class="steps">
            {words().steps.map(([title, text], at) => (
              <li key={title}><span class="number" aria-hidden="true">{at + 1}</span><h3>{title}</h3><p class="quiet">{text}</p></li>
            ))}
          </ol>
        </section>
      )}
      <NewOrganization plans={plans.value} />
      {shown && !isEmpty && (
        <section class="card">
          <div class="row">
            <input type="search" class="search" placeholder={words().search} aria-label={words().search} value={search} onInput={(event) => { setSearch(event.currentTarget.value); setLimit(PAGE) }} />
            <span class="grow" />
            <MonthSelect month={month} change={setMonth} />
          </div>
          {shown.total === 0 && <p class="quiet">{words().nothingFound(search)}</p>}
          {shown.total > 0 && <Organizations found={shown.data} usage={usage.value} />}
          {shown.data.length < shown.total && (
            <div class="row">
              <span class="quiet small">{words().shownOf(shown.data.length, shown.total)}</span>
              {limit < 100 && <button type="button" onClick={() => setLimit(100)}>{words().more}</button>}
            </div>
          )}
        </section>
      )}
      {plans.value && <PlansPanel plans={plans.value} />}
      <Commands commands={`aerie admin org list\naerie admin org create "Acme Homes" --plan growth\naerie admin usage --csv --from ${month}-01`} />
    </div>
  )
}

function Organizations({ found, usage }: { found: Organization[]; usage?: MonthUsage }) {
  return (
    <Table name={words().organizations} heads={[words().name, t().plan, { figure: words().quota }, { figure: words().billed }, { figure: t().cost }, words().enabledKinds, words().created]}>
      {found.map((one) => {
        const billed = usage?.organizations.find(({ organization_id }) => organization_id === one.id)
        const isUsedUp = one.monthly_quota !== null && one.jobs_this_month >= one.monthly_quota
        const kinds = Object.entries(t().kinds).filter(([kind]) => !one.disabled.includes(kind))
        return (
          <tr key={one.id}>
            <th scope="row" class="name"><a href={`#/organizations/${one.id}`}>{one.name}</a></th>
            <td>{one.plan_is_known ? one.plan : <span title={words().unknownPlan}><State ok={false}>{one.plan}</State></span>}</td>
            <td class="figure"><span class={isUsedUp ? 'error' : ''} title={isUsedUp ? words().quotaUsedUp : undefined}>{words().quotaOf(count(one.jobs_this_month), one.monthly_quota === null ? null : count(one.monthly_quota))}</span></td>
            <td class="figure">{usage ? count(billed?.jobs ?? 0) : '…'}</td>
            <td class="figure">{usage ? money(billed?.cents ?? 0) : '…'}</td>
            <td>{one.disabled.length === 0 ? words().allKinds : kinds.map(([, name]) => name).join(', ')}</td>
            <td>{day(one.created_at)}</td>
          </tr>
        )
      })}
    </Table>
  )
}

function NewOrganization({ plans }: { plans?: Plans }) {
  const [name, setName] = useState('')
  const [plan, setPlan] = useState('')
  const [isBusy, setBusy] = useState(false)
  const names = plans?.plans.map((one) => one.name) ?? []
  const chosen = plan || (names.includes('enterprise') ? 'enterprise' : names[0] ?? '')
  const create = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    try {
      const created = await createOrganization(name, chosen)
      go(`/organizations/${created.id}`)
    } catch (error) {
      sayError(error)
    }
    setBusy(false)
  }
  return (
    <form class="card row new" aria-label={words().newOrganization} onSubmit={(event) => void create(event)}>
      <Icon name="plus" />
      <input class="grow" required maxLength={200} placeholder={words().newOrganization} aria-label={`${words().newOrganization}: ${words().name}`} value={name} onInput={(event) => setName(event.currentTarget.value)} />
      <label class="filter"><span class="quiet small">{t().plan}</span>
        <select value={chosen} onChange={(event) => setPlan(event.currentTarget.value)}>
          {names.map((value) => <option key={value} value={value}>{value}</option>)}
        </select>
      </label>
      <button class="primary" type="submit" disabled={isBusy || !plans}>{words().create}</button>
    </form>
  )
}

function PlansPanel({ plans }: { plans: Plans }) {
  const limit = (value: number | null) => (value === null ? words().noLimit : count(value))
  return (
    <section class="card">
      <h2>{words().plansTitle}</h2>
      <p class="quiet small">{words().plansHint(plans.configuration ?? words().defaults)}</p>
      <div class="halves">
        <Table
          name={words().plansTitle}
          heads={[t().plan, { figure: words().perMinute }, { figure: words().perDay }, { figure: words().queued }, { figure: words().failedADay }, { figure: words().uploadsMonth }, { figure: words().weight }]}
        >
          {plans.plans.map((plan) => (
            <tr key={plan.name}>
              <th scope="row">{plan.name}</th>
              <td class="figure">{count(plan.requests_per_minute)}</td><td class="figure">{count(plan.requests_per_day)}</td>
              <td class="figure">{limit(plan.queued_jobs)}</td><td class="figure">{limit(plan.failed_per_day)}</td>
              <td class="figure">{plan.upload_bytes_per_month === null ? words().noLimit : size(plan.upload_bytes_per_month)}</td>
              <td class="figure">{count(plan.weight)}</td>
            </tr>
          ))}
        </Table>
        <Table name={words().price} heads={[t().kind, { figure: words().price }]}>
          {plans.prices.map(({ kind, cents }) => <tr key={kind}><th scope="row">{t().kinds[kind] ?? kind}</th><td class="figure">{money(cents)}</td></tr>)}
        </Table>
      </div>
    </section>
  )
}
