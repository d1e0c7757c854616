// What viewers of share links said.

import './reviews.css'
import type { Review } from '../api/share'
import { locale } from '../messages'
import { sharing as m } from '../messages/share'
import type { Said } from '../sharing'
import { Icon } from './icon'

const moment = (iso: string) => new Date(iso).toLocaleString(locale(), { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' })

/** With names of photos, each line says which it is about. */
export function Reviews({ reviews, names }: { reviews: Review[]; names?: ReadonlyMap<string, string> }) {
  return (
    <ul class="reviews">
      {reviews.map((review) => (
        <li key={review.review_id}>
          <Mark decision={review.decision} />
          <div>
            {names && <p class="small ellipsis"><strong>{review.photo_id ? names.get(review.photo_id) ?? review.photo_id : m().general}</strong></p>}
            <p class="said">{review.text ?? (review.decision === 'approved' ? m().approved : m().rejected)}</p>
            <p class="quiet small">{m().by(review.name)} · {moment(review.created_at)}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}

function Mark({ decision }: { decision: Review['decision'] }) {
  return <span class={`mark ${decision ?? 'comment'}`} aria-hidden="true"><Icon name={decision === 'approved' ? 'check' : decision ? 'close' : 'comment'} /></span>
}

/** On a tile: the decision, and the number of comments. */
export function Marks({ said }: { said: Said | undefined }) {
  if (!said) return null
  const { decision, comments } = said
  const words = [decision === 'approved' ? m().approved : decision ? m().rejected : '', comments > 0 ? m().comments(comments) : '']
  return (
    <span class="marks" role="img" aria-label={words.filter(Boolean).join(', ')} title={words.filter(Boolean).join(', ')}>
      {decision && <Mark decision={decision} />}
      {comments > 0 && <span class="mark comment"><Icon name="comment" />{comments}</span>}
    </span>
  )
}

/** Beside a photo in the viewer. */
export function Feedback({ said }: { said: Said | undefined }) {
  if (!said) return null
  return <section class="stack"><h3>{m().feedback}</h3><Reviews reviews={said.reviews} /></section>
}
