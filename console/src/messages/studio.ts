// Messages of the studio.

import { catalog } from './catalog'

export const studio = catalog(
  {
    title: 'Studio',
    hint: 'Make one thing at a time, and look closely.',
  },
  {
    title: 'Studio',
    hint: 'Eins nach dem anderen, und genau hinsehen.',
  },
)
