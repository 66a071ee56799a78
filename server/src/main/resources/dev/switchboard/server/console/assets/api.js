// The server's HTTP interface: JSON, and streams of events that outlive a broken connection.

import { useEffect, useState } from './vendor/htm-preact.js';

export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || body.title || `The server answered with status ${status}.`);
    this.status = status;
    this.code = body.code ?? '';
    this.body = body;
  }
}

let skew = 0;

/** The time at the server, in milliseconds: what its clock differs from ours counts from two seconds. */
export const now = () => Date.now() + skew;

/** Reads JSON. A number that JavaScript cannot hold exactly stays as it was written. */
export const parse = text => JSON.parse(text, (key, value, context) => {
  const lossy = typeof value === 'number' && context && JSON.rawJSON
    && (!Number.isFinite(value) || context.source.replace(/\D/g, '').length > 15);
  return lossy ? JSON.rawJSON(context.source) : value;
});

/** Whether a value is a number, also one that stays as it was written. */
export const isNumber = value => typeof value === 'number' || Boolean(JSON.isRawJSON?.(value));

export const isObject = value =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !JSON.isRawJSON?.(value);

async function ask(method, path, body, headers = {}) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: { Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }), ...headers },
      body: body && JSON.stringify(body),
      credentials: 'same-origin',
      cache: 'no-store',
    });
  } catch {
    throw new Problem(0, { detail: 'The server cannot be reached.', code: 'unreachable' });
  }
  readClock(response.headers.get('Date'));
  const text = await response.text();
  const answer = read(text, response);
  if (response.ok) {
    return answer;
  }
  if (response.status === 401 && path !== '/v1/login') {
    dispatchEvent(new Event('logged-out'));
  }
  throw new Problem(response.status, answer ?? {});
}

function readClock(date) {
  const difference = Date.parse(date) + 500 - Date.now();
  if (Number.isFinite(difference)) {
    skew = Math.abs(difference) < 2000 ? 0 : difference;
  }
}

function read(text, response) {
  try {
    return text ? parse(text) : undefined;
  } catch {
    throw new Problem(response.status, { detail: `The server answered with status ${response.status}, not as JSON.` });
  }
}

export const get = path => ask('GET', path);
export const remove = path => ask('DELETE', path);
export const put = (path, body) => ask('PUT', path, body);

/** Sends a deed, under a key by which the server knows it should it be sent twice. */
export const post = (path, body = {}) => ask('POST', path, body, { 'Idempotency-Key': key() });

function key() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('');
}

/** A path from its parts, each encoded: path('v1', 'agents', name). */
export const path = (...parts) => '/' + parts.map(encodeURIComponent).join('/');

/** A query string of the members that say something, with its question mark. */
export function query(members) {
  const filled = Object.entries(members).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return filled.length ? '?' + new URLSearchParams(filled) : '';
}

const REST = 60_000;
const PAUSES = [500, 1000, 2000, 4000, 8000, 15000];

/**
 * Follows a stream until the function that this returns is called.
 *
 * @param url gives the address to open, with the last number seen
 * @param catchUp awaited before the stream is opened, at first and after each break
 * @param onEvent gets each event and its number, 0 where it has none
 * @param onState gets {state: 'connecting' | 'live' | 'broken' | 'resting' | 'gone', seen, problem?}; seen is when something came last
 * @param rests whether it is closed while the window is hidden: browsers open only six connections to a server
 */
export function follow({ url, catchUp, onEvent, onState, rests }) {
  let source, timer, rest;
  let tries = 0;
  let latest = 0; // of the attempts to connect; an earlier one that is still under way gives up
  let state = 'connecting';
  let seen = Date.now();

  const tell = (next, problem) => onState({ state: (state = next), seen, problem });

  async function connect() {
    const mine = ++latest;
    clearTimeout(timer);
    try {
      await catchUp?.();
    } catch (problem) {
      if (mine === latest) {
        [401, 403, 404, 410].includes(problem.status) ? tell('gone', problem) : again(problem);
      }
      return;
    }
    if (mine !== latest) {
      return;
    }
    source = new EventSource(url());
    source.onopen = () => {
      tries = 0;
      seen = Date.now();
      tell('live');
    };
    source.onmessage = message => {
      seen = Date.now();
      if (message.data !== '[DONE]') {
        onEvent(parse(message.data), Number(message.lastEventId) || 0);
      }
    };
    source.onerror = () => again();
  }

  function stop() {
    latest++;
    clearTimeout(timer);
    source?.close();
  }

  function again(problem) {
    stop();
    tell('broken', problem);
    timer = setTimeout(connect, PAUSES[Math.min(tries++, PAUSES.length - 1)] * (0.8 + 0.4 * Math.random()));
  }

  function wake() {
    clearTimeout(rest);
    if (document.hidden) {
      rest = rests && setTimeout(() => {
        stop();
        tell('resting');
      }, REST);
    } else if (['broken', 'resting'].includes(state)) {
      stop();
      connect();
    }
  }

  addEventListener('online', wake);
  document.addEventListener('visibilitychange', wake);
  connect();
  return () => {
    stop();
    clearTimeout(rest);
    removeEventListener('online', wake);
    document.removeEventListener('visibilitychange', wake);
  };
}

const listeners = new Set();
const watchers = new Set();
let link = { state: 'connecting', seen: Date.now() };

function hear(event) {
  listeners.forEach(listener => listener(event));
}

function show(next) {
  const opened = next.state === 'live' && link.state !== 'live';
  link = next;
  watchers.forEach(watcher => watcher(next));
  if (opened) {
    hear({ type: 'opened' });
  }
}

/**
 * Opens the stream; returns what closes it. Of several windows one holds it and tells the others.
 */
export function openFeed() {
  if (!navigator.locks || !globalThis.BroadcastChannel) {
    return follow({ url: () => '/v1/events', onEvent: hear, onState: show });
  }
  const others = new BroadcastChannel('switchboard-feed');
  const closing = new AbortController();
  let holds = false;
  others.onmessage = ({ data }) => {
    if (data.ask) {
      holds && others.postMessage({ link });
    } else {
      data.link ? show(data.link) : hear(data.event);
    }
  };
  const tell = (message, here) => {
    others.postMessage(message);
    here();
  };
  navigator.locks.request('switchboard-feed', { signal: closing.signal }, () => new Promise(release => {
    holds = true;
    const stop = follow({
      url: () => '/v1/events',
      onEvent: event => tell({ event }, () => hear(event)),
      onState: next => tell({ link: { state: next.state, seen: next.seen } }, () => show(next)),
    });
    closing.signal.addEventListener('abort', () => {
      stop();
      release();
    });
  })).catch(() => undefined);
  others.postMessage({ ask: true });
  return () => {
    closing.abort();
    others.close();
  };
}

/**
 * Hears each piece of news: {type: 'conversation', id, agent, status, last}, {type: 'approval', id, status}, and
 * {type: 'opened'} when the stream has been opened, since nothing is told again of what happened before.
 */
export function useNews(listener, inputs) {
  useEffect(() => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, inputs);
}

/** How the stream stands. */
export function useFeedState() {
  const [state, setState] = useState(link);
  useEffect(() => {
    setState(link);
    watchers.add(setState);
    return () => watchers.delete(setState);
  }, []);
  return state;
}
