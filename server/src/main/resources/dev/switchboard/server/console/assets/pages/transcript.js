// What was said, with the calls in between.

import { html, useLayoutEffect, useRef, useState } from '../vendor/htm-preact.js';
import { ApprovalCard } from '../approval.js';
import { textOf } from '../model.js';
import { outcome } from '../phases.js';
import { clock, count, duration, stopWords, telling, turnName, visible } from '../text.js';
import { Sign, Still } from '../ui.js';

export function Transcript({ model, working, requests, conversation, agent, me, jump, onAnswered }) {
  const box = useRef();
  const atEnd = useRef(true);
  const scrolled = () => {
    const { scrollHeight, scrollTop, clientHeight } = box.current;
    atEnd.current = scrollHeight - scrollTop - clientHeight < 60;
  };
  useLayoutEffect(() => {
    if (atEnd.current) {
      box.current.scrollTop = box.current.scrollHeight;
    }
  });
  return html`<div class="said" ref=${box} onScroll=${scrolled} tabindex="0" role="group" aria-label="What was said">
    ${model.turns.map(turn => html`<${Still} of=${Turn} key=${turn.key} turn=${turn} requests=${anyOpen(turn, model) ? requests : null}
      ...${{ conversation, agent, me, jump, onAnswered }} calls=${callsOf(turn, model)} />`)}
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

function Turn({ turn, calls, requests, conversation, agent, me, jump, onAnswered }) {
  const byId = new Map(calls.map(call => [call.id, call]));
  const blocks = group(turn.items);
  return html`<article class="turn" aria-label=${turnName(turn)}>
    ${blocks.map((block, i) => block.calls
      ? html`<${Calls} key=${i} calls=${block.calls.map(id => byId.get(id))} ...${{ requests, conversation, agent, me, jump, onAnswered }} />`
      : html`<${Said} key=${i} item=${block} />`)}
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

function Said({ item }) {
  if (item.kind === 'note') {
    return html`<p class=${'note ' + item.tone}>${visible(item.text)}${item.detail && html` <span class="mono">${visible(item.detail)}</span>`}</p>`;
  }
  const user = item.kind === 'user';
  return html`<div class=${'said-by ' + item.kind}><p class="speaker">${user ? 'User' : 'Agent'} <time class="quiet">${clock(item.at)}</time></p>
    <p class="words" dir="auto">${user ? item.text : textOf(item)}</p></div>`;
}

const FOLDED = 8;

function Calls({ calls, requests, conversation, agent, me, jump, onAnswered }) {
  const [all, setAll] = useState(false);
  const asking = calls.filter(call => call.request && (!call.answer || call.result === undefined));
  const folded = !all && calls.length > FOLDED;
  const shown = folded ? calls.slice(-FOLDED / 2) : calls;
  return html`${folded && html`<button type="button" class="fold" onClick=${() => setAll(true)}>${count(calls.length - shown.length, 'earlier call')}</button>`}
    <ul class="chips">${shown.map(call => html`<li key=${call.id}><${Chip} call=${call} jump=${jump} /></li>`)}</ul>
    ${asking.map(call => html`<${Asking} key=${call.id} ...${{ call, conversation, agent, me, onAnswered }} request=${requests?.get(call.id)} />`)}`;
}

function Chip({ call, jump }) {
  const state = outcome(call);
  return html`<button type="button" class="chip" onClick=${() => jump(call.id)}>
    <${Sign} kind=${state}><span class="mono">${visible(call.name)}</span><//> <span class="quiet arg">${telling(call.arguments)}</span>
    <span class="quiet">${state === 'ok' ? '' : state}${call.end ? ' ' + duration(call.end - call.at) : ''}</span></button>`;
}

function Asking({ call, conversation, agent, me, request, onAnswered }) {
  const full = {
    ...call.request, ...request, id: `${conversation}:${call.request.id}`, conversation, agent,
    status: call.answer ? 'answered' : 'pending', answer: call.answer,
  };
  const [inside, setInside] = useState(false);
  if (me.role === 'chat') {
    return html`<p class="note">${visible(call.request.reason)} Someone who may approve has to answer.</p>`;
  }
  return html`<div class="inline-ask" onfocusin=${() => setInside(true)} onfocusout=${() => setInside(false)}>
    <h3>May <span class="mono">${visible(call.name)}</span> run?</h3>
    <${ApprovalCard} key=${full.id} request=${full} keys=${inside} onAnswered=${onAnswered} /></div>`;
}
