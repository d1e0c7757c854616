// An address with suggestions of the map, as a combobox: https://www.w3.org/WAI/ARIA/apg/patterns/combobox/.

import { useEffect, useRef, useState } from 'preact/hooks'
import { Refused } from '../api/client'
import { suggestAddresses } from '../api/desks'
import type { Suggested, Suggestions } from '../api/desks'
import { desks } from '../messages/desks'
import { sayError } from '../notices'
import { Icon } from './icon'
import './address.css'

const DEBOUNCE = 150
const EXAMPLE = '12 Larkspur Lane'

interface AddressParts {
  value: string
  change: (value: string) => void
  /** Called when a house is chosen from the list. */
  choose?: (house: Suggested) => void
}

export function AddressField({ value, change, choose }: AddressParts) {
  const [found, setFound] = useState<Suggestions | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [active, setActive] = useState(-1)
  const [needsNumber, setNeedsNumber] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  /** What the suggestions are for: nothing is looked up for an address that was chosen. */
  const [typed, setTyped] = useState('')
  const options = found?.addresses ?? []

  useEffect(() => {
    if (typed.trim().length < 2) {
      setFound(null)
      return
    }
    const canceled = new AbortController()
    setBusy(true)
    const timer = setTimeout(() => {
      suggestAddresses(typed.trim(), canceled.signal).then((answer) => {
        setFound(answer)
        setActive(-1)
        setBusy(false)
      }, (error) => {
        if (canceled.signal.aborted) return
        setBusy(false)
        if (!(error instanceof Refused) || error.status !== 429) sayError(error)
      })
    }, DEBOUNCE)
    return () => {
      clearTimeout(timer)
      canceled.abort()
    }
  }, [typed])

  const take = (one: Suggested) => {
    const isStreet = one.precision === 'street'
    const end = one.address.indexOf(',')
    const text = isStreet && end > 0 ? `${one.address.slice(0, end)} ${one.address.slice(end)}` : one.address
    change(text)
    setNeedsNumber(isStreet)
    setActive(-1)
    setOpen(false)
    input.current?.focus()
    if (isStreet && end > 0) requestAnimationFrame(() => input.current?.setSelectionRange(end + 1, end + 1))
    if (!isStreet) choose?.(one)
  }

  const key = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && options.length > 0) {
      event.preventDefault()
      setOpen(true)
      setActive((active + step + options.length + (active < 0 && step < 0 ? 1 : 0)) % options.length)
    } else if (event.key === 'Enter' && isShown && options[active]) {
      event.preventDefault()
      take(options[active])
    } else if (event.key === 'Escape' && isShown) {
      event.preventDefault()
      setOpen(false)
      setActive(-1)
    }
  }

  const isShown = isOpen && options.length > 0
  const { map, hint } = found ?? {}
  const isMissing = isOpen && !isBusy && found !== null && options.length === 0
  return (
    <div class="address" onFocusOut={(event) => { if (!event.currentTarget.contains(event.relatedTarget as Node)) setOpen(false) }}>
      <label class="field">
        <span>{desks().address}</span>
        <input
          ref={input} role="combobox" aria-expanded={isShown} aria-controls="addresses" aria-autocomplete="list"
          aria-activedescendant={isShown && active >= 0 ? `address-${active}` : undefined} aria-describedby="address-about"
          name="address" autocomplete="off" spellcheck={false} maxLength={500} value={value} placeholder={EXAMPLE}
          onInput={(event) => {
            change(event.currentTarget.value)
            setTyped(event.currentTarget.value)
            setNeedsNumber(false)
            setOpen(true)
          }}
          onKeyDown={key} onClick={() => setOpen(true)}
        />
      </label>
      <div class={isShown ? 'suggestions' : 'hidden'}>
        <ul id="addresses" role="listbox" aria-label={desks().suggestions}>
          {isShown && options.map((one, at) => (
            <li
              key={one.address} id={`address-${at}`} role="option" aria-selected={at === active}
              onPointerDown={(event) => event.preventDefault()} onClick={() => take(one)}
            >
              {one.plan ? <Plan {...one.plan} /> : <span class="plan"><Icon name="road" /></span>}
              <span class="ellipsis">{one.address.split(',')[0]}</span>
              <span class="quiet small ellipsis">{about(one)}</span>
            </li>
          ))}
        </ul>
        {map && <p class="quiet small">{map.is_sample ? desks().sampleMap : desks().mapOf(map.source, map.attributions.join(' · '))}</p>}
      </div>
      <p class="quiet small" id="address-about" role="status">{isMissing ? desks().noMatch : needsNumber ? desks().addNumber : ''}{hint && ` ${hint.replaceAll('`', '')}`}</p>
    </div>
  )
}

/** A small picture of a house from above, drawn from the map. */
function Plan({ reach, house, buildings, roads }: NonNullable<Suggested['plan']>) {
  const points = (line: number[][]) => line.map(([x = 0, y = 0]) => `${x},${-y}`).join(' ')
  return (
    <svg class="plan" viewBox={`${-reach} ${-reach} ${2 * reach} ${2 * reach}`} aria-hidden="true">
      {roads.map((line) => <polyline points={points(line)} />)}
      {buildings.map((outline) => <polygon points={points(outline)} />)}
      {house ? <polygon class="own" points={points(house)} /> : <circle class="own" r={reach / 8} />}
    </svg>
  )
}

/** What follows the street: postcode and town, and what is special. */
function about({ address, precision }: Suggested): string {
  const place = address.split(',').slice(1).join(',').trim()
  const what = precision === 'street' ? desks().street : precision === 'address_point' ? desks().isAddressPoint : ''
  return [what, place].filter(Boolean).join(' · ')
}
