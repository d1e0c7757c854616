// What is made of the listing: chosen once, made with one click.

import { signal } from '@preact/signals'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { Refused, price } from '../api/client'
import type { Listing } from '../api/client'
import { progress } from '../events'
import { money, t } from '../messages'
import { sayError } from '../notices'
import { Icon } from '../parts/icon'
import { LOOKS, STYLES } from '../rooms'
import { isActive, newest, plan, statusOf, submit } from '../set'
import type { Choices } from '../set'
import { ProfileSelect } from './profile-select'

/** Whether the options have a column of their own. */
const wide = matchMedia('(min-width: 1000px)')
const isWide = signal(wide.matches)
wide.addEventListener('change', () => { isWide.value = wide.matches })

interface SetParts {
  listing: Listing
  selected: ReadonlySet<string>
  isUploading: boolean
  names: ReadonlyMap<string, string>
  submitted: () => void
}

const FIRST: Choices = { enhance: true, look: 'natural', stage: true, style: 'scandinavian', flight: false, profile: '' }

export function SetPanel({ listing, selected, isUploading, names, submitted }: SetParts) {
  const [choices, setChoices] = useState(FIRST)
  const [cents, setCents] = useState<number | null>(null)
  const [refusals, setRefusals] = useState<string[]>([])
  const [isBusy, setBusy] = useState(false)
  const asked = useMemo(() => plan(listing, choices, selected), [listing, choices, selected, progress.value])
  const request = JSON.stringify(asked.requests)
  const set = (changes: Partial<Choices>) => setChoices({ ...choices, ...changes })

  useEffect(() => {
    setRefusals([])
    setCents(null)
    if (asked.requests.length === 0) return
    let isCurrent = true
    const timer = setTimeout(() => {
      Promise.all(asked.requests.map((body) => price(listing.listing_id, body))).then((all) => {
        if (isCurrent) setCents(all.reduce((sum, one) => sum + one.total_price_cents, 0))
      }, (error) => { if (isCurrent && error instanceof Refused) setRefusals(reasons(error)) })
    }, 300)
    return () => { isCurrent = false; clearTimeout(timer) }
  }, [request, listing.listing_id])

  const reasons = (error: Refused) => error.details.length === 0 ? [error.message]
    : error.details.map(({ photo_id, field, message }) => `${names.get(photo_id ?? '') ?? field}: ${message}`)

  const make = async () => {
    setBusy(true)
    setRefusals([])
    try {
      await submit(listing.listing_id, asked.requests)
    } catch (error) {
      if (error instanceof Refused && error.status !== 401) setRefusals(reasons(error))
      else sayError(error)
    } finally {
      setBusy(false)
      submitted()
    }
  }

  const states = newest(listing).map(statusOf)
  const done = states.filter((status) => status === 'completed').length
  const failed = states.filter((status) => status === 'failed').length
  const active = states.filter(isActive).length
  const hasEmpty = listing.photos.some((photo) => photo.empty && photo.room_type)

  return (
    <aside class="panel" aria-label={t().makeSet}>
      {states.length > 0 && (
        <div class="made">
          <p role="status"><strong>{t().madeCount(done, done + active)}</strong>{failed > 0 && <span class="error small"> · {t().failedCount(failed)}</span>}</p>
          {active > 0 && <progress max={done + active} value={done} aria-label={t().madeCount(done, done + active)} />}
        </div>
      )}
      <h2>{t().makeSet}</h2>
      {selected.size > 0 && <p class="hint small">{t().onlySelected(selected.size)}</p>}
      <details class="options" open={isWide.value}>
        <summary>{t().options}</summary>
        <div class="option-list">
          <label class="check">
            <input type="checkbox" checked={choices.enhance} onChange={(event) => set({ enhance: event.currentTarget.checked })} />
            <span>{t().enhanceAll}</span>
          </label>
          {choices.enhance && (
            <Chips label={t().look} values={LOOKS} names={t().looks} chosen={choices.look} choose={(look) => set({ look })} />
          )}
          <label class="check">
            <input type="checkbox" checked={choices.stage} onChange={(event) => set({ stage: event.currentTarget.checked })} />
            <span>{t().stageEmpty}</span>
          </label>
          {choices.stage && (hasEmpty
            ? <Chips label={t().style} values={STYLES} names={t().styles} chosen={choices.style} choose={(style) => set({ style })} />
            : <p class="quiet small">{t().noEmpty}</p>)}
          <label class="check">
            <input type="checkbox" checked={choices.flight && Boolean(listing.address)} disabled={!listing.address} onChange={(event) => set({ flight: event.currentTarget.checked })} />
            <span>{t().flight}</span>
          </label>
          {!listing.address && <p class="quiet small">{t().flightNeedsAddress}</p>}
          <ProfileSelect value={choices.profile} change={(profile) => set({ profile })} />
        </div>
      </details>
      <div class="make">
        <p class="small">
          {asked.requests.length === 0 ? (done + active > 0 ? t().allMade : t().nothingToMake) : t().summary(asked.enhanced, asked.staged, asked.flights)}
          {cents !== null && <span class="quiet"> · {t().price(money(cents))}</span>}
        </p>
        {isUploading && <p class="quiet small">{t().waitForUploads}</p>}
        {refusals.length > 0 && <ul class="error small" role="alert">{refusals.slice(0, 8).map((why) => <li key={why}>{why}</li>)}</ul>}
        <button class="primary wide" type="button" disabled={isBusy || asked.requests.length === 0} onClick={() => void make()}>
          <Icon name="spark" />{isBusy ? t().making : t().makeSet}
        </button>
      </div>
    </aside>
  )
}

interface ChipParts {
  label: string
  values: readonly string[]
  names: Record<string, string>
  chosen: string
  choose: (value: string) => void
}

export function Chips({ label, values, names, chosen, choose }: ChipParts) {
  return (
    <fieldset class="chips">
      <legend class="hidden">{label}</legend>
      {values.map((value) => (
        <label key={value} class="chip">
          <input type="radio" name={label} checked={chosen === value} onChange={() => choose(value)} />
          <span>{names[value] ?? value}</span>
        </label>
      ))}
    </fieldset>
  )
}
