// The move and the options of a clip.

import { clip } from '../../messages/clip'
import { Chips } from '../set-panel'
import { RESOLUTIONS } from './form'
import type { Form } from './form'
import { MoveCards } from './moves'

export function Controls({ form, set }: { form: Form; set: (changes: Partial<Form>) => void }) {
  return (
    <>
      <MoveCards chosen={form.move} choose={(move) => set({ move })} />
      <label class="field"><span>{clip().words}</span>
        <input value={form.words} maxLength={500} placeholder={clip().wordsHint} onInput={(event) => set({ words: event.currentTarget.value })} />
      </label>
      <Chips label={clip().speed} values={['slow', '', 'fast']} names={clip().speeds} chosen={form.speed} choose={(speed) => set({ speed })} />
      <Chips label={clip().level} values={['low', 'medium', 'high']} names={clip().levels} chosen={form.level} choose={(level) => set({ level })} />
      <Chips label={clip().frame} values={['first', 'last']} names={clip().frames} chosen={form.frame} choose={(frame) => set({ frame })} />
      <Chips label={clip().format} values={['', '16:9', '9:16', '1:1']} names={clip().formats} chosen={form.format} choose={(format) => set({ format })} />
      <div class="option-pair">
        <label class="field"><span>{clip().resolution}</span>
          <select value={form.resolution} onChange={(event) => set({ resolution: event.currentTarget.value })}>
            {RESOLUTIONS.map((one) => <option key={one} value={one}>{one}</option>)}
          </select>
        </label>
        <label class="field"><span>{clip().grade}</span>
          <select value={form.grade} onChange={(event) => set({ grade: event.currentTarget.value })}>
            {Object.entries(clip().grades).map(([value, name]) => <option key={value} value={value}>{name}</option>)}
          </select>
        </label>
      </div>
      <label class="field"><span>{clip().duration(form.duration)}</span>
        <input type="range" min="3" max="10" step="1" value={form.duration} onInput={(event) => set({ duration: event.currentTarget.valueAsNumber })} />
      </label>
    </>
  )
}
