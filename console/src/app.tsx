// The frame: who is signed in, where to go, and the screen of the route.

import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { getSession, onSessionOver, signOut } from './api/client'
import type { Session } from './api/client'
import { follow, forgetJobs, unfollow } from './events'
import { forgetAll } from './kept'
import { LANGUAGES, language, setLanguage, t } from './messages'
import type { Language } from './messages'
import { sayError } from './notices'
import { Icon } from './parts/icon'
import { Menu } from './parts/menu'
import { Notices } from './parts/notices'
import { go, route } from './route'
import { ListingScreen } from './screens/listing'
import { ListingsScreen } from './screens/listings'
import { SignInScreen } from './screens/sign-in'
import { UsageScreen } from './screens/usage'
import { setTheme, theme } from './theme'
import type { Theme } from './theme'
import { resume, stop } from './uploads'

type State = { is: 'unknown' | 'unreachable' } | { is: 'out'; wasOver: boolean } | { is: 'in'; session: Session }

const state = signal<State>({ is: 'unknown' })

async function enter(session: Session): Promise<void> {
  // What another organization has left in this browser is not ours.
  if ((localStorage.getItem('organization') ?? session.organization.id) !== session.organization.id) await forgetAll()
  localStorage.setItem('organization', session.organization.id)
  state.value = { is: 'in', session }
  follow()
  await resume()
}

function leave(wasOver: boolean): void {
  unfollow()
  stop()
  forgetJobs()
  state.value = { is: 'out', wasOver }
}

async function load(): Promise<void> {
  state.value = { is: 'unknown' }
  try {
    const session = await getSession()
    if (session) await enter(session)
    else leave(false)
  } catch {
    state.value = { is: 'unreachable' }
  }
}

async function quit(): Promise<void> {
  try {
    await signOut()
    await forgetAll()
    leave(false)
    go('/')
  } catch (error) {
    sayError(error)
  }
}

export function App() {
  useEffect(() => {
    onSessionOver(() => { if (state.value.is === 'in') leave(true) })
    void load()
  }, [])
  document.documentElement.lang = language.value
  const now = state.value
  return (
    <>
      {now.is === 'in' && <Frame session={now.session} />}
      {now.is === 'out' && (
        <main id="main" class="center">
          <SignInScreen wasOver={now.wasOver} entered={(session) => void enter(session)} />
        </main>
      )}
      {now.is === 'unknown' && <main id="main" class="center"><p class="quiet">{t().loading}</p></main>}
      {now.is === 'unreachable' && (
        <main id="main" class="center">
          <div class="card stack">
            <p>{t().offline}</p>
            <button class="primary" type="button" onClick={() => void load()}>{t().tryAgain}</button>
          </div>
        </main>
      )}
      <Notices />
    </>
  )
}

function Frame({ session }: { session: Session }) {
  const path = route.value
  const listing = /^\/listings\/([0-9a-f-]+)$/.exec(path)?.[1]
  const isUsage = path === '/usage'
  useEffect(() => {
    document.title = `${isUsage ? t().usage : t().listings} · Aerie`
    document.getElementById('main')?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [path])
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.getElementById('main')?.focus() }}>{t().skip}</a>
      <header class="top">
        <a class="brand" href="#/"><Icon name="mark" /><span>Aerie</span></a>
        <nav aria-label={t().menu}>
          <a href="#/" aria-current={isUsage ? undefined : 'page'}>{t().listings}</a>
          <a href="#/usage" aria-current={isUsage ? 'page' : undefined}>{t().usage}</a>
        </nav>
        <Menu label={session.organization.name}>
          <p class="quiet small">{session.key.hint}</p>
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
          <button type="button" onClick={() => void quit()}>{t().signOut}</button>
        </Menu>
      </header>
      <main id="main" tabIndex={-1}>
        {listing ? <ListingScreen key={listing} id={listing} /> : isUsage ? <UsageScreen session={session} /> : <ListingsScreen />}
      </main>
    </>
  )
}
