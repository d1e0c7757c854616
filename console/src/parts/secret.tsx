// Something to copy; with a note, something that is shown only once.

import './secret.css'
import { useRef } from 'preact/hooks'
import { t } from '../messages'
import { say } from '../notices'

/** Copies a text; without the clipboard, which pages have over https and on loopback alone, it is selected. */
async function copy(text: string, input: HTMLInputElement | null): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    say(t().copied)
  } catch {
    input?.select()
  }
}

export function Secret({ name, value, note }: { name: string; value: string; note?: string }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div class={note ? 'secret hint' : 'secret'} role={note ? 'status' : undefined}>
      <p class={note ? 'small' : 'quiet small'} aria-hidden={!note}>{note ?? name}</p>
      <div class="row tight">
        <input ref={input} class="grow" readOnly value={value} aria-label={name} onFocus={(event) => event.currentTarget.select()} />
        <button type="button" onClick={() => void copy(value, input.current)}>{t().copy}</button>
      </div>
    </div>
  )
}
