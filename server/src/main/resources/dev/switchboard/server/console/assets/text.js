// Words and numbers for people, and the difference of two texts. Pure.

import { isNumber, isObject } from './api.js';

// Invisible characters that change how text reads.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Foreign text with its hidden characters shown, as \u202e. */
export const visible = text =>
  String(text).replace(HIDDEN, found => '\\u' + found.charCodeAt(0).toString(16).padStart(4, '0'));

/** JSON in lines, hidden characters shown; still the same JSON. */
export const pretty = value => visible(JSON.stringify(value, null, 2) ?? '');

/** A JSON text in lines, other text as it is. */
export function prettyText(text, parse) {
  try {
    return /^\s*[{[]/.test(text) ? pretty(parse(text)) : visible(text);
  } catch {
    return visible(text);
  }
}

/** 12 ms, 1.4 s, 3 min 5 s, 2 h 10 min. */
export function duration(ms) {
  const s = ms / 1000;
  if (ms < 1000) {
    return `${Math.max(0, Math.round(ms))} ms`;
  }
  if (s < 10) {
    return `${s.toFixed(1)} s`;
  }
  return two(Math.round(s), [['d', 86400], ['h', 3600], ['min', 60], ['s', 1]]);
}

function two(seconds, units) {
  const first = units.findIndex(([, size]) => seconds >= size);
  const [unit, size] = units[Math.max(0, first)];
  const whole = Math.floor(seconds / size);
  const [lower, lowerSize] = units[first + 1] ?? [];
  const rest = lower ? Math.floor((seconds % size) / lowerSize) : 0;
  return rest ? `${whole} ${unit} ${rest} ${lower}` : `${whole} ${unit}`;
}

/** just now, 12 s ago, 3 min ago, 2 d ago. */
export function ago(ms) {
  const s = Math.floor(ms / 1000);
  const [unit, size] = [['d', 86400], ['h', 3600], ['min', 60], ['s', 1]].find(([, size]) => s >= size) ?? [];
  return unit ? `${Math.floor(s / size)} ${unit} ago` : 'just now';
}

/** 15:31:07, with the day before it unless that is today. */
export function clock(time) {
  const date = new Date(time);
  const today = new Date().toDateString() === date.toDateString();
  const hours = date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
  return today ? hours : `${date.toLocaleDateString([], { day: 'numeric', month: 'short' })} ${hours}`;
}

/** 3 calls, 1 call. */
export const count = (n, word) => `${n} ${word}${n === 1 ? '' : 's'}`;

const TELLING = ['name', 'title', 'query', 'path', 'url', 'command', 'id', 'label', 'reservation', 'text'];

/** The argument that tells most about a call, in at most 60 characters. */
export function telling(args) {
  if (!isObject(args)) {
    return '';
  }
  const simple = Object.entries(args).filter(([, value]) => (typeof value === 'string' && value) || isNumber(value));
  const known = TELLING.flatMap(word => simple.filter(([key]) => key === word || key.endsWith('_' + word)))[0];
  const [, value] = known ?? simple.find(([, v]) => typeof v === 'string') ?? simple[0] ?? [];
  if (value === undefined) {
    return '';
  }
  const line = (isNumber(value) ? JSON.stringify(value) : visible(value)).replace(/\s+/g, ' ');
  return line.length > 60 ? line.slice(0, 59) + '…' : line;
}

/** How a conversation stands, in words. */
export const statusWords = { running: 'Running', waiting: 'Waiting for approval', set_aside: 'Set aside', idle: 'Idle' };

/** What an answer to a request was, in words. */
export function answerWords(answer) {
  const nobody = { consent_timeout: 'Expired without an answer', no_approver: 'Denied: there was no one to ask', cancelled: 'Denied: the turn was cancelled' }[answer.by];
  const deed = answer.decision === 'deny' ? 'Denied' : answer.decision === 'approve_always' ? 'Approved for always' : 'Approved';
  return nobody ?? `${deed}${answer.arguments ? ' with edited arguments' : ''} by ${visible(answer.by)}`;
}

export const stopWords = {
  end_turn: 'ended', tool_rule: 'ended by a tool rule', terminal_result: 'ended by a result',
  max_iterations: 'stopped: step limit', budget: 'stopped: budget used up', model_timeout: 'stopped: the model did not answer',
  model_error: 'stopped: the model failed', cancelled: 'cancelled', consent_pending: 'waits for approval',
};

export const turnName = turn => turn.number ? `Turn ${turn.number}` : 'Before the first message';

const MOST_COMPARED = 1_000_000;

/** The lines of both, in order: {kind: 'same' | 'gone' | 'new', text}. */
export function diff(before, after) {
  const a = before === '' ? [] : before.split('\n');
  const b = after === '' ? [] : after.split('\n');
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) {
    start++;
  }
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) {
    end++;
  }
  const same = text => ({ kind: 'same', text });
  return [
    ...a.slice(0, start).map(same),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(same),
  ];
}

function middle(a, b) {
  const gone = text => ({ kind: 'gone', text });
  const added = text => ({ kind: 'new', text });
  if (a.length * b.length > MOST_COMPARED) {
    return [...a.map(gone), ...b.map(added)];
  }
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] = a[i] === b[j]
        ? longest[(i + 1) * width + j + 1] + 1
        : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  const out = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      out.push({ kind: 'same', text: a[i++] });
      j++;
    } else if (j >= b.length || (i < a.length && longest[(i + 1) * width + j] >= longest[i * width + j + 1])) {
      out.push(gone(a[i++]));
    } else {
      out.push(added(b[j++]));
    }
  }
  return out;
}
