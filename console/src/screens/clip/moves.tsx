// Moves of the camera as cards, each with a drawing that moves the same way.

import { clip } from '../../messages/clip'

/** What the prompt says for a move. */
export const MOVES: Record<string, string> = {
  auto: '',
  push_in: 'push in',
  pull_back: 'pull back',
  slide_left: 'slide left',
  slide_right: 'slide right',
  rise: 'rise',
  descend: 'crane down',
  orbit_left: 'orbit left',
  orbit_right: 'orbit right',
  pan_left: 'pan left',
  pan_right: 'pan right',
  tilt_up: 'tilt up',
  tilt_down: 'tilt down',
  dolly_zoom: 'dolly zoom',
  hold: 'hold',
}

const STRAIGHT = 'M-7 0h14m-5-5 5 5-5 5'
const CURVED = 'M-7 4a9 9 0 0 1 14 0m0-6v6h-6'
const OUTWARD = 'M-2-2l-5-5m0 5v-5h5M2 2l5 5m0-5v5h-5'

/** An arrow for each move, and how it is turned, for those who see no animation. */
const ARROWS: Record<string, [string, string]> = {
  auto: ['M0-7l2 5 5 2-5 2-2 5-2-5-5-2 5-2z', ''],
  push_in: ['M-7-7l5 5m0-5v5h-5M7 7l-5-5m0 5v-5h5', ''],
  pull_back: [OUTWARD, ''],
  slide_left: [STRAIGHT, 'rotate(180)'],
  slide_right: [STRAIGHT, ''],
  rise: [STRAIGHT, 'rotate(-90)'],
  descend: [STRAIGHT, 'rotate(90)'],
  orbit_left: ['M7-2a7 4 0 1 0-3 5m-8 0h4v-4', ''],
  orbit_right: ['M7-2a7 4 0 1 0-3 5m-8 0h4v-4', 'scale(-1 1)'],
  pan_left: [CURVED, 'scale(-1 1)'],
  pan_right: [CURVED, ''],
  tilt_up: [CURVED, 'rotate(-90)'],
  tilt_down: [CURVED, 'rotate(-90) scale(-1 1)'],
  dolly_zoom: ['M-7-7h14v14h-14zM-3-3h6v6h-6z', ''],
  hold: ['M-3-6v12M3-6v12', ''],
}

export function MoveCards({ chosen, choose }: { chosen: string; choose: (move: string) => void }) {
  return (
    <fieldset class="move-cards">
      <legend class="field-name">{clip().move}</legend>
      {Object.keys(MOVES).map((move) => (
        <label key={move} class={`move-card ${move}`}>
          <input type="radio" name="move" value={move} checked={chosen === move} onChange={() => choose(move)} />
          <svg viewBox="0 0 96 60" aria-hidden="true">
            <g class="layer back"><path class="wall" d="M-30-30h156v120h-156z" /><path class="floor" d="M-30 40h156v50h-156z" /><path class="window" d="M38 9h24v20h-24zM50 9v20M38 19h24" /></g>
            <g class="layer mid"><path class="sofa" d="M24 34q0-5 5-5h38q5 0 5 5v3h-48zM20 37q0-3 3-3t3 3v4h44v-4q0-3 3-3t3 3v11h-56z" /></g>
            <g class="layer near"><path class="table" d="M36 50h24v3h-24zM39 53v6M57 53v6" /><path class="plant" d="M83 44h8l-1 14h-6zM87 44q-9-5-7-15 7 3 7 15 0-12 8-15 1 10-8 15" /></g>
            <g transform="translate(14 46)"><circle class="badge-ground" r="11" /><path class="arrow" d={ARROWS[move]?.[0]} transform={ARROWS[move]?.[1]} /></g>
          </svg>
          <span class="small">{clip().moves[move]}</span>
        </label>
      ))}
    </fieldset>
  )
}
