// Streams of events that outlive a broken connection.

import { parse } from './api.js';

const PAUSES = [500, 1000, 2000, 4000, 8000, 15000];

/**
 * Follows a stream until the function that this returns is called.
 *
 * @param url gives the address to open, with the last number seen
 * @param catchUp awaited before the stream is opened, at first and after each break
 * @param onEvent gets each event and its number, 0 where it has none
 * @param onState gets {state: 'connecting' | 'live' | 'broken' | 'gone', seen, problem?}; seen is when something came last
 */
export function follow({ url, catchUp, onEvent, onState }) {
  let source, timer;
  let tries = 0;
  let closed = false;
  let state = 'connecting';
  let seen = Date.now();

  const tell = (next, problem) => onState({ state: (state = next), seen, problem });

  async function connect() {
    clearTimeout(timer);
    try {
      await catchUp?.();
    } catch (problem) {
      if (!closed) {
        [401, 403, 404, 410].includes(problem.status) ? tell('gone', problem) : again(problem);
      }
      return;
    }
    if (closed) {
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

  function again(problem) {
    source?.close();
    tell('broken', problem);
    clearTimeout(timer);
    timer = setTimeout(connect, PAUSES[Math.min(tries++, PAUSES.length - 1)] * (0.8 + 0.4 * Math.random()));
  }

  function wake() {
    if (state === 'broken' && !document.hidden) {
      tries = 0;
      connect();
    }
  }

  addEventListener('online', wake);
  document.addEventListener('visibilitychange', wake);
  connect();
  return () => {
    closed = true;
    clearTimeout(timer);
    source?.close();
    removeEventListener('online', wake);
    document.removeEventListener('visibilitychange', wake);
  };
}
