// Who is signed in, and the screen of the route.

import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { getSession, onSessionOver, signOut } from './api/client'
import type { Session } from './api/client'
import { follow, forgetJobs, unfollow } from './events'
import { forgetAll } from './kept'
import { language } from './messages'
import { sayError } from './notices'
import { Frame, Waiting } from './parts/frame'
import { Notices } from './parts/notices'
import { go, route } from './route'
import { TABS, screenOf } from './screens'
import { SignInScreen } from './screens/sign-in'
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
      {now.is === 'in' && <Screens session={now.session} />}
      {now.is === 'out' && (
        <main id="main" class="center">
          <SignInScreen wasOver={now.wasOver} entered={(session) => void enter(session)} />
        </main>
      )}
      {(now.is === 'unknown' || now.is === 'unreachable') && (
        <Waiting isUnreachable={now.is === 'unreachable'} retry={() => void load()} />
      )}
      <Notices />
    </>
  )
}

function Screens({ session }: { session: Session }) {
  const path = route.value
  const screen = screenOf(path)
  const { organization, key } = session
  return (
    <Frame tabs={TABS} current={screen.tab} path={path} label={organization.name} hint={key.hint} quit={() => void quit()}>
      {screen.show(session)}
    </Frame>
  )
}
