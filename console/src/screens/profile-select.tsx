// The disclosure profile of what is made.

import { useEffect, useState } from 'preact/hooks'
import { listProfiles } from '../api/share'
import type { DisclosureProfile } from '../api/share'
import { sharing as m } from '../messages/share'

export function ProfileSelect({ value, change }: { value: string; change: (profile: string) => void }) {
  const [profiles, setProfiles] = useState<DisclosureProfile[]>([])
  useEffect(() => { listProfiles().then(setProfiles, () => {}) }, [])
  const standard = profiles.find((profile) => profile.is_default)
  const others = profiles.filter((profile) => !profile.is_default && (standard || profile.name !== 'none'))
  const current = profiles.find((profile) => profile.name === value) ?? standard
  return (
    <div class="field">
      <label class="field">
        <span>{m().profile}</span>
        <select value={value} onChange={(event) => change(event.currentTarget.value)}>
          <option value="">{standard ? m().profileDefault(standard.title) : m().profileNone}</option>
          {others.map(({ name, title }) => <option key={name} value={name}>{title}</option>)}
        </select>
      </label>
      {current && current.name !== 'none' && (
        <details class="small quiet">
          <summary>{m().profileHint}</summary>
          <p>{current.rule}</p>
        </details>
      )}
    </div>
  )
}
