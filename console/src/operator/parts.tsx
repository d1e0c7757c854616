// What the screens for operators have in common.

import type { ComponentChildren } from 'preact'
import { operator as words } from '../messages/operator'
import { Curl } from '../parts/curl'
import { Icon } from '../parts/icon'
import { time } from './format'
import type { Polled } from './polled'

/** When figures were read, or why they are old. */
export function Updated({ of }: { of: Polled<unknown>[] }) {
  const why = of.find((polled) => polled.error)?.error
  if (why) return <p class="updated error" role="status"><Icon name="warning" /><span>{words().notUpdated(why)}</span></p>
  const at = Math.min(...of.map((polled) => polled.at))
  return <p class="updated quiet small">{at > 0 && words().updated(time(at))}</p>
}

export function Commands({ commands }: { commands: string }) {
  return <Curl commands={commands} title={words().commands} hint={words().commandsHint} />
}

interface TableParts {
  name: string
  heads: (string | { figure: string })[]
  /** Whether its cells are below each other on a phone; otherwise it scrolls. */
  isStacked?: boolean
  children: ComponentChildren
}

export function Table({ name, heads, isStacked, children }: TableParts) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={name}>
      <table class={isStacked ? 'stacked' : undefined}>
        <thead>
          <tr>
            {heads.map((head) => (typeof head === 'string' ? <th key={head} scope="col">{head}</th> : <th key={head.figure} scope="col" class="figure">{head.figure}</th>))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

/** Something in order or not, in words and a mark. */
export function State({ ok, children }: { ok: boolean; children: ComponentChildren }) {
  return <span class={ok ? 'state good' : 'state bad'}><Icon name={ok ? 'check' : 'warning'} /><span>{children}</span></span>
}
