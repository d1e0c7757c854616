// Names of furniture, by the names of the API.

import { catalog, language } from './catalog'

const DE: Record<string, string> = {
  armchair: 'Sessel', basket: 'Korb', 'bath mat': 'Badematte', bed: 'Bett', bench: 'Bank', 'blanket ladder': 'Deckenleiter', books: 'Bücher',
  bookshelf: 'Bücherregal', bowl: 'Schale', candles: 'Kerzen', 'coffee table': 'Couchtisch', 'console table': 'Konsolentisch', cot: 'Babybett',
  curtains: 'Vorhänge', daybed: 'Tagesbett', desk: 'Schreibtisch', 'desk chair': 'Schreibtischstuhl', 'dining chair': 'Esszimmerstuhl',
  'dining table': 'Esstisch', dresser: 'Kommode', 'drying rack': 'Wäscheständer', 'dumbbell rack': 'Hantelständer', 'exercise bike': 'Heimtrainer',
  'exercise mat': 'Trainingsmatte', 'floor lamp': 'Stehlampe', 'framed art': 'Bild', 'fruit bowl': 'Obstschale', 'gym ball': 'Gymnastikball',
  'ironing board': 'Bügelbrett', lantern: 'Laterne', 'laundry basket': 'Wäschekorb', 'media console': 'Lowboard', mirror: 'Spiegel',
  nightstand: 'Nachttisch', ottoman: 'Polsterhocker', 'pendant lamp': 'Pendelleuchte', planter: 'Pflanzkübel', 'potted plant': 'Topfpflanze',
  pouf: 'Pouf', recliner: 'Relaxsessel', 'round table': 'Runder Tisch', rug: 'Teppich', sectional: 'Ecksofa', 'side table': 'Beistelltisch',
  sideboard: 'Sideboard', 'single bed': 'Einzelbett', 'small plant': 'Kleine Pflanze', sofa: 'Sofa', stool: 'Hocker', 'table lamp': 'Tischlampe',
  television: 'Fernseher', 'towel ladder': 'Handtuchleiter', towels: 'Handtücher', 'toy chest': 'Spielzeugtruhe', tray: 'Tablett',
  trolley: 'Servierwagen', vase: 'Vase', 'wall clock': 'Wanduhr', wardrobe: 'Kleiderschrank',
}

const words = catalog({ of: (name: string) => name }, { of: (name) => name })
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export function pieceName(piece: string): string {
  const name = piece.replace(/_/g, ' ')
  return language.value === 'de' ? DE[name] ?? capital(name) : words().of(capital(name))
}
