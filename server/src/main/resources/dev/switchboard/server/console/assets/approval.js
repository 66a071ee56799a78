// A request for consent, to be read, edited and answered.

import { html, useEffect, useLayoutEffect, useRef, useState } from './vendor/htm-preact.js';
import { path, post } from './api.js';
import { ArgumentsEditor, useArguments } from './editor.js';
import { useKeys } from './keys.js';
import { answerWords, clock, pretty, visible } from './text.js';
import { announce, Code, Countdown, Diff, Sign, Trouble } from './ui.js';

const SCOPES = [['once', 'this once'], ['10m', 'for 10 minutes'], ['1h', 'for 1 hour'], ['24h', 'for 1 day'], ['always', 'for always']];

/**
 * The card of a request: {id, conversation, agent, call, mode, reason, scope?, expiresAt, schema, status, answer?}.
 *
 * @param keys whether a, e and d answer it
 * @param timed whether it says how much time is left
 * @param onAnswered gets the answer
 */
export function ApprovalCard({ request, keys, timed = true, onAnswered, children }) {
  const [mood, setMood] = useState('read');
  const [scope, setScope] = useState('once');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(null);
  const state = useArguments(request.call.arguments);
  const root = useRef();
  const id = 'ask-' + request.id.replace(/\W/g, '_');
  const open = request.status === 'pending' && !request.answer;
  const edited = pretty(state.value) !== pretty(request.call.arguments);

  async function answer(decision, more) {
    if (busy || !open) {
      return;
    }
    if (state.fault && decision !== 'deny') {
      setMood('edit');
      return;
    }
    setBusy(true);
    setProblem(null);
    try {
      const given = await post(path('v1', 'approvals', request.id), { decision, ...more });
      const kept = { arguments: more.arguments, reason: more.reason, ...given };
      announce(answerWords(kept));
      onAnswered(kept);
      root.current?.focus();
    } catch (failed) {
      if (failed.code === 'already_answered') {
        onAnswered(failed.body);
      }
      setProblem(failed);
      if (failed.body?.faults) {
        setMood('edit');
      }
    }
    setBusy(false);
  }

  const approve = () => answer(scope === 'always' ? 'approve_always' : 'approve', {
    ...(edited && { arguments: state.value }), ...(!['once', 'always'].includes(scope) && { for: scope }),
  });
  const edit = () => setMood(mood === 'edit' ? 'read' : 'edit');
  const deny = () => setMood('deny');
  const leave = event => {
    if (event.key === 'Escape' && mood !== 'read') {
      event.preventDefault();
      setMood('read');
      root.current.focus();
    }
  };

  useKeys(keys && open ? 'The selected request' : '', keys && open ? {
    a: ['Approve it', approve], e: ['Edit its arguments', edit], d: ['Deny it, with a reason', deny],
  } : {});
  useLayoutEffect(() => {
    if (mood !== 'read') {
      root.current.querySelector(mood === 'deny' ? '.deny input' : '.editor input, .editor select, .editor textarea')?.focus();
    }
  }, [mood]);

  return html`<div class=${'card ask ' + (open ? 'open' : 'closed')} ref=${root} tabindex="-1" role="group" onKeyDown=${leave} aria-label=${'Request to run ' + visible(request.call.name)}>
    <p class="reason">${visible(request.reason)}</p>
    <p class="facts"><${Sign} kind=${'mode ' + request.mode}>${request.mode}<//>
      ${request.scope && html`<span>scope <b>${visible(request.scope)}</b></span>`}
      <span class="mono quiet">${visible(request.call.id)}</span></p>
    ${mood === 'edit' && open
      ? html`<${ArgumentsEditor} state=${state} schema=${request.schema ?? {}} original=${request.call.arguments} id=${id} faults=${problem?.body?.faults} />`
      : edited && open
        ? html`<${Diff} before=${pretty(request.call.arguments)} after=${pretty(state.value)} label="Edited arguments" />`
        : request.answer?.arguments
          ? html`<${Diff} before=${pretty(request.call.arguments)} after=${pretty(request.answer.arguments)} label="Arguments as approved" />`
          : html`<${Code} text=${pretty(request.call.arguments)} label="Arguments" />`}
    ${children}
    ${problem && !(problem.code === 'already_answered' && request.answer) && html`<${Trouble} problem=${problem} />`}
    ${open ? html`<${Actions} ...${{ mood, setMood, scope, setScope, busy, edited, approve, edit, answer }} id=${id} expiresAt=${timed && request.expiresAt} />` : html`<${Outcome} answer=${request.answer} />`}
  </div>`;
}

function Actions({ mood, setMood, scope, setScope, busy, edited, approve, edit, answer, id, expiresAt }) {
  const [reason, setReason] = useState('');
  if (mood === 'deny') {
    return html`<form class="deny actions" onSubmit=${event => { event.preventDefault(); answer('deny', reason.trim() ? { reason: reason.trim() } : {}); }}
        >
      <label for=${id + '-reason'}>Reason, which the model is told</label>
      <input id=${id + '-reason'} type="text" maxlength="2000" autocomplete="off" value=${reason} onInput=${event => setReason(event.target.value)} />
      <button type="submit" class="danger" disabled=${busy}>Deny</button>
      <button type="button" onClick=${() => setMood('read')}>Back</button>
    </form>`;
  }
  return html`<div class="actions">
    <span class="joined"><button type="button" class="primary" disabled=${busy} aria-keyshortcuts="a" onClick=${approve}>${edited ? 'Approve edited' : 'Approve'}</button>
      <select aria-label="How long the approval holds" value=${scope} onChange=${event => setScope(event.target.value)}>
        ${SCOPES.map(([value, words]) => html`<option key=${value} value=${value} selected=${value === scope}>${words}</option>`)}</select></span>
    <button type="button" aria-keyshortcuts="e" aria-pressed=${mood === 'edit'} onClick=${edit}>${mood === 'edit' ? 'Close the editor' : 'Edit'}</button>
    <button type="button" aria-keyshortcuts="d" onClick=${() => setMood('deny')}>Deny…</button>
    ${expiresAt && html`<${Countdown} until=${Date.parse(expiresAt)} />`}
  </div>`;
}

function Outcome({ answer }) {
  return html`<p class="outcome">${answer
    ? html`<${Sign} kind=${answer.decision === 'deny' ? 'denied' : 'ok'}>${answerWords(answer)}<//>
      ${answer.at && html` <span class="quiet">at ${clock(Date.parse(answer.at))}</span>`}
      ${answer.reason && html` <span>“${visible(answer.reason)}”</span>`}`
    : html`<${Sign} kind="idle">No longer open<//>`}</p>`;
}
