// Keys: which page listens to which, and the list that `?` shows.

import { useEffect, useRef } from './vendor/htm-preact.js';

const groups = new Map();
let prefix = '';
let timer;

/** Whether keys of one character do something; people who dictate switch it off. */
export const single = {
  on: () => localStorage.getItem('keys') !== 'off',
  set: on => localStorage.setItem('keys', on ? 'on' : 'off'),
};

/** Listens while the component is there: bindings are {key: [words, deed]}, a key such as 'j' or 'g c'. */
export function useKeys(name, bindings) {
  const latest = useRef(bindings);
  latest.current = bindings;
  useEffect(() => {
    const group = { name, get: () => latest.current };
    groups.set(group, group);
    return () => groups.delete(group);
  }, [name]);
}

/** What is listened to now: [{name, keys: [[key, words]]}]. */
export const list = () => [...groups.values()]
  .map(group => ({ name: group.name, keys: Object.entries(group.get()).map(([key, [words]]) => [key, words]) }))
  .filter(group => group.keys.length);

const typing = target => target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) {
    return;
  }
  const escape = event.key === 'Escape';
  if (document.querySelector('dialog[open]') || (!escape && (typing(event.target) || !single.on()))) {
    return;
  }
  const pressed = prefix ? `${prefix} ${event.key}` : event.key;
  const all = [...groups.values()].reverse();
  clearTimeout(timer);
  prefix = '';
  for (const group of all) {
    const binding = group.get()[pressed];
    if (binding) {
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
