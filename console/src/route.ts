// Which screen is shown: the part of the address after `#`.

import { signal } from '@preact/signals'

const read = () => location.hash.replace(/^#/, '') || '/'

export const route = signal(read())
addEventListener('hashchange', () => { route.value = read() })

export function go(to: string): void {
  location.hash = to
}
