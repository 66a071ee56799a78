// Addresses: the history of the browser as the state of the console.

import { useEffect, useState } from './vendor/htm-preact.js';

const listeners = new Set();
const here = () => ({ path: location.pathname, query: new URLSearchParams(location.search), hash: location.hash.slice(1) });

/** Goes to an address of the console; `replace` keeps the history as long as it is. */
export function go(address, { replace = false } = {}) {
  history[replace ? 'replaceState' : 'pushState'](null, '', address);
  tell();
}

/** Changes members of the address's query, an empty one goes away. */
export function setQuery(members) {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(members)) {
    value ? query.set(name, value) : query.delete(name);
  }
  const text = query.toString();
  go(location.pathname + (text ? '?' + text : '') + location.hash, { replace: true });
}

function tell() {
  const place = here();
  listeners.forEach(listener => listener(place));
}

/** Where the console is: {path, query, hash}. */
export function usePlace() {
  const [place, setPlace] = useState(here);
  useEffect(() => {
    listeners.add(setPlace);
    return () => listeners.delete(setPlace);
  }, []);
  return place;
}

addEventListener('popstate', tell);
document.addEventListener('click', event => {
  const link = event.target.closest?.('a[href]');
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  const ours = link && link.origin === location.origin && !link.target && !link.hasAttribute('download')
    && !link.getAttribute('href').startsWith('#') && !link.pathname.startsWith('/v1');
  if (plain && ours && !event.defaultPrevented) {
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  }
});
