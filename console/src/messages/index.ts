// The language of the page, and the messages of its frame and its listings. Other screens have catalogs of their own beside this one.

import { catalog, locale } from './catalog'
import { de } from './de'
import { en } from './en'

export { LANGUAGES, language, locale, setLanguage } from './catalog'
export type { Language } from './catalog'

/** The messages in the language of the page. */
export const t = catalog(en, de)

export const money = (cents: number): string =>
  (cents / 100).toLocaleString(locale(), { minimumFractionDigits: 2, maximumFractionDigits: 2 })

export const day = (iso: string): string =>
  new Date(iso).toLocaleDateString(locale(), { year: 'numeric', month: 'short', day: 'numeric' })

export const size = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toLocaleString(locale(), { maximumFractionDigits: 1 })} MB`
    : `${(bytes / 1e9).toLocaleString(locale(), { maximumFractionDigits: 1 })} GB`
