// Which job a desk shows: part of the page's address, so that a reload shows it again. The desk itself stays when it changes.

import { useEffect, useState } from 'preact/hooks'

export function useShownJob(desk: string, first: string): [string, (id: string) => void] {
  const [current, setCurrent] = useState(first)
  useEffect(() => {
    const read = () => {
      const [path, id = ''] = location.hash.slice(1).split(`${desk}/`)
      if (path === '' && id) setCurrent(id)
    }
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [desk])
  const show = (id: string) => {
    history.replaceState(null, '', id ? `#${desk}/${id}` : `#${desk}`)
    setCurrent(id)
  }
  return [current, show]
}
