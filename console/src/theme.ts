// Light or dark.

import { effect, signal } from '@preact/signals'

export type Theme = 'auto' | 'light' | 'dark'

const stored = localStorage.getItem('theme')
export const theme = signal<Theme>(stored === 'light' || stored === 'dark' ? stored : 'auto')

export function setTheme(chosen: Theme): void {
  localStorage.setItem('theme', chosen)
  theme.value = chosen
}

const system = matchMedia('(prefers-color-scheme: dark)')
const apply = () => {
  const isDark = theme.value === 'dark' || (theme.value === 'auto' && system.matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
}
system.addEventListener('change', apply)
effect(apply)
