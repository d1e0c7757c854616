// The language of the page.

import { signal } from '@preact/signals'
import { de } from './de'
import { en } from './en'
import type { Messages } from './en'

export const LANGUAGES = { en: 'English', de: 'Deutsch' }
export type Language = keyof typeof LANGUAGES

const stored = localStorage.getItem('language')
const preferred = stored ?? navigator.language.slice(0, 2)
export const language = signal<Language>(preferred === 'de' ? 'de' : 'en')

/** The messages in the language of the page. */
export function t(): Messages {
  return language.value === 'de' ? de : en
}

export function setLanguage(chosen: Language): void {
  localStorage.setItem('language', chosen)
  language.value = chosen
}

export const money = (cents: number): string =>
  (cents / 100).toLocaleString(language.value, { minimumFractionDigits: 2, maximumFractionDigits: 2 })

export const day = (iso: string): string =>
  new Date(iso).toLocaleDateString(language.value, { year: 'numeric', month: 'short', day: 'numeric' })

export const size = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toLocaleString(language.value, { maximumFractionDigits: 1 })} MB`
    : `${(bytes / 1e9).toLocaleString(language.value, { maximumFractionDigits: 1 })} GB`
