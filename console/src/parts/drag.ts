// Dragging in a drawing, by mouse, pen or touch.

import type { Point } from '../camera'

/** Shorter movements are those of a hand that means to press, pixels of the screen. */
const LEAST = 3

export function inDrawing(drawing: SVGSVGElement, { clientX, clientY }: PointerEvent): Point {
  const place = new DOMPoint(clientX, clientY).matrixTransform(drawing.getScreenCTM()?.inverse())
  return [place.x, place.y]
}

/** Follows a pointer from its press to its release, in the coordinates of the drawing. */
export function followPointer(press: PointerEvent, moved: (at: Point, from: Point) => void): void {
  const held = press.currentTarget as SVGElement
  const drawing = held instanceof SVGSVGElement ? held : held.ownerSVGElement
  if (!drawing || press.button !== 0) return
  press.preventDefault()
  held.focus({ preventScroll: true })
  held.setPointerCapture(press.pointerId)
  const from = inDrawing(drawing, press)
  let hasMoved = false
  const move = (event: PointerEvent) => {
    if (event.pointerId !== press.pointerId) return
    hasMoved ||= Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY) > LEAST
    if (hasMoved) moved(inDrawing(drawing, event), from)
  }
  const end = (event: PointerEvent) => {
    if (event.pointerId !== press.pointerId) return
    held.removeEventListener('pointermove', move)
    held.removeEventListener('pointerup', end)
    held.removeEventListener('pointercancel', end)
  }
  held.addEventListener('pointermove', move)
  held.addEventListener('pointerup', end)
  held.addEventListener('pointercancel', end)
}
