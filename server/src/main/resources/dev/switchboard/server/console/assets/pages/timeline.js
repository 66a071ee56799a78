// The time line: a bar for each call, turn by turn.

import { html, useLayoutEffect, useMemo, useRef } from '../vendor/htm-preact.js';
import { now as serverTime } from '../api.js';
import { outcome, phases, scale } from '../phases.js';
import { clock, count, duration, stopWords, telling, turnName, visible } from '../text.js';
import { Sign, Still, useNow } from '../ui.js';
import { Details } from './details.js';

const LEGEND = [['waiting', 'waiting'], ['consent', 'consent'], ['attempt', 'failed attempt'], ['backoff', 'back-off'], ['run', 'run']];

export function TimeLine({ model, shown, choose, conversation, agent }) {
  const turns = model.turns.filter(turn => turn.calls.length);
  const box = useRef();
  const atEnd = useRef(true);
  const scrolled = () => {
    const { scrollHeight, scrollTop, clientHeight } = box.current;
    atEnd.current = scrollHeight - scrollTop - clientHeight < 60;
  };
  useLayoutEffect(() => {
    if (atEnd.current && !shown) {
      box.current.scrollTop = box.current.scrollHeight;
    }
  });
  return html`<ul class="legend" aria-label="What the bars mean">${LEGEND.map(([kind, words]) =>
      html`<li key=${kind}><span class=${'swatch ' + kind} aria-hidden="true"></span>${words}</li>`)}
      <li><span class="swatch tick" aria-hidden="true"></span>progress</li></ul>
    <div class="lanes" ref=${box} onScroll=${scrolled}>${turns.map(turn => html`<${Still} of=${Turn} key=${turn.key} turn=${turn} calls=${model.calls}
      shown=${turn.calls.includes(shown) ? shown : null} ...${{ choose, conversation, agent }} />`)}</div>`;
}

function Turn({ turn, calls, shown, choose, conversation, agent }) {
  const mine = turn.calls.map(id => calls.get(id));
  const open = mine.some(call => !call.result);
  const ticking = useNow(open ? (mine.length > 200 ? 1000 : 250) : 0);
  const time = open ? Math.max(ticking, serverTime()) : 0;
  const axis = useMemo(() => scale(mine, time), [turn, time]);
  return html`<section class="lane" aria-label=${turnName(turn)}>
    <header><h3>${turnName(turn)}</h3><span class="quiet">${clock(axis.start)} · ${count(mine.length, 'call')} · ${duration(axis.total)}${axis.folded ? ', long waits shortened' : ''}${turn.stop ? ` · ${stopWords[turn.stop] ?? visible(turn.stop)}` : ''}</span></header>
    <ol>${mine.map(call => html`<${Still} of=${Row} key=${call.id} call=${call} axis=${axis} now=${call.result ? 0 : time} open=${shown === call.id} ...${{ choose, conversation, agent }} />`)}</ol>
  </section>`;
}

const LEAST = 0.6;

function Row({ call, axis, now, open, choose, conversation, agent }) {
  const state = outcome(call);
  const took = duration((call.end ?? now) - call.at);
  const parts = phases(call, now);
  const place = time => axis.at(time) * 100;
  const args = telling(call.arguments);
  const depth = call.auto ? ' auto' : '';
  return html`<li class=${open ? 'open' : ''}>
    <button type="button" id=${'row-' + call.id} class=${'call-row' + depth} aria-expanded=${open} onClick=${() => choose(call.id)}>
      <span class="label"><${Sign} kind=${state}><span class="mono">${visible(call.name)}</span><//> <span class="quiet arg">${args}</span></span>
      <span class="track" aria-hidden="true">
        ${parts.map((part, i) => {
          const left = Math.min(place(part.from), 100 - LEAST);
          return html`<span key=${i} class=${`bar ${part.kind} ${state}`} title=${`${part.words}, ${duration(part.to - part.from)}`}
            style=${{ left: left + '%', width: Math.max(LEAST, place(part.to) - left) + '%' }}></span>`;
        })}
        ${!parts.length && html`<span class=${'bar stop ' + state} style=${{ left: Math.min(place(call.at), 100 - LEAST) + '%' }}></span>`}
        ${call.hints.map((hint, i) => html`<span key=${'h' + i} class=${'hint-tick ' + hint.kind} title=${visible(hint.text)} style=${{ left: place(hint.at) + '%' }}></span>`)}
      </span>
      <span class="took">${state === 'ok' ? '' : html`<span class="word">${state}</span> `}${took}</span>
    </button>
    ${open && html`<${Details} call=${call} now=${now} conversation=${conversation} agent=${agent} />`}
  </li>`;
}
