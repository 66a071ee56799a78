import { html, useLayoutEffect, useMemo, useRef, useState } from '../vendor/htm-preact.js';
import { isObject, now as serverTime, parse, path, post } from '../api.js';
import { ApprovalCard, faultWords } from '../editor.js';
import { given, outcome, phases, scale, textOf, took } from '../model.js';
import { answerWords, clock, count, duration, pretty, prettyText, stopWords, telling, turnName, visible } from '../text.js';
import { announce, Code, Diff, Sign, Still, Trouble, useNow } from '../ui.js';

// Keeps a box scrolled to its end, once it is there.
function useEnd(wanted) {
  const ref = useRef();
  const there = useRef(true);
  useLayoutEffect(() => {
    if (there.current && wanted) {
      ref.current.scrollTop = ref.current.scrollHeight;
    }
  });
  const onScroll = ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
    there.current = scrollHeight - scrollTop - clientHeight < 60;
  };
  return { ref, onScroll };
}

const STEP = 100;

// Of a long list only its end is drawn, and more of it when it is asked for: how many are left out, and the button that
// asks. `wanted` is the place of one that is drawn in any case.
function useEarlier(total, word, wanted = total) {
  const [steps, setSteps] = useState(2);
  const hidden = Math.max(0, STEP * Math.min(Math.ceil(total / STEP) - steps, Math.floor(wanted / STEP)));
  return [hidden, hidden > 0 && html`<button type="button" class="fold" onClick=${() => setSteps(steps + 3)}>${count(hidden, word)}</button>`];
}

export function Transcript({ model, working, requests, conversation, agent, jump, onAnswered }) {
  const [hidden, earlier] = useEarlier(model.turns.length, 'earlier turn');
  return html`<div class="said" ...${useEnd(true)} tabindex="0" role="group" aria-label="What was said">${earlier}
    ${model.turns.slice(hidden).map(turn => html`<${Still} of=${Said} key=${turn.key} turn=${turn} requests=${anyOpen(turn, model) ? requests : null}
      ...${{ conversation, agent, jump, onAnswered }} calls=${callsOf(turn, model)} />`)}
    ${working && html`<p class="quiet working"><span class="unseen">The agent is </span>working…</p>`}
  </div>`;
}

const anyOpen = (turn, model) => turn.calls.some(id => model.calls.get(id).request);

// The same array for the same turn, so that a turn that did not change is not drawn.
const kept = new WeakMap();
function callsOf(turn, model) {
  if (!kept.has(turn)) {
    kept.set(turn, turn.calls.map(id => model.calls.get(id)));
  }
  return kept.get(turn);
}

function Said({ turn, calls, requests, conversation, agent, jump, onAnswered }) {
  const byId = new Map(calls.map(call => [call.id, call]));
  const blocks = group(turn.items);
  return html`<article class="turn" aria-label=${turnName(turn)}>
    ${blocks.map((block, i) => block.calls
      ? html`<${Calls} key=${i} calls=${block.calls.map(id => byId.get(id))} ...${{ requests, conversation, agent, jump, onAnswered }} />`
      : html`<${Words} key=${i} item=${block} />`)}
    ${turn.end && turn.stop !== 'end_turn' && html`<p class="note">${stopWords[turn.stop] ?? visible(turn.stop)}${turn.unmet && ` · not met: ${turn.unmet.map(visible).join(', ')}`}</p>`}
  </article>`;
}

function group(items) {
  const blocks = [];
  for (const item of items) {
    if (item.kind !== 'call') {
      blocks.push(item);
    } else if (blocks.at(-1)?.calls) {
      blocks.at(-1).calls.push(item.id);
    } else {
      blocks.push({ calls: [item.id] });
    }
  }
  return blocks;
}

function Words({ item }) {
  if (item.kind === 'note') {
    return html`<p class=${'note ' + item.tone}>${visible(item.text)}${item.detail && html` <span class="mono">${visible(item.detail)}</span>`}</p>`;
  }
  const user = item.kind === 'user';
  return html`<div class=${'said-by ' + item.kind}><p class="speaker">${user ? 'User' : 'Agent'} <time class="quiet">${clock(item.at)}</time></p>
    <p class="words" dir="auto">${user ? item.text : textOf(item)}</p></div>`;
}

const FOLDED = 8;

function Calls({ calls, requests, conversation, agent, jump, onAnswered }) {
  const [all, setAll] = useState(false);
  const asking = calls.filter(call => call.request && (!call.answer || call.result === undefined));
  const folded = !all && calls.length > FOLDED;
  const shown = folded ? calls.slice(-FOLDED / 2) : calls;
  return html`${folded && html`<button type="button" class="fold" onClick=${() => setAll(true)}>${count(calls.length - shown.length, 'earlier call')}</button>`}
    <ul class="chips">${shown.map(call => html`<li key=${call.id}><${Chip} call=${call} jump=${jump} /></li>`)}</ul>
    ${asking.map(call => html`<${Asking} key=${call.id} ...${{ call, conversation, agent, onAnswered }} request=${requests?.get(call.id)} />`)}`;
}

function Chip({ call, jump }) {
  const state = outcome(call);
  return html`<button type="button" class="chip" onClick=${() => jump(call.id)}>
    <${Sign} kind=${state}><span class="mono">${visible(call.name)}</span><//> <span class="quiet arg">${telling(given(call))}</span>
    <span class="quiet">${state === 'ok' ? '' : state}${call.end ? ' ' + duration(took(call)) : ''}</span></button>`;
}

function Asking({ call, conversation, agent, request, onAnswered }) {
  const full = {
    ...call.request, id: `${conversation}:${call.request.id}`, ...request, conversation, agent,
    status: call.answer ? 'answered' : 'pending', answer: call.answer,
  };
  const [inside, setInside] = useState(false);
  return html`<div class="inline-ask" onfocusin=${() => setInside(true)} onfocusout=${() => setInside(false)}>
    <h3>May <span class="mono">${visible(call.name)}</span> run?</h3>
    <${ApprovalCard} key=${full.id} request=${full} keys=${inside} onAnswered=${onAnswered} /></div>`;
}

const LEGEND = [['waiting', 'waiting'], ['consent', 'consent'], ['attempt', 'failed attempt'], ['backoff', 'back-off'], ['run', 'run']];

export function TimeLine({ model, shown, choose, conversation, agent }) {
  const place = [...model.calls.keys()].indexOf(shown);
  const [hidden, earlier] = useEarlier(model.calls.size, 'earlier call', place < 0 ? undefined : place);
  let before = 0;
  const lanes = model.turns.map(turn => {
    const skip = Math.max(0, hidden - before);
    before += turn.calls.length;
    return before > hidden && html`<${Still} of=${Lane} key=${turn.key} turn=${turn} mine=${callsOf(turn, model)} skip=${skip}
      shown=${turn.calls.includes(shown) ? shown : null} ...${{ choose, conversation, agent }} />`;
  });
  return html`<ul class="legend" aria-label="What the bars mean">${LEGEND.map(([kind, words]) =>
      html`<li key=${kind}><span class=${'swatch ' + kind} aria-hidden="true"></span>${words}</li>`)}
      <li><span class="swatch tick" aria-hidden="true"></span>progress</li></ul>
    <div class="lanes" ...${useEnd(!shown)}>${earlier}${lanes}</div>`;
}

function Lane({ turn, mine, skip, shown, choose, conversation, agent }) {
  const open = mine.some(call => !call.result);
  const ticking = useNow(open ? (mine.length > 200 ? 1000 : 250) : 0);
  const time = open ? Math.max(ticking, serverTime()) : 0;
  const axis = useMemo(() => scale(mine, time), [turn, time]);
  return html`<section class="lane" aria-label=${turnName(turn)}>
    <header><h3>${turnName(turn)}</h3><span class="quiet">${clock(axis.start)} · ${count(mine.length, 'call')} · ${duration(axis.total)}${axis.folded ? ' (long waits not to scale)' : ''}${turn.stop ? ` · ${stopWords[turn.stop] ?? visible(turn.stop)}` : ''}</span></header>
    <ol>${mine.slice(skip).map(call => html`<${Still} of=${Row} key=${call.id} call=${call} axis=${axis} now=${call.result ? 0 : time} open=${shown === call.id} ...${{ choose, conversation, agent }} />`)}</ol>
  </section>`;
}

const LEAST = 0.6;

function Row({ call, axis, now, open, choose, conversation, agent }) {
  const state = outcome(call);
  const parts = phases(call, now);
  const place = time => axis.at(time) * 100;
  return html`<li class=${open ? 'open' : ''}>
    <button type="button" id=${'row-' + call.id} class=${'call-row' + (call.auto ? ' auto' : '')} aria-expanded=${open} onClick=${() => choose(call.id)}>
      <span class="label"><${Sign} kind=${state}><span class="mono">${visible(call.name)}</span><//> <span class="quiet arg">${telling(given(call))}</span></span>
      <span class="track" aria-hidden="true">
        ${parts.map((part, i) => {
          const left = Math.min(place(part.from), 100 - LEAST);
          return html`<span key=${i} class=${`bar ${part.kind} ${state}`} title=${`${part.words}, ${duration(part.to - part.from)}`}
            style=${{ left: left + '%', width: Math.max(LEAST, place(part.to) - left) + '%' }}></span>`;
        })}
        ${!parts.length && html`<span class=${'bar stop ' + state} style=${{ left: Math.min(place(call.at), 100 - LEAST) + '%' }}></span>`}
        ${call.hints.map((hint, i) => html`<span key=${'h' + i} class=${'hint-tick ' + hint.kind} title=${visible(hint.text)} style=${{ left: place(hint.at) + '%' }}></span>`)}
      </span>
      <span class="took">${state === 'ok' ? '' : html`<span class="word">${state}</span> `}${duration(took(call, now))}</span>
    </button>
    ${open && html`<${Details} call=${call} now=${now} conversation=${conversation} agent=${agent} />`}
  </li>`;
}

function Details({ call, now, conversation, agent }) {
  const { result = {} } = call;
  const state = outcome(call);
  const preview = isObject(result.data) ? result.data.preview : undefined;
  return html`<div class="details">
    <p class="facts"><${Sign} kind=${state}>${state}<//>
      ${call.mode && html`<span class=${'mode ' + call.mode}>${call.mode}</span>`}
      ${call.auto && html`<span>made by the runtime or another tool</span>`}
      <span class="mono quiet">${visible(call.id)}</span> <span class="quiet">${clock(call.at)}</span></p>
    ${result.violation && html`<p><strong>Refused by a rule</strong> <code>${visible(result.violation)}</code></p>`}
    ${result.error && html`<p class="error-words">${visible(result.error)}</p>`}
    ${result.message && html`<p>${visible(result.message)}</p>`}
    ${result.faults?.length > 0 && html`<h4>Faults of the arguments</h4><ul>${result.faults.map((fault, i) => html`<li key=${i} class="fault">${faultWords(fault)}</li>`)}</ul>`}
    ${call.answer && html`<p>${answerWords(call.answer)} at ${clock(call.answer.seen)}${call.answer.reason && `: “${visible(call.answer.reason)}”`}</p>`}
    <h4>Arguments${call.answer?.arguments && ', as approved'}</h4>
    ${call.answer?.arguments
      ? html`<${Diff} before=${pretty(call.arguments)} after=${pretty(call.answer.arguments)} label="Edited arguments" />`
      : html`<${Code} text=${pretty(call.arguments)} label="Arguments" />`}
    ${call.result && html`<h4>What the model read${result.truncated && ', cut'}</h4><${Code} text=${prettyText(result.text ?? '', parse)} label="What the model read" />`}
    ${preview !== undefined && html`<h4>Change</h4><${Preview} preview=${preview} />`}
    <${Undo} undo=${isObject(result.data) ? result.data.undo : undefined} ...${{ conversation, agent }} />
    <${Course} call=${call} now=${now} />
  </div>`;
}

const Preview = ({ preview }) => isObject(preview)
  ? html`<${Diff} before=${String(preview.before ?? '')} after=${String(preview.after ?? '')} label="Change" />`
  : html`<${Code} text=${visible(preview)} label="Change" />`;

function Course({ call, now }) {
  const parts = phases(call, now);
  return html`<h4>Course</h4><ol class="course">
    ${parts.map((part, i) => html`<li key=${i}><span class=${'swatch ' + part.kind} aria-hidden="true"></span>${visible(part.words)} <span class="quiet">${duration(part.to - part.from)}</span>${part.cause && html` <span class="error-words">${visible(part.cause)}</span>`}</li>`)}
    ${!parts.length && html`<li>never ran</li>`}</ol>
    ${call.hints.length > 0 && html`<h4>Progress</h4><ul>${call.hints.map((hint, i) => html`<li key=${i}><span class="quiet">+${duration(hint.at - call.at)}</span> ${visible(hint.text)} ${hint.kind === 'reassurance' && html`<span class="quiet">(reassurance)</span>`}</li>`)}</ul>`}`;
}

const undone = result => !result ? 'It waits for approval.' : result.success ? 'Undone.' : visible(result.error ?? 'It failed.');

// The button that takes the tool's change back, by a call of its own.
function Undo({ undo, conversation, agent }) {
  const [state, setState] = useState({});
  if (!isObject(undo) || typeof undo.name !== 'string' || !agent) {
    return null;
  }
  const run = async () => {
    setState({ busy: true });
    try {
      const { result } = await post(path('v1', 'agents', agent, 'tools', undo.name, 'calls'), { arguments: undo.arguments ?? {}, conversation });
      setState({ result });
      announce(undone(result));
    } catch (problem) {
      setState({ problem });
    }
  };
  return html`<h4>Undo</h4>
    <p>Calls <span class="mono">${visible(undo.name)}</span> with</p><${Code} text=${pretty(undo.arguments ?? {})} label="Arguments of the undo" />
    <p><button type="button" disabled=${state.busy} onClick=${run}>Undo this change</button>
      ${'result' in state && html` <${Sign} kind=${!state.result ? 'waiting' : state.result.success ? 'ok' : 'failed'}>${undone(state.result)}<//>`}</p>
    <${Trouble} problem=${state.problem} />`;
}
