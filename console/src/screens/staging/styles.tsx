// Styles as cards with a picture of each.

import { t } from '../../messages'
import { staging } from '../../messages/staging'

/** In the order of the cards; all that the API has. */
export const STYLE_CARDS = [
  'scandinavian', 'modern', 'japandi', 'midcentury', 'contemporary', 'minimalist', 'industrial', 'farmhouse', 'coastal', 'boho', 'traditional',
  'transitional', 'art deco', 'luxury',
]
/** How many drafts are made at once. */
export const MOST_DRAFTS = 4

export const styleName = (style: string): string => t().styles[style] ?? staging().moreStyles[style] ?? style

export function StyleCards({ chosen, choose }: { chosen: string[]; choose: (styles: string[]) => void }) {
  const toggle = (style: string) => choose(chosen.includes(style) ? chosen.filter((one) => one !== style) : [...chosen, style].slice(-MOST_DRAFTS))
  return (
    <fieldset class="style-cards">
      <legend><h2>{staging().styles}</h2><span class="quiet small">{staging().stylesHint}</span></legend>
      {STYLE_CARDS.map((style) => (
        <label key={style} class="style-card">
          <input type="checkbox" checked={chosen.includes(style)} onChange={() => toggle(style)} />
          <img src={`styles/${style.replace(' ', '-')}.webp`} alt="" width="234" height="156" loading="lazy" onError={(event) => { event.currentTarget.hidden = true }} />
          <span class="ellipsis">{styleName(style)}</span>
        </label>
      ))}
    </fieldset>
  )
}
