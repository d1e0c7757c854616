// Which operator is signed in, and the screen of the route.

import { signal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { getSession, onSessionOver, signIn, signOut } from '../api/client'
import type { OperatorSession } from '../api/operator'
import { language } from '../messages'
import { operator as words } from '../messages/operator'
import { sayError } from '../notices'
import { Frame, Waiting } from '../parts/frame'
import type { Tab } from '../parts/frame'
import { KeyForm } from '../parts/key-form'
import { Notices } from '../parts/notices'
import { go, route } from '../route'
import { DoctorScreen } from './doctor'
import { FailuresScreen } from './failures'
import { OrganizationScreen } from './organization'
import { OrganizationsScreen } from './organizations'
import { OverviewScreen } from './overview'

type State = { is: 'unknown' | 'unreachable' } | { is: 'out'; wasOver: boolean } | { is: 'in'; session: OperatorSession }

const state = signal<State>({ is: 'unknown' })

const overview: Tab = { path: '/', name: () => words().overview }
const organizations: Tab = { path: '/organizations', name: () => words().organizations }
const failures: Tab = { path: '/failures', name: () => words().failures }
const doctor: Tab = { path: '/doctor', name: () => words().doctor }
const TABS = [overview, organizations, failures, doctor]

function screenOf(address: string): { tab: Tab; screen: (session: OperatorSession) => VNode } {
  const [path = '', query = ''] = address.split('?')
  const id = /^\/organizations\/([0-9a-f-]{36})$/.exec(path)?.[1]
  if (id) return { tab: organizations, screen: () => <OrganizationScreen key={id} id={id} /> }
  if (path === organizations.path) return { tab: organizations, screen: () => <OrganizationsScreen /> }
  if (path === failures.path) return { tab: failures, screen: () => <FailuresScreen key={query} organization={new URLSearchParams(query).get('organization') ?? ''} /> }
  if (path === doctor.path) return { tab: doctor, screen: () => <DoctorScreen /> }
  return { tab: overview, screen: (session) => <OverviewScreen session={session} /> }
}

async function load(): Promise<void> {
  state.value = { is: 'unknown' }
  try {
    const session = await getSession<OperatorSession>()
    state.value = session ? { is: 'in', session } : { is: 'out', wasOver: false }
  } catch {
    state.value = { is: 'unreachable' }
  }
}

async function enter(key: string): Promise<void> {
  const session = await signIn<OperatorSession>(key)
  if (session) state.value = { is: 'in', session }
}

async function quit(): Promise<void> {
  try {
    await signOut()
    state.value = { is: 'out', wasOver: false }
    go('/')
  } catch (error) {
    sayError(error)
  }
}

export function App() {
  useEffect(() => {
    onSessionOver(() => { if (state.value.is === 'in') state.value = { is: 'out', wasOver: true } })
    void load()
  }, [])
  document.documentElement.lang = language.value
  const now = state.value
  const path = route.value
  const { tab, screen } = screenOf(path)
  return (
    <>
      {now.is === 'in' && (
        <Frame tabs={TABS} current={tab} path={path} label={now.session.key.name} hint={now.session.key.hint} quit={() => void quit()}>
          {screen(now.session)}
        </Frame>
      )}
      {now.is === 'out' && (
        <main id="main" class="center">
          <KeyForm
            title={words().signInTitle} notice={now.wasOver ? words().sessionOver : undefined} label={words().operatorKey}
            placeholder="aerie_op_…" hint={words().signInHint} noKey={words().noKey} command="aerie admin operator create NAME" enter={enter}
          />
        </main>
      )}
      {(now.is === 'unknown' || now.is === 'unreachable') && (
        <Waiting isUnreachable={now.is === 'unreachable'} retry={() => void load()} />
      )}
      <Notices />
    </>
  )
}
