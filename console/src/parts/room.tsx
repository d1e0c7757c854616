// The room type of a photo.

import { t } from '../messages'
import { ROOMS } from '../rooms'

interface Room {
  value: string | null
  name: string
  change: (room: string | null) => void
}

export function RoomSelect({ value, name, change }: Room) {
  const known = value === null || ROOMS.includes(value) ? ROOMS : [...ROOMS, value]
  return (
    <select
      class={value ? 'room' : 'room unset'} value={value ?? ''} aria-label={name}
      onChange={(event) => change(event.currentTarget.value || null)}
    >
      <option value="">{t().noRoom}</option>
      {known.map((room) => <option key={room} value={room}>{t().rooms[room] ?? room}</option>)}
    </select>
  )
}
