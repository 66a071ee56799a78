// A conversation as its events tell it, and what its calls did when. Pure: a model and events give the next model.

import { isObject } from './api.js';

export const EMPTY = { last: 0, at: 0, turns: [], calls: new Map(), running: false };

/**
 * The model after these log entries: {number, at, event}, `at` in milliseconds. An entry that the model has seen
 * already is passed over. Turns and calls that the entries do not touch stay the same objects.
 */
export function apply(model, entries) {
  const draft = new Draft(model);
  for (const entry of entries) {
    if (entry.number > draft.last) {
      draft.last = entry.number;
      draft.at = Math.max(draft.at, entry.at);
      draft.take({ ...entry, at: draft.at });
    }
  }
  return draft.done();
}

export const waiting = model =>
  [...model.calls.values()].filter(call => call.request && !call.answer && !call.result);

export const words = turn =>
  turn.items.filter(item => item.kind === 'text').map(textOf).join(' ');

export const spent = model => model.turns.filter(turn => turn.usage).reduce(([tokens, cost], { usage }) =>
  [tokens + usage.input + usage.output, cost + usage.cost], [0, 0]);

export const textOf = item => item.parts.map(part => part.text).join('');

class Draft {
  constructor(model) {
    this.last = model.last;
    this.at = model.at;
    this.running = model.running;
    this.turns = [...model.turns];
    this.calls = new Map(model.calls);
    this.own = new Set();
  }

  done() {
    return { last: this.last, at: this.at, turns: this.turns, calls: this.calls, running: this.running };
  }

  take({ number, at, event }) {
    const payload = isObject(event.payload) ? event.payload : {};
    switch (event.type) {
      case 'content': return this.text(number, at, String(event.content ?? ''));
      case 'tool_call': return this.called(at, event, payload);
      case 'loader-hint': return this.change(event.taskId, call => { call.hints = [...call.hints, { at, kind: event.kind, text: event.hint }]; });
      case 'tool_result': return this.change(payload.callId, call => { call.result = payload; call.end = at; });
      case 'error': return this.note(at, 'error', event.message, event.cause ?? event.code);
      case 'budget_exhausted': return this.note(at, 'limit', event.message, event.code);
      case 'agent': return this.agent(at, event.event, payload);
      case 'done': return this.end(at, payload);
      default:
    }
  }

  agent(at, word, payload) {
    switch (word) {
      case 'user': return this.user(at, payload);
      case 'conversation_started': return;
      case 'consent_request': return this.asked(at, payload);
      case 'consent_answer': return this.answered(at, payload);
      case 'retry': return this.change(payload.taskId, call => { call.retries = [...call.retries, { ...payload, at }]; });
      case 'reminder': return this.note(at, 'reminder', payload.text);
      case 'model_retry': return this.note(at, 'retry', `The model is asked again (attempt ${payload.attempt} of ${payload.of}).`, payload.reason);
      case 'compacted': return this.note(at, 'limit', 'Older messages are left out.', `about ${payload.before} tokens, now ${payload.after}`);
      case 'reasoning_dropped': return this.note(at, 'news', 'The reasoning of earlier replies is not used.', payload.reason);
      case 'incomplete_reply': return this.note(at, 'limit', 'The reply is incomplete.', payload.reason);
      case 'reply_restarted': return this.restart(at, payload.from);
      default: return this.note(at, 'news', `${word} ${payload.name ?? ''}`, JSON.stringify(payload).slice(1, -1));
    }
  }

  user(at, payload) {
    const open = this.turns.at(-1);
    const fresh = open && !open.end && !open.items.length ? open : this.begin(at);
    this.running = true;
    fresh.number ||= 1;
    fresh.items.push({ kind: 'user', at, text: [payload.text, ...(payload.files ?? []).map(file => `[${file.name ?? file.type}]`)].join(' ') });
  }

  text(number, at, text) {
    const turn = this.turn(at);
    const item = turn.items.at(-1);
    if (item?.kind === 'text') {
      turn.items[turn.items.length - 1] = { ...item, parts: [...item.parts, { number, text }] };
    } else {
      turn.items.push({ kind: 'text', at, parts: [{ number, text }] });
    }
  }

  called(at, event, payload) {
    const turn = this.turn(at);
    const call = {
      id: payload.id, name: String(payload.name ?? '?'), arguments: payload.arguments ?? {}, mode: event.mode,
      auto: event.auto === true, turn: turn.key, at, hints: [], retries: [],
    };
    if (!this.calls.has(call.id)) {
      turn.items.push({ kind: 'call', at, id: call.id });
      turn.calls = [...turn.calls, call.id];
    }
    this.calls.set(call.id, call);
  }

  asked(at, request) {
    if (!this.calls.has(request.id)) {
      this.called(at, { mode: request.mode }, { ...request.call, id: request.id });
    }
    this.change(request.id, call => { call.request = { ...request, seen: at }; });
  }

  answered(at, answer) {
    this.change(answer.id, call => { call.answer = { ...answer, seen: at }; });
    if (this.turns.at(-1)?.stop === 'consent_pending') {
      this.turn(at);
    }
  }

  change(id, edit) {
    const call = this.calls.get(id);
    if (call) {
      const next = { ...call };
      edit(next);
      this.calls.set(id, next);
      this.touch(call.turn);
    }
  }

  note(at, tone, text, detail) {
    this.turn(at).items.push({ kind: 'note', at, tone, text: String(text ?? ''), detail });
  }

  restart(at, from) {
    const turn = this.turn(at);
    turn.items = turn.items
      .map(item => item.kind === 'text' ? { ...item, parts: item.parts.filter(part => part.number < from) } : item)
      .filter(item => item.kind !== 'text' || item.parts.length);
    this.note(at, 'retry', 'The server was restarted in the middle of this reply; the model is asked again.');
  }

  end(at, payload) {
    const turn = this.turn(at);
    turn.end = at;
    turn.stop = payload.stopReason;
    turn.unmet = payload.unmet;
    turn.usage = payload.usage;
    this.running = false;
  }

  // The turn that goes on. One that waits for consent goes on when it has been given.
  turn(at) {
    const last = this.turns.at(-1);
    if (!last || (last.end && last.stop !== 'consent_pending')) {
      return this.begin(at);
    }
    const turn = this.touch(last.key);
    turn.end = turn.stop = undefined;
    this.running = true;
    return turn;
  }

  begin(at) {
    const turn = { key: this.turns.length, number: this.turns.at(-1) ? this.turns.at(-1).number + 1 : 0, start: at, items: [], calls: [] };
    this.own.add(turn.key);
    this.turns.push(turn);
    this.running = true;
    return turn;
  }

  touch(key) {
    if (!this.own.has(key)) {
      this.own.add(key);
      this.turns[key] = { ...this.turns[key], items: [...this.turns[key].items] };
    }
    return this.turns[key];
  }
}

const INSTANT = new Set(['unknown_tool', 'invalid_arguments', 'rule_violation', 'repeated_call', 'skipped_after_exit',
  'duplicate_id', 'circuit_open', 'url_blocked']);

/** How a call stands, in a word: running, waiting, ok, refused, denied, failed. */
export function outcome(call) {
  if (!call.result) {
    return call.request && !call.answer ? 'waiting' : 'running';
  }
  if (call.result.success) {
    return 'ok';
  }
  const code = call.result.code ?? '';
  if (code.startsWith('consent_') || code === 'no_approver') {
    return 'denied';
  }
  return INSTANT.has(code) ? 'refused' : code === 'cancelled' ? 'cancelled' : 'failed';
}

export const given = call => call.answer?.arguments ?? call.arguments;

/** How long a call took up to its end or `now`, without the time until a person answered. */
export const took = (call, now) => (call.end ?? now) - call.at - (call.answer?.seen - call.request?.seen || 0);

/** The stretches of a call up to its end or `now`: {kind: waiting | consent | attempt | backoff | run, from, to, words, cause?}. */
export function phases(call, now) {
  const end = Math.max(call.end ?? now, call.at);
  const out = [];
  let cursor = call.at;
  let attempt = 1;
  const until = (kind, to, words, cause) => {
    const stop = Math.min(Math.max(to, cursor), end);
    if (stop > cursor || kind === 'run' || kind === 'attempt') {
      out.push({ kind, from: cursor, to: stop, words, cause });
    }
    cursor = stop;
  };
  if (call.request) {
    until('waiting', call.request.seen, 'waiting');
    until('consent', call.answer?.seen ?? end, call.answer ? `consent by ${call.answer.by}` : 'waits for consent');
  }
  for (const retry of call.retries) {
    until('attempt', retry.at, `attempt ${retry.attempt} failed`, retry.cause);
    until('backoff', retry.at + retry.pauseMs, 'back-off');
    attempt = retry.attempt + 1;
  }
  const state = outcome(call);
  if (attempt > 1 && state === 'failed') {
    until('attempt', end, `attempt ${attempt} failed`);
  } else if (!['denied', 'refused', 'waiting'].includes(state)) {
    until('run', end, attempt > 1 ? `attempt ${attempt}` : 'run');
  }
  return out;
}

/**
 * The scale of a turn: the place of a time between 0 and 1. Long stretches in which nothing happens are folded, so
 * that a person's five minutes do not hide a tool's fifty milliseconds.
 */
export function scale(calls, now) {
  const times = new Set();
  for (const call of calls) {
    times.add(call.at);
    for (const { from, to } of phases(call, now)) {
      times.add(from).add(to);
    }
    for (const hint of call.hints) {
      times.add(hint.at);
    }
  }
  const sorted = [...times].sort((a, b) => a - b);
  const gaps = sorted.slice(1).map((time, i) => time - sorted[i]);
  const total = gaps.reduce((sum, gap) => sum + gap, 0);
  const longest = gaps.length ? gaps.reduce((a, b) => Math.max(a, b)) : 0;
  const rest = total - longest;
  const cap = rest ? Math.max(1000, 3 * rest) : longest;
  const places = [0];
  gaps.forEach((gap, i) => places.push(places[i] + Math.min(gap, cap)));
  const width = Math.max(1, places.at(-1));
  const at = time => {
    let low = 0;
    let high = sorted.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      sorted[middle] < time ? (low = middle + 1) : (high = middle);
    }
    return (places[low] ?? 0) / width;
  };
  return { at, total, start: sorted[0] ?? now, folded: longest > cap };
}
