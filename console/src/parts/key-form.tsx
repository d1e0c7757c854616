// Sign-in: a key for a session.

import { useState } from 'preact/hooks'
import { Refused } from '../api/client'
import { t } from '../messages'
import { Icon } from './icon'

interface KeyForm {
  title: string
  /** Why to sign in again, if there was a session. */
  notice?: string
  label: string
  /** How a key begins. */
  placeholder: string
  hint: string
  /** How to get a key, with its command. */
  noKey: string
  command: string
  enter: (key: string) => Promise<void>
}

export function KeyForm({ title, notice, label, placeholder, hint, noKey, command, enter }: KeyForm) {
  const [key, setKey] = useState('')
  const [error, setError] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setError('')
    try {
      await enter(key.trim())
    } catch (error) {
      setError(error instanceof Refused ? error.message : t().offline)
      setBusy(false)
    }
  }
  return (
    <form class="card stack sign-in" onSubmit={(event) => void submit(event)}>
      <div class="brand large"><Icon name="mark" /></div>
      <h1>{title}</h1>
      {notice && <p class="hint">{notice}</p>}
      <label class="field">
        <span>{label}</span>
        <input
          type="password" name="key" required autoComplete="off" spellcheck={false} placeholder={placeholder}
          value={key} aria-invalid={error !== ''} aria-describedby={error ? 'sign-in-error' : 'sign-in-hint'}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
      </label>
      {error && <p id="sign-in-error" class="error" role="alert">{error}</p>}
      <p id="sign-in-hint" class="quiet small">{hint}</p>
      <button class="primary" type="submit" disabled={isBusy}>{isBusy ? t().signingIn : t().signIn}</button>
      <div class="quiet small">
        <p>{noKey}</p>
        <pre tabIndex={0}><code>{command}</code></pre>
      </div>
    </form>
  )
}
