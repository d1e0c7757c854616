// Sign-in: an API key for a session.

import { useState } from 'preact/hooks'
import { Refused, signIn } from '../api/client'
import type { Session } from '../api/client'
import { t } from '../messages'
import { Icon } from '../parts/icon'

export function SignInScreen({ wasOver, entered }: { wasOver: boolean; entered: (session: Session) => void }) {
  const [key, setKey] = useState('')
  const [error, setError] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setError('')
    try {
      const session = await signIn(key.trim())
      if (session) entered(session)
    } catch (error) {
      setError(error instanceof Refused ? error.message : t().offline)
      setBusy(false)
    }
  }
  return (
    <form class="card stack sign-in" onSubmit={(event) => void submit(event)}>
      <div class="brand large"><Icon name="mark" /></div>
      <h1>{t().signInTitle}</h1>
      {wasOver && <p class="hint">{t().sessionOver}</p>}
      <label class="field">
        <span>{t().apiKey}</span>
        <input
          type="password" name="key" required autoComplete="off" spellcheck={false} placeholder="aerie_live_…"
          value={key} aria-invalid={error !== ''} aria-describedby={error ? 'sign-in-error' : 'sign-in-hint'}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
      </label>
      {error && <p id="sign-in-error" class="error" role="alert">{error}</p>}
      <p id="sign-in-hint" class="quiet small">{t().signInHint}</p>
      <button class="primary" type="submit" disabled={isBusy}>{isBusy ? t().signingIn : t().signIn}</button>
      <div class="quiet small">
        <p>{t().noKey}</p>
        <pre tabIndex={0}><code>aerie admin key create --org ORGANIZATION</code></pre>
      </div>
    </form>
  )
}
