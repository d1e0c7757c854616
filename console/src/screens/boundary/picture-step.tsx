// Which of the four pictures to draw on.

import { useState } from 'preact/hooks'
import { selectOrientation } from '../../api/desks'
import type { AddressJob } from '../../api/desks'
import { boundary } from '../../messages/boundary'
import { sayError } from '../../notices'
import { usePinned } from '../../pinned'

export function PictureStep({ job, refusal, chosen }: { job: AddressJob; refusal: string; chosen: (orientation: string) => void }) {
  const [isBusy, setBusy] = useState(false)
  const variants = usePinned(job.id, job.output.orientation_variants) ?? []
  const select = async (key: string) => {
    setBusy(true)
    try {
      await selectOrientation(job.id, key)
      chosen(key)
    } catch (error) {
      sayError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section class="stack" aria-label={boundary().choose}>
      <div><h2>{boundary().choose}</h2><p class="quiet">{refusal || boundary().chooseHint}</p></div>
      <ul class="orientations">
        {variants.map(({ key, preview_url }) => (
          <li key={key}>
            <button type="button" disabled={isBusy || Boolean(refusal)} onClick={() => void select(key)}>
              <img src={preview_url} alt="" /><span>{boundary().sides[key] ?? key}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
