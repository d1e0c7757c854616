// Times and numbers of the console for operators.

import { locale } from '../messages'

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [['second', 60], ['minute', 60], ['hour', 24], ['day', Infinity]]

/** How long ago, in one unit. */
export function ago(iso: string): string {
  let amount = Math.max(0, (Date.now() - Date.parse(iso)) / 1000)
  for (const [unit, next] of STEPS) {
    if (amount < next) return new Intl.RelativeTimeFormat(locale(), { style: 'short' }).format(-Math.floor(amount), unit)
    amount /= next
  }
  return ''
}

export const time = (at: number | string): string =>
  new Date(at).toLocaleTimeString(locale(), { hour: '2-digit', minute: '2-digit', second: '2-digit' })

export const moment = (iso: string): string => new Date(iso).toLocaleString(locale(), { dateStyle: 'medium', timeStyle: 'short' })

export const count = (number: number): string => number.toLocaleString(locale())
