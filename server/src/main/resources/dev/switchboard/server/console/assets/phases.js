// What a call did when, and where that stands on its turn's time line. Pure.

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

/** The stretches of a call up to its end or `now`: {kind: waiting | consent | attempt | backoff | run, from, to, words}. */
export function phases(call, now) {
  const end = Math.max(call.end ?? now, call.at);
  const out = [];
  let cursor = call.at;
  let attempt = 1;
  const until = (kind, to, words) => {
    const stop = Math.min(Math.max(to, cursor), end);
    if (stop > cursor || kind === 'run') {
      out.push({ kind, from: cursor, to: stop, words });
    }
    cursor = stop;
  };
  if (call.request) {
    until('waiting', call.request.seen, 'waiting');
    until('consent', call.answer?.seen ?? end, call.answer ? `consent by ${call.answer.by}` : 'waits for consent');
  }
  let pause = false;
  for (const mark of call.marks) {
    if (mark.kind === 'attempt') {
      until(pause ? 'backoff' : 'waiting', mark.at, pause ? 'back-off' : 'waiting');
    } else {
      until('attempt', mark.at, `attempt ${mark.attempt} failed`);
      until('backoff', mark.at + mark.pauseMs, 'back-off');
      attempt = mark.attempt + 1;
    }
    pause = mark.kind === 'retry';
  }
  const idle = call.result ? ['denied', 'refused'].includes(outcome(call)) : call.request && !call.answer;
  if (!idle) {
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
  const cap = Math.max(400, 2 * (total - longest));
  const places = [0];
  const folds = [];
  gaps.forEach((gap, i) => {
    if (gap > cap) {
      folds.push(sorted[i]);
    }
    places.push(places[i] + Math.min(gap, cap));
  });
  const width = Math.max(1, places.at(-1));
  const at = time => {
    let i = sorted.length - 1;
    let low = 0;
    while (low < i) {
      const middle = (low + i + 1) >> 1;
      sorted[middle] <= time ? (low = middle) : (i = middle - 1);
    }
    const next = sorted[i + 1];
    const share = next === undefined ? 0 : Math.max(0, time - sorted[i]) / (next - sorted[i]);
    return (places[i] + share * ((places[i + 1] ?? places[i]) - places[i])) / width;
  };
  return { at, total, start: sorted[0] ?? now, folded: folds.length > 0 };
}
