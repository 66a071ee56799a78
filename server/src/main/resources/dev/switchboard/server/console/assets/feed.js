// News of all conversations and approvals, one stream for the whole console.

import { useEffect, useState } from './vendor/htm-preact.js';
import { follow } from './live.js';

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
 * Opens the stream; returns what closes it. Of several windows one holds the stream and tells the others, since a
 * browser opens only six connections to a server.
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
