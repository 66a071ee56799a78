// How the console is moved about in: addresses, which the history of the browser keeps, and keys.

import { useEffect, useLayoutEffect, useRef, useState } from './vendor/htm-preact.js';

const followers = new Set();
const here = () => ({
  path: location.pathname,
  parts: location.pathname.split('/').map(decode),
  query: new URLSearchParams(location.search),
  hash: decode(location.hash.slice(1)),
});

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

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
  followers.forEach(follower => follower(place));
}

export function usePlace() {
  const [place, setPlace] = useState(here);
  useEffect(() => {
    followers.add(setPlace);
    return () => followers.delete(setPlace);
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

const groups = new Map();
let prefix = '';
let timer;

/** Whether keys of one character do something; people who dictate switch it off. */
export const single = {
  on: () => localStorage.getItem('keys') !== 'off',
  set: on => localStorage.setItem('keys', on ? 'on' : 'off'),
};

/** Bindings are {key: [words, deed]}, a key such as 'j' or 'g c'; those without a deed are only listed. */
export function useKeys(name, bindings) {
  const latest = useRef(bindings);
  latest.current = bindings;
  useLayoutEffect(() => {
    const group = { name, get: () => latest.current };
    groups.set(group, group);
    return () => groups.delete(group);
  }, [name]);
}

/** What is listened to now: [{name, keys: [[key, words]]}]. */
export const keyList = () => [...groups.values()]
  .map(group => ({ name: group.name, keys: Object.entries(group.get()).map(([key, [words]]) => [key, words]) }))
  .filter(group => group.keys.length);

// What has the focus, and all that it is in: what is nearest of what stays has it then.
let trail = [];
document.addEventListener('focusin', event => { trail = event.composedPath(); });
new MutationObserver(() => {
  if (document.activeElement === document.body && trail[0]?.isConnected === false) {
    const stays = trail.filter(one => one.isConnected && one.matches);
    const next = stays.map(one => one.matches('[tabindex]') ? one : one.querySelector('a, button, summary')).find(Boolean);
    next?.focus({ preventScroll: true });
  }
}).observe(document.body, { childList: true, subtree: true });

const typing = target => target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) {
    return;
  }
  const escape = event.key === 'Escape';
  if (typing(event.target)) {
    escape && event.target.blur();
    return;
  }
  if (document.querySelector('dialog[open]') || !(escape || single.on())) {
    return;
  }
  const pressed = prefix ? `${prefix} ${event.key}` : event.key;
  const all = [...groups.values()].reverse();
  clearTimeout(timer);
  prefix = '';
  for (const group of all) {
    const binding = group.get()[pressed];
    if (binding?.[1]) {
      event.preventDefault();
      binding[1](event);
      return;
    }
  }
  if (all.some(group => Object.keys(group.get()).some(key => key.startsWith(pressed + ' ')))) {
    prefix = pressed;
    timer = setTimeout(() => { prefix = ''; }, 1500);
  }
});
