// Short messages at the bottom of the page.

import { signal } from '@preact/signals'
import { Refused } from './api/client'
import { t } from './messages'

export interface Notice {
  text: string
  isError: boolean
}

export const notice = signal<Notice | null>(null)
let timer: number | undefined

export function say(text: string, isError = false): void {
  clearTimeout(timer)
  notice.value = { text, isError }
  timer = window.setTimeout(() => { notice.value = null }, isError ? 12_000 : 5000)
}

/** Why something failed, for what stands beside it. A request without a response is a `TypeError`. */
export function reasonOf(error: unknown): string {
  return error instanceof Error && !(error instanceof TypeError) ? error.message : t().offline
}

/** Says why something failed; a session that is over shows the sign-in instead. */
export function sayError(error: unknown): void {
  if (error instanceof Refused) {
    if (error.status !== 401) say(t().failed(error.message), true)
  } else {
    say(t().offline, true)
  }
}
