// Numbers of the staging studio, as people read them.

import { locale } from '../../messages'

export const decimal = (value: number, digits = 2): string =>
  value.toLocaleString(locale(), { minimumFractionDigits: digits, maximumFractionDigits: digits })
