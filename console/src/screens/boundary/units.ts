// Areas and lengths in words.

import { locale } from '../../messages/catalog'

const SQUARE_FEET = 10.763910416709722

const figure = (value: number, digits: number) => value.toLocaleString(locale(), { minimumFractionDigits: digits, maximumFractionDigits: digits })

export const squareMeters = (area: number): string => `${figure(area, 1)} m²`
export const squareFeet = (area: number): string => `${figure(area * SQUARE_FEET, 0)} ft²`
export const meters = (length: number): string => `${figure(length, 1)} m`
export const percent = (share: number): string => `${figure(share * 100, 1)} %`
