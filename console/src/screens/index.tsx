// What is shown where: the tabs of the frame, and the screens below each.

import type { VNode } from 'preact'
import type { Session } from '../api/client'
import { t } from '../messages'
import { studio } from '../messages/studio'
import type { Tab } from '../parts/frame'
import { account as m } from '../messages/account'
import { AccountScreen } from './account/account'
import { BoundaryScreen } from './boundary/boundary'
import { FlightScreen } from './flight/flight'
import { ClipScreen } from './clip'
import { ListingScreen } from './listing'
import { ListingsScreen } from './listings'
import { StagingScreen } from './staging'
import { StudioScreen } from './studio'

interface Screen {
  tab: Tab
  /** What its address is, after `#`; groups are what `show` gets. */
  path: RegExp
  show: (session: Session, found: string) => VNode
}

const listings: Tab = { path: '/', name: () => t().listings }
const studios: Tab = { path: '/studio', name: () => studio().title }
const account: Tab = { path: '/account', name: () => m().account }
export const TABS = [listings, studios, account]

const SCREENS: Screen[] = [
  { tab: listings, path: /^\/listings\/([0-9a-f-]+)$/, show: (session, id) => <ListingScreen key={id} id={id} canShare={session.key.scopes.includes('generate')} /> },
  { tab: studios, path: /^\/studio\/staging(?:\/([0-9a-f-]+))?$/, show: (session, id) => <StagingScreen key={id} session={session} id={id} /> },
  { tab: studios, path: /^\/studio\/clip(?:\/([0-9a-f-]+))?$/, show: (session, id) => <ClipScreen key={id} session={session} id={id} /> },
  { tab: studios, path: /^\/studio$/, show: () => <StudioScreen /> },
  { tab: studios, path: /^\/studio\/boundary(?:\/([0-9a-f-]+))?$/, show: (session, id) => <BoundaryScreen key={id} session={session} id={id} /> },
  { tab: studios, path: /^\/studio\/flight(?:\/([0-9a-f-]+))?$/, show: (session, id) => <FlightScreen session={session} id={id} /> },
  { tab: account, path: /^\/(?:usage|account)(?:\/([a-z]+(?:\/[0-9a-f-]+)?))?$/, show: (session, rest) => <AccountScreen session={session} rest={rest} /> },
]
const HOME: Screen = { tab: listings, path: /^/, show: () => <ListingsScreen /> }

/** The screen of an address; that of the listings, if it is unknown. */
export function screenOf(address: string): { tab: Tab; show: (session: Session) => VNode } {
  const path = address.split('?')[0] ?? ''
  for (const { tab, path: pattern, show } of SCREENS) {
    const found = pattern.exec(path)
    if (found) return { tab, show: (session) => show(session, found[1] ?? '') }
  }
  return { tab: HOME.tab, show: (session) => HOME.show(session, '') }
}
