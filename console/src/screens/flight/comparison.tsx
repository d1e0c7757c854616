// Two stills or films side by side.

import { useRef } from 'preact/hooks'
import { flight } from '../../messages/flight'
import { Icon } from '../../parts/icon'
import { t } from '../../messages'

export interface Compared {
  key: string
  name: string
  /** The still, or what stands for the film until it is played. */
  picture?: string
  film?: string
}

export function Comparison({ compared, close }: { compared: readonly Compared[]; close: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  const play = () => {
    for (const film of place.current?.querySelectorAll('video') ?? []) {
      film.currentTime = 0
      void film.play().catch(() => {})
    }
  }
  return (
    <section class="stack" aria-label={flight().sideBySide}>
      <div class="row">
        <h2 class="grow">{flight().sideBySide}</h2>
        {compared.length === 2 && compared.every(({ film }) => film) && <button type="button" onClick={play}>{flight().playBoth}</button>}
        <button class="plain" type="button" aria-label={flight().stopComparing} title={t().close} onClick={close}><Icon name="close" /></button>
      </div>
      {compared.length < 2 && <p class="quiet small">{flight().compareHint}</p>}
      <div class="side-by-side" ref={place}>
        {compared.map(({ key, name, picture, film }) => (
          <figure key={key}>
            {film ? <video controls playsInline muted preload="none" poster={picture} src={film} aria-label={name} /> : <img src={picture} alt={name} />}
            <figcaption class="quiet small">{name}</figcaption>
          </figure>
        ))}
      </div>
    </section>
  )
}

/** Puts a still or film into the comparison, or takes it out. */
export function CompareBox({ one, compared, compare }: { one: Compared; compared: readonly Compared[]; compare: (one: Compared) => void }) {
  return (
    <label class="check small">
      <input type="checkbox" checked={compared.some(({ key }) => key === one.key)} aria-label={flight().compareWith(one.name)} onChange={() => compare(one)} />
      <span aria-hidden="true">{flight().compare}</span>
    </label>
  )
}
