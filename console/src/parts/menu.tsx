// A button that shows what is under it, until something else is used.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from './icon'

/** With a label, or with a name and three dots. */
export function Menu({ label, name, children }: { label?: string; name?: string; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const leave = (event: Event) => { if (!place.current?.contains(event.target as Node)) setOpen(false) }
    const key = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    addEventListener('pointerdown', leave)
    addEventListener('focusin', leave)
    addEventListener('keydown', key)
    return () => {
      removeEventListener('pointerdown', leave)
      removeEventListener('focusin', leave)
      removeEventListener('keydown', key)
    }
  }, [isOpen])
  return (
    <div class="menu" ref={place}>
      <button ref={button} class="plain" type="button" aria-expanded={isOpen} aria-label={name} onClick={() => setOpen(!isOpen)}>
        {label ? <><span class="ellipsis">{label}</span><Icon name="down" /></> : <Icon name="more" />}
      </button>
      {isOpen && <div class="popover">{children}</div>}
    </div>
  )
}
