// The frame of both consoles: where to go, who is signed in, how the page looks; and what is shown before.

import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { LANGUAGES, language, setLanguage, t } from '../messages'
import type { Language } from '../messages'
import { setTheme, theme } from '../theme'
import type { Theme } from '../theme'
import { Icon } from './icon'
import { Menu } from './menu'

export interface Tab {
  path: string
  name: () => string
}

interface FrameParts {
  tabs: Tab[]
  current: Tab
  /** The address of the screen: when it changes, the page begins anew. */
  path: string
  /** Who is signed in, and with which key. */
  label: string
  hint: string
  quit: () => void
  children: ComponentChildren
}

export function Frame({ tabs, current, path, label, hint, quit, children }: FrameParts) {
  useEffect(() => {
    document.title = `${current.name()} · Aerie`
    document.getElementById('main')?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [path])
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.getElementById('main')?.focus() }}>{t().skip}</a>
      <header class="top">
        <a class="brand" href="#/"><Icon name="mark" /><span>Aerie</span></a>
        <nav aria-label={t().menu}>
          {tabs.map((tab) => <a key={tab.path} href={`#${tab.path}`} aria-current={tab === current ? 'page' : undefined}>{tab.name()}</a>)}
        </nav>
        <Menu label={label}>
          <p class="quiet small">{hint}</p>
          <label>
            <span>{t().theme}</span>
            <select value={theme.value} onChange={(event) => setTheme(event.currentTarget.value as Theme)}>
              {Object.entries(t().themes).map(([value, name]) => <option key={value} value={value}>{name}</option>)}
            </select>
          </label>
          <label>
            <span>{t().language}</span>
            <select value={language.value} onChange={(event) => setLanguage(event.currentTarget.value as Language)}>
              {Object.entries(LANGUAGES).map(([value, name]) => <option key={value} value={value}>{name}</option>)}
            </select>
          </label>
          <button type="button" onClick={quit}>{t().signOut}</button>
        </Menu>
      </header>
      <main id="main" tabIndex={-1}>{children}</main>
    </>
  )
}

/** What is shown until the server has said whether there is a session. */
export function Waiting({ isUnreachable, retry }: { isUnreachable: boolean; retry: () => void }) {
  return (
    <main id="main" class="center">
      {isUnreachable ? (
        <div class="card stack">
          <p>{t().offline}</p>
          <button class="primary" type="button" onClick={retry}>{t().tryAgain}</button>
        </div>
      ) : <p class="quiet">{t().loading}</p>}
    </main>
  )
}
