// One organization: its terms, keys, webhooks and usage.

import { useState } from 'preact/hooks'
import { getMonth, getOrganization, getPlans } from '../api/operator'
import type { MonthUsage, OrganizationDetails } from '../api/operator'
import { day, money, size, t } from '../messages'
import { operator as words } from '../messages/operator'
import { count, moment } from './format'
import { KeysPanel } from './keys-panel'
import { MonthSelect } from './organizations'
import { Commands, Table, Updated } from './parts'
import { usePolled } from './polled'
import { TermsForm } from './terms-form'

export function OrganizationScreen({ id }: { id: string }) {
  const [month, setMonth] = useState(new Date().toISOString().slice(0, 7))
  const details = usePolled(() => getOrganization(id), id)
  const usage = usePolled(() => getMonth(month), month)
  const plans = usePolled(getPlans, '', 300_000)
  const one = details.value
  return (
    <div class="page">
      <p><a href="#/organizations">‹ {words().back}</a></p>
      <div class="heading">
        <h1>{one?.name ?? '…'}</h1>
        <span class="grow" />
        <Updated of={[details, usage]} />
      </div>
      {one && (
        <>
          <p class="quiet small"><code>{one.id}</code> · {words().created} {day(one.created_at)} · <a href={`#/failures?organization=${one.id}`}>{words().seeFailures}</a></p>
          {!one.plan_is_known && <p class="problem" role="status">{words().unknownPlan}</p>}
          <dl class="facts">
            <div><dt>{t().plan}</dt><dd>{one.plan}</dd></div>
            <div><dt>{words().quota}</dt><dd>{words().quotaOf(count(one.jobs_this_month), one.monthly_quota === null ? null : count(one.monthly_quota))}</dd></div>
            <div><dt>{t().uploads}</dt><dd>{size(one.uploaded_bytes)}</dd></div>
          </dl>
          {plans.value && <TermsForm key={one.id} organization={one} plans={plans.value} saved={details.reload} />}
          <KeysPanel organization={one} changed={details.reload} />
          <UsagePanel id={id} usage={usage.value} month={month} change={setMonth} />
          <Webhooks organization={one} />
          <Commands commands={`aerie admin org set ${one.id} --monthly-quota 500 --disable video_clip\naerie admin key create --org ${one.id}\naerie admin usage --org ${one.id} --from ${month}-01`} />
        </>
      )}
    </div>
  )
}

function UsagePanel({ id, usage, month, change }: { id: string; usage?: MonthUsage; month: string; change: (month: string) => void }) {
  const own = usage?.organizations.find(({ organization_id }) => organization_id === id)
  return (
    <section class="card">
      <div class="toolbar"><h2>{words().usageTitle}</h2><span class="grow" /><MonthSelect month={month} change={change} isBare /></div>
      {usage && !own && <p class="quiet">{words().noUsage}</p>}
      {own && (
        <Table name={words().usageTitle} heads={[t().kind, { figure: words().billed }, { figure: t().cost }]}>
          {own.by_type.map(({ event_type, jobs, cents }) => {
            const kind = event_type.split('.')[0] ?? ''
            return <tr key={event_type}><th scope="row">{t().kinds[kind] ?? event_type}</th><td class="figure">{count(jobs)}</td><td class="figure">{money(cents)}</td></tr>
          })}
          <tr class="total"><th scope="row">{t().total}</th><td class="figure">{count(own.jobs)}</td><td class="figure">{money(own.cents)}</td></tr>
        </Table>
      )}
    </section>
  )
}

function Webhooks({ organization: { webhooks } }: { organization: OrganizationDetails }) {
  return (
    <section class="card">
      <h2>{words().webhooks}</h2>
      {webhooks.length === 0 && <p class="quiet">{words().noWebhooks}</p>}
      {webhooks.length > 0 && (
        <Table name={words().webhooks} heads={[words().url, words().events, words().state]}>
          {webhooks.map((one) => (
            <tr key={one.id}>
              <th scope="row" class="message">{one.url}</th><td>{one.events.join(', ')}</td>
              <td>{one.disabled_because ? <span class="error">{words().disabled(one.disabled_because)}</span> : one.failing_since ? <span class="error">{words().failingSince(moment(one.failing_since))}</span> : words().works}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  )
}
