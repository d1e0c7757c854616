// A word for the state of something.

import './state.css'

export function State({ kind, name }: { kind: 'good' | 'bad' | 'quiet'; name: string | undefined }) {
  return <span class={`state ${kind}`}>{name}</span>
}
