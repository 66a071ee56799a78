// The small parts that pages are made of.

import { Component, html, useCallback, useEffect, useLayoutEffect, useRef, useState } from './vendor/htm-preact.js';
import { now } from './api.js';
import { useKeys } from './router.js';
import { ago, clock, diff, duration, visible } from './text.js';

/** Draws its child anew only when a property is another object. */
export class Still extends Component {
  shouldComponentUpdate(next) {
    const names = Object.keys(next);
    return names.length !== Object.keys(this.props).length
      || names.some(name => name !== 'children' && next[name] !== this.props[name]);
  }

  render({ of, ...props }) {
    return html`<${of} ...${props} />`;
  }
}

/** The server's time, anew each `every` milliseconds; 0 for never. */
export function useNow(every) {
  const [time, setTime] = useState(now);
  useEffect(() => {
    if (!every) {
      return undefined;
    }
    setTime(now());
    const timer = setInterval(() => setTime(now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return time;
}

/** What `load` gives: {value, problem, loading, reload, set}. The old value stays while it is loaded again. */
export function useLoad(load, inputs) {
  const [state, setState] = useState({ loading: true });
  const turn = useRef(0);
  const reload = useCallback(async () => {
    const mine = ++turn.current;
    setState(old => ({ ...old, loading: true }));
    let next;
    try {
      next = { value: await load(), loading: false };
    } catch (problem) {
      next = { problem, loading: false };
    }
    if (mine === turn.current) {
      setState(old => ({ value: old.value, ...next }));
    }
  }, inputs);
  useEffect(() => {
    setState({ loading: true });
    reload();
    return () => { turn.current++; };
  }, inputs);
  const set = value => setState(old => ({ ...old, value: typeof value === 'function' ? value(old.value) : value }));
  return { ...state, reload, set };
}

/** A function that does the deed once, `ms` after it was first asked for. */
export function useSoon(deed, ms) {
  const state = useRef({});
  state.current.deed = deed;
  useEffect(() => () => clearTimeout(state.current.timer), []);
  return useCallback(() => {
    state.current.timer ??= setTimeout(() => {
      state.current.timer = undefined;
      state.current.deed();
    }, ms);
  }, []);
}

const voices = new Set();

/** Says it politely to those who hear the page. */
export const announce = text => voices.forEach(voice => voice(text));

/** Where announcements are made; once on the page. */
export function Announcer() {
  const [text, setText] = useState('');
  useEffect(() => {
    let timer;
    const voice = said => {
      clearTimeout(timer);
      timer = setTimeout(() => setText(old => old === said ? said + '\u00a0' : said), 150);
    };
    voices.add(voice);
    return () => voices.delete(voice);
  }, []);
  return html`<div class="unseen" role="status" aria-live="polite">${visible(text)}</div>`;
}

const named = { title: '', count: 0 };

/** Sets the title of the window, or how many requests it says are waiting. */
export function entitle(change) {
  Object.assign(named, change);
  document.title = `${named.count ? `(${named.count}) ` : ''}${visible(named.title)} · Switchboard`;
}

/** The title of the window, and the page's heading with what stands beside it. */
export function Heading({ title, children }) {
  useEffect(() => entitle({ title }), [title]);
  return html`<div class="heading"><h1 tabindex="-1"><bdi>${visible(title)}</bdi></h1>${children}</div>`;
}

/** A time, as so long ago. */
export function Ago({ at }) {
  const time = Date.parse(at);
  const current = useNow(10_000);
  return html`<time datetime=${at} title=${clock(time)}>${ago(current - time)}</time>`;
}

/** The time that is left. */
export function Countdown({ until }) {
  const left = until - useNow(1000);
  const hurry = left < 60_000;
  return html`<span class=${'countdown' + (hurry ? ' hurry' : '')} role="timer">${
    left > 0 ? duration(Math.ceil(left / 1000) * 1000).replace('.0', '') + ' left' : 'expired'}</span>`;
}

/** Text as it stands, in lines of its own, to be scrolled by keys too. */
export const Code = ({ text, label }) =>
  html`<pre class="code" tabindex="0" role="group" aria-label=${label}>${text}</pre>`;

const SIGNS = { same: ' ', gone: '−', new: '+' };
const MEANINGS = { gone: 'removed: ', new: 'added: ' };

/** A change, line by line. */
export function Diff({ before, after, label }) {
  const lines = diff(visible(before), visible(after));
  return html`<div class="code diff" tabindex="0" role="group" aria-label=${label}>
    ${lines.map((line, i) => html`<div key=${i} class=${line.kind}><span class="sign" aria-hidden="true">${SIGNS[line.kind]}</span>${
      MEANINGS[line.kind] && html`<span class="unseen">${MEANINGS[line.kind]}</span>`}<span>${line.text || ' '}</span></div>`)}
    ${lines.every(line => line.kind === 'same') && html`<div class="quiet">No difference.</div>`}
  </div>`;
}

/** What went wrong, and the way to try again. */
export const Trouble = ({ problem, retry }) => problem && html`<div class="trouble" role="alert">
  <strong>${problem.status === 403 ? 'Not allowed' : problem.status === 404 ? 'Not found' : 'That did not work'}</strong>
  <span>${visible(problem.message)}</span>
  ${retry && html`<button type="button" onClick=${retry}>Try again</button>`}
</div>`;

/** What was loaded, by a child that is a function of it; before that, that it loads, or why it cannot. */
export const Loaded = ({ from, what, children }) => html`<div class="loaded"><${Trouble} problem=${from.problem} retry=${from.reload} />
  ${from.value ? children(from.value) : !from.problem && html`<${Loading} what=${what} />`}</div>`;

export const Loading = ({ what }) => html`<p class="quiet loading" role="status">Loading ${what}…</p>`;

export const Empty = ({ title, children }) => html`<div class="empty"><p><strong>${title}</strong></p>${children}</div>`;

/** How fresh the page is, in words. */
export function Freshness({ link }) {
  const current = useNow(1000) - now() + Date.now();
  const words = {
    connecting: 'Connecting…',
    live: 'Live',
    broken: `Reconnecting, last event ${ago(Math.max(0, current - link.seen))}`,
    gone: 'Not connected',
  }[link.state];
  return html`<span class=${'fresh ' + link.state}><span class="dot" aria-hidden="true"></span>${words}</span>`;
}

/** A dialog that takes the focus while it is open, and gives it back. */
export function Dialog({ title, onClose, children }) {
  const box = useRef();
  useLayoutEffect(() => {
    const before = document.activeElement;
    box.current.showModal();
    box.current.querySelector('form :is(input, select, textarea)')?.focus();
    return () => before?.focus?.();
  }, []);
  return html`<dialog ref=${box} aria-label=${title} onClose=${onClose}
      onClick=${event => event.target === box.current && box.current.close()}>
    <div class="sheet"><header><h2>${title}</h2>
      <button type="button" class="plain" aria-label="Close" onClick=${() => box.current.close()}>✕</button></header>
      ${children}</div>
  </dialog>`;
}

/** A labelled select: options are [value, words]. */
export const Choice = ({ label, value, options, onChange }) => html`<label class="choice"><span>${label}</span>
  <select value=${value} onChange=${event => onChange(event.target.value)}>
    ${options.map(([option, words]) => html`<option key=${option} value=${option} selected=${option === value}>${words}</option>`)}
  </select></label>`;

/** A choice among the agents; `all` where none is a choice too. */
export const AgentChoice = ({ agents, value, all, onChange }) => html`<${Choice} label="Agent" value=${value} onChange=${onChange}
  options=${[...(all ? [['', 'all']] : []), ...agents.map(agent => [agent.name, visible(agent.name)])]} />`;

/** A word with a shape before it, so that colour is not all that tells. */
export const Sign = ({ kind, children }) => html`<span class=${'sign-word ' + kind}>${children}</span>`;

/** A list to choose from, by j and k too, beside what is chosen; `line` draws an item. */
export function Master({ title, what, items, chosen, choose, line, children }) {
  const list = useRef();
  const step = by => {
    const at = Math.max(0, Math.min(items.length - 1, items.indexOf(chosen) + by));
    choose(items[at]);
    list.current.children[at].firstChild.focus();
  };
  useKeys(title, { j: [`Next ${what}`, () => step(1)], k: [`Previous ${what}`, () => step(-1)] });
  return html`<div class="master">
    <nav aria-label=${title}><ul ref=${list}>${items.map((item, i) => html`<li key=${i}><button type="button"
      aria-current=${item === chosen ? 'true' : undefined} onClick=${() => choose(item)}>${line(item)}</button></li>`)}</ul></nav>
    <div class="chosen">${children}</div>
  </div>`;
}
