// Catalogs of messages: the same names in each language.

import { signal } from '@preact/signals'

/** `pseudo` is for tests: English, longer and with accents, so that text that is cut or not in a catalog is seen. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' }
export type Language = keyof typeof LANGUAGES | 'pseudo'

const stored = localStorage.getItem('language')
const preferred = stored ?? navigator.language.slice(0, 2)
export const language = signal<Language>(preferred === 'de' || preferred === 'pseudo' ? preferred : 'en')

export function setLanguage(chosen: Language): void {
  localStorage.setItem('language', chosen)
  language.value = chosen
}

/** What dates and numbers are written in. */
export const locale = (): string => (language.value === 'pseudo' ? 'en' : language.value)

const ACCENTS: Record<string, string> = { a: 'á', e: 'ë', i: 'í', o: 'ö', u: 'ü', n: 'ñ', A: 'Á', E: 'Ë', O: 'Ö', U: 'Ü' }

function pseudo<T>(value: T): T {
  if (typeof value === 'string') {
    const accented = value.replace(/[aeiounAEOU]/g, (letter) => ACCENTS[letter] ?? letter)
    return `[${accented}${'~'.repeat(Math.ceil(value.length * 0.3))}]` as T
  }
  if (typeof value === 'function') return ((...given: unknown[]) => pseudo((value as (...given: unknown[]) => unknown)(...given))) as T
  if (Array.isArray(value)) return value.map(pseudo) as T
  if (value && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, pseudo(inner)])) as T
  return value
}

/** A function that gives the messages in the language of the page. */
export function catalog<T>(en: T, de: T): () => T {
  let longer: T | undefined
  return () => (language.value === 'de' ? de : language.value === 'pseudo' ? (longer ??= pseudo(en)) : en)
}
