// Room types, guessed from the names of files.

/** Those that are offered, in this order. `exterior` is a title of ours: such photos are not staged. */
export const ROOMS = [
  'living_room', 'dining_room', 'kitchen', 'bedroom', 'kids_room', 'guest_room', 'bathroom', 'home_office', 'entryway',
  'laundry_room', 'library', 'gym', 'outdoor_patio', 'exterior',
]

export const STYLES = ['scandinavian', 'modern', 'japandi', 'midcentury', 'industrial', 'farmhouse', 'coastal', 'luxury']
export const LOOKS = ['natural', 'bright', 'warm', 'blue_sky'] as const

const WORDS: [RegExp, string][] = [
  [/living|lounge|wohn|salon|sejour|family/, 'living_room'],
  [/dining|ess(zimmer|bereich)/, 'dining_room'],
  [/kitchen|k(ü|ue|u)che|cuisine|cocina/, 'kitchen'],
  [/kids?|child|kinder|nursery/, 'kids_room'],
  [/guest|g(ä|ae)ste/, 'guest_room'],
  [/bed|schlaf|chambre|dormitorio/, 'bedroom'],
  [/bath|shower|wc|toilet|\bbad|dusche/, 'bathroom'],
  [/office|study|arbeit|b(ü|ue)ro/, 'home_office'],
  [/entry|hall|flur|foyer|diele|corridor/, 'entryway'],
  [/laundry|wasch/, 'laundry_room'],
  [/patio|terrace|terrasse|balcon|balkon|deck/, 'outdoor_patio'],
  [/front|facade|fassade|exterior|outside|aussen|au(ß|ss)en|garden|garten|street|house|haus|aerial|drone/, 'exterior'],
]

/** What a file's name says of the room. */
export function guess(name: string): { room: string | null; empty: boolean } {
  const text = name.normalize('NFC').toLowerCase().replace(/\.[a-z0-9]+$/, '').replace(/[_\-.]+/g, ' ')
  const room = WORDS.find(([words]) => words.test(text))?.[1] ?? null
  return { room, empty: room !== null && room !== 'exterior' && /\b(empty|vacant|leer|unfurnished|vide)\b/.test(text) }
}
