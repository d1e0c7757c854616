// The requests of a screen, to copy.

import { t } from '../messages'
import { say, sayError } from '../notices'

export function Curl({ commands }: { commands: string }) {
  const copy = () => navigator.clipboard.writeText(commands).then(() => say(t().copied), sayError)
  return (
    <details class="curl">
      <summary>{t().curlTitle}</summary>
      <p class="quiet small">{t().curlHint}</p>
      <pre tabIndex={0}><code>{commands}</code></pre>
      <button type="button" onClick={() => void copy()}>{t().copy}</button>
    </details>
  )
}
