// Sign-in: an API key for a session.

import { signIn } from '../api/client'
import type { Session } from '../api/client'
import { t } from '../messages'
import { KeyForm } from '../parts/key-form'

export function SignInScreen({ wasOver, entered }: { wasOver: boolean; entered: (session: Session) => void }) {
  const enter = async (key: string) => {
    const session = await signIn(key)
    if (session) entered(session)
  }
  return (
    <KeyForm
      title={t().signInTitle} notice={wasOver ? t().sessionOver : undefined} label={t().apiKey} placeholder="aerie_live_…"
      hint={t().signInHint} noKey={t().noKey} command="aerie admin key create --org ORGANIZATION" enter={enter}
    />
  )
}
