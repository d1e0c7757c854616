// The pieces by name, and what can be changed of the selected one.

import type { Arrangement } from '../../arrangement'
import { changed, isHanging, movedTo, swapped, swapsFor, turnedTo, without } from '../../furniture'
import type { Piece } from '../../furniture'
import { pieceName } from '../../messages/furniture'
import { staging } from '../../messages/staging'
import { Icon } from '../../parts/icon'
import { decimal } from './format'
import { TURN_STEP } from './plan'
import { styleName } from './styles'

interface PanelParts {
  arrangement: Arrangement
  selected: number | null
  select: (which: number | null) => void
  /** Furniture of other pictures of the room. */
  others: Piece[]
}

export function PiecePanel({ arrangement, selected, select, others }: PanelParts) {
  const { pieces, change, undo, redo, reset, isChanged } = arrangement
  const piece = selected === null ? undefined : pieces[selected]
  return (
    <>
      <div class="row history">
        <button type="button" disabled={!undo} onClick={undo}>{staging().undo}</button>
        <button type="button" disabled={!redo} onClick={redo}>{staging().redo}</button>
        <span class="grow" />
        {isChanged && <button type="button" class="link" onClick={() => { select(null); reset() }}>{staging().reset}</button>}
      </div>
      {pieces.length === 0 ? <p class="quiet">{staging().noPieces}</p> : (
        <ul class="pieces" aria-label={staging().pieces}>
          {pieces.map((one, which) => (
            <li key={which}>
              <button type="button" aria-pressed={which === selected} onClick={() => select(which === selected ? null : which)}>{pieceName(one.piece)}</button>
            </li>
          ))}
        </ul>
      )}
      {piece && selected !== null ? (
        <section class="one-piece" aria-label={pieceName(piece.piece)}>
          <div class="row">
            <h3>{pieceName(piece.piece)}</h3>
            <span class="quiet small grow">{staging().size(decimal(piece.size[0]), decimal(piece.size[1]), decimal(piece.size[2]))}</span>
            <button type="button" class="danger" onClick={() => { change(without(pieces, selected)); select(null) }}><Icon name="trash" />{staging().removePiece}</button>
          </div>
          <div class="numbers">
            <NumberField name={staging().right} value={piece.position[0]} change={(x) => change(movedTo(pieces, selected, [x, piece.position[1]]))} />
            <NumberField name={staging().away} value={piece.position[1]} change={(y) => change(movedTo(pieces, selected, [piece.position[0], y]))} />
            {isHanging(piece) && (
              <NumberField name={staging().up} value={piece.elevation} change={(up) => change(movedTo(pieces, selected, [piece.position[0], piece.position[1]], up))} />
            )}
            <NumberField name={staging().turn} value={piece.turn} step={TURN_STEP} change={(turn) => change(turnedTo(pieces, selected, turn))} />
          </div>
          <div class="row">
            <button type="button" onClick={() => change(turnedTo(pieces, selected, piece.turn + TURN_STEP))}>{staging().turnLeft}</button>
            <button type="button" onClick={() => change(turnedTo(pieces, selected, piece.turn - TURN_STEP))}>{staging().turnRight}</button>
          </div>
          <SwapField piece={piece} others={others} swap={(by) => change(pieces.map((one, at) => (at === selected ? by : one)))} />
          {piece.colors && Object.keys(piece.colors).length > 0 && (
            <fieldset class="colors">
              <legend class="small">{staging().colors}</legend>
              {Object.entries(piece.colors).map(([material, color]) => {
                const name = staging().colorOf(material.replace(/_/g, ' '))
                return (
                  <input
                    key={material} type="color" value={color} aria-label={name} title={name}
                    onInput={(event) => change(changed(pieces, selected, { colors: { ...piece.colors, [material]: event.currentTarget.value } }), `color ${selected} ${material}`)}
                  />
                )
              })}
            </fieldset>
          )}
        </section>
      ) : pieces.length > 0 && <p class="quiet small">{staging().selectPiece}</p>}
    </>
  )
}

function SwapField({ piece, others, swap }: { piece: Piece; others: Piece[]; swap: (by: Piece) => void }) {
  const swaps = swapsFor(piece, others)
  const nameOf = ({ piece: kind, from }: (typeof swaps)[number]) =>
    from ? staging().swapFrom(pieceName(kind), styleName(from.style ?? ''), decimal(from.size[0])) : staging().swapUsual(pieceName(kind))
  return (
    <>
      <label class="field"><span>{staging().swap}</span>
        <select
          value="" onChange={(event) => {
            const chosen = swaps[Number(event.currentTarget.value)]
            event.currentTarget.value = ''
            if (chosen) swap(swapped(piece, chosen))
          }}
        >
          <option value="">{staging().swapChoose}</option>
          {swaps.map((one, at) => <option key={at} value={at}>{nameOf(one)}</option>)}
        </select>
      </label>
      {!piece.recipe && !piece.model && <p class="quiet small">{staging().sizeUnknown}</p>}
    </>
  )
}

function NumberField({ name, value, step = 0.05, change }: { name: string; value: number; step?: number; change: (value: number) => void }) {
  return (
    <label class="field"><span>{name}</span>
      <input
        type="number" step={step} value={Number(value.toFixed(2))} aria-label={name}
        onChange={(event) => { if (Number.isFinite(event.currentTarget.valueAsNumber)) change(event.currentTarget.valueAsNumber) }}
      />
    </label>
  )
}
