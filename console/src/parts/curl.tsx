// The requests of a screen, to copy.

import { t } from '../messages'
import { say, sayError } from '../notices'

/** Without a title and a hint, those of requests with `curl`. */
export function Curl({ commands, title, hint }: { commands: string; title?: string; hint?: string }) {
  const copy = () => navigator.clipboard.writeText(commands).then(() => say(t().copied), sayError)
  return (
    <details class="curl">
      <summary>{title ?? t().curlTitle}</summary>
      <p class="quiet small">{hint ?? t().curlHint}</p>
      <pre tabIndex={0}><code>{commands}</code></pre>
      <button type="button" onClick={() => void copy()}>{t().copy}</button>
    </details>
  )
}
