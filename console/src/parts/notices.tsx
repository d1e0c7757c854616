// The place of short messages. A dialog has one of its own, because it covers that of the page.

import { t } from '../messages'
import { notice } from '../notices'
import { Icon } from './icon'

export function Notices() {
  const now = notice.value
  return (
    <div class="notices" role="status" aria-live="polite">
      {now && (
        <div class={now.isError ? 'notice error' : 'notice'}>
          <span>{now.text}</span>
          <button class="plain" type="button" aria-label={t().close} onClick={() => { notice.value = null }}><Icon name="close" /></button>
        </div>
      )}
    </div>
  )
}
