// The terms of an organization. Only what was changed is sent, so that changes of others stay.

import { useState } from 'preact/hooks'
import { changeOrganization } from '../api/operator'
import type { Organization, Plans, Terms } from '../api/operator'
import { money, t } from '../messages'
import { operator as words } from '../messages/operator'
import { say, sayError } from '../notices'

/** As they are in the fields: numbers are text. */
interface Fields {
  plan: string
  monthly_quota: string
  keep_days: string
  disclosure_profile: string
  disabled: string[]
  prices: Record<string, string>
  reject_duplicates: boolean
  truth_pages: boolean
}

const text = (number: number | null | undefined) => (number === null || number === undefined ? '' : String(number))

const fieldsOf = (of: Organization): Fields => ({
  plan: of.plan,
  monthly_quota: text(of.monthly_quota),
  keep_days: text(of.keep_days),
  disclosure_profile: of.disclosure_profile ?? '',
  disabled: of.disabled,
  prices: Object.fromEntries(Object.entries(of.prices).map(([kind, cents]) => [kind, text(cents)])),
  reject_duplicates: of.reject_duplicates,
  truth_pages: of.truth_pages,
})

const number = (given: string) => (given.trim() === '' ? null : Number(given))

/** What differs, as a request. */
function changesOf(now: Fields, changed: Partial<Fields>): Terms {
  const terms: Terms = {}
  if (changed.plan !== undefined && changed.plan !== now.plan) terms.plan = changed.plan
  for (const name of ['monthly_quota', 'keep_days'] as const) {
    if (changed[name] !== undefined && changed[name] !== now[name]) terms[name] = number(changed[name])
  }
  if (changed.disclosure_profile !== undefined && changed.disclosure_profile !== now.disclosure_profile) terms.disclosure_profile = changed.disclosure_profile || null
  if (changed.disabled && [...changed.disabled].sort().join() !== [...now.disabled].sort().join()) terms.disabled = changed.disabled
  for (const name of ['reject_duplicates', 'truth_pages'] as const) {
    if (changed[name] !== undefined && changed[name] !== now[name]) terms[name] = changed[name]
  }
  const prices = Object.entries(changed.prices ?? {}).filter(([kind, cents]) => cents !== (now.prices[kind] ?? ''))
  if (prices.length > 0) terms.prices = Object.fromEntries(prices.map(([kind, cents]) => [kind, number(cents)]))
  return terms
}

export function TermsForm({ organization, plans, saved }: { organization: Organization; plans: Plans; saved: () => void }) {
  const [changed, setChanged] = useState<Partial<Fields>>({})
  const [isBusy, setBusy] = useState(false)
  const now = fieldsOf(organization)
  const fields = { ...now, ...changed, prices: { ...now.prices, ...changed.prices } }
  const set = (change: Partial<Fields>) => setChanged({ ...changed, ...change })
  const terms = changesOf(now, changed)
  const kinds = Object.entries(t().kinds)
  const names = plans.plans.map((plan) => plan.name)
  const save = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    try {
      await changeOrganization(organization.id, terms)
      saved()
      setChanged({})
      say(words().saved)
    } catch (error) {
      sayError(error)
    }
    setBusy(false)
  }
  const toggle = (kind: string) => set({ disabled: fields.disabled.includes(kind) ? fields.disabled.filter((one) => one !== kind) : [...fields.disabled, kind] })
  return (
    <form class="card" aria-label={words().terms} onSubmit={(event) => void save(event)}>
      <div><h2>{words().terms}</h2><p class="quiet small">{words().termsHint}</p></div>
      <div class="fields">
        <label class="field"><span>{t().plan}</span>
          <select value={fields.plan} onChange={(event) => set({ plan: event.currentTarget.value })}>
            {(names.includes(fields.plan) ? names : [fields.plan, ...names]).map((name) => <option key={name} value={name}>{name}</option>)}
          </select>
        </label>
        <label class="field"><span>{words().monthlyQuota}</span>
          <input type="number" min="0" step="1" placeholder={words().noLimit} value={fields.monthly_quota} onInput={(event) => set({ monthly_quota: event.currentTarget.value })} />
        </label>
        <label class="field"><span>{words().keepDays}</span>
          <input type="number" min="1" step="1" placeholder={words().forever} value={fields.keep_days} onInput={(event) => set({ keep_days: event.currentTarget.value })} />
        </label>
        <label class="field"><span>{words().profile}</span>
          <select value={fields.disclosure_profile} onChange={(event) => set({ disclosure_profile: event.currentTarget.value })}>
            <option value="">{words().noProfile}</option>
            {plans.disclosure_profiles.map((name) => <option key={name} value={name}>{name}</option>)}
          </select>
        </label>
      </div>
      <div class="fields">
        <fieldset class="stack tight">
          <legend><h3>{words().enabledKinds}</h3></legend>
          {kinds.map(([kind, name]) => <label key={kind} class="check"><input type="checkbox" checked={!fields.disabled.includes(kind)} onChange={() => toggle(kind)} /><span>{name}</span></label>)}
          <p class="quiet small">{words().enabledHint}</p>
        </fieldset>
        <fieldset class="stack tight">
          <legend><h3>{words().ownPrices}</h3></legend>
          {kinds.map(([kind, name]) => {
            const cents = plans.prices.find((price) => price.kind === kind)?.cents ?? 0
            return (
              <label key={kind} class="price"><span>{name}</span>
                <input type="number" min="0" step="1" placeholder={text(cents)} title={money(cents)} value={fields.prices[kind] ?? ''} onInput={(event) => set({ prices: { ...changed.prices, [kind]: event.currentTarget.value } })} />
              </label>
            )
          })}
          <p class="quiet small">{words().ownPricesHint}</p>
        </fieldset>
      </div>
      <div class="stack tight">
        <label class="check"><input type="checkbox" checked={fields.reject_duplicates} onChange={(event) => set({ reject_duplicates: event.currentTarget.checked })} /><span>{words().rejectDuplicates}</span></label>
        <label class="check"><input type="checkbox" checked={fields.truth_pages} onChange={(event) => set({ truth_pages: event.currentTarget.checked })} /><span>{words().truthPages}</span></label>
      </div>
      <div class="row"><button class="primary" type="submit" disabled={isBusy || Object.keys(terms).length === 0}>{words().save}</button></div>
    </form>
  )
}
