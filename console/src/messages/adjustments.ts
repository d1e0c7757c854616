// Names and units of changes to a photo, by those of the API.

import { language } from './catalog'

const DE: Record<string, string> = {
  backlight: 'Gegenlicht', clarity: 'Klarheit', crop: 'Beschnitt', exposure: 'Belichtung', highlights: 'Lichter', lawn: 'Rasen',
  mixed_light: 'Mischlicht', neutral_whites: 'Neutrales Weiß', noise_reduction: 'Rauschminderung', shadows: 'Schatten', sharpening: 'Schärfe',
  sky: 'Himmel', upright_pitch: 'Stürzende Linien', upright_roll: 'Horizont', vibrance: 'Dynamik', white_balance: 'Weißabgleich',
  window_pull: 'Fenster', 'EV in the dark part': 'EV im dunklen Teil', compression: 'Kompression', 'delta ab': 'Delta ab', degrees: 'Grad',
  'difference of warmth removed': 'des Unterschieds der Lichtfarben entfernt', 'local contrast': 'lokaler Kontrast', saturation: 'Sättigung',
  'share of the area': 'der Fläche', 'share of the exposure reverted': 'der Belichtung zurückgenommen',
  'share of the picture greened': 'des Bildes begrünt', 'share of the picture replaced': 'des Bildes ersetzt',
  'share of their tint removed': 'des Farbstichs entfernt', 'unsharp amount': 'Unscharfmaskierung', 'L* sigma': 'L* Sigma',
}

export const adjustment = (name: string): string => (language.value === 'de' ? DE[name] : undefined) ?? name.replace(/_/g, ' ')
