// All that is known of one call.

import { html, useState } from '../vendor/htm-preact.js';
import { isObject, parse, path, post } from '../api.js';
import { faultWords } from '../editor.js';
import { outcome, phases } from '../phases.js';
import { answerWords, clock, duration, pretty, prettyText, visible } from '../text.js';
import { announce, Code, Diff, Sign, Trouble } from '../ui.js';

export function Details({ call, now, conversation, agent }) {
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
  const retries = call.marks.filter(mark => mark.kind === 'retry');
  return html`<h4>Course</h4><ol class="course">
    ${parts.map((part, i) => html`<li key=${i}><span class=${'swatch ' + part.kind} aria-hidden="true"></span>${visible(part.words)} <span class="quiet">${duration(part.to - part.from)}</span></li>`)}
    ${!parts.length && html`<li>never ran</li>`}</ol>
    ${retries.length > 0 && html`<ul>${retries.map((mark, i) => html`<li key=${i}>Attempt ${mark.attempt}: <span class="error-words">${visible(mark.cause)}</span></li>`)}</ul>`}
    ${call.hints.length > 0 && html`<h4>Progress</h4><ul>${call.hints.map((hint, i) => html`<li key=${i}><span class="quiet">+${duration(hint.at - call.at)}</span> ${visible(hint.text)} ${hint.kind === 'reassurance' && html`<span class="quiet">(reassurance)</span>`}</li>`)}</ul>`}`;
}

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
      announce(result.success ? 'Undone.' : 'The undo failed.');
    } catch (problem) {
      setState({ problem });
    }
  };
  return html`<h4>Undo</h4>
    <p>Calls <span class="mono">${visible(undo.name)}</span> with</p><${Code} text=${pretty(undo.arguments ?? {})} label="Arguments of the undo" />
    <p><button type="button" disabled=${state.busy} onClick=${run}>Undo this change</button>
      ${state.result && html` <${Sign} kind=${state.result.success ? 'ok' : 'failed'}>${state.result.success ? 'Undone' : visible(state.result.error ?? 'It failed')}<//>`}</p>
    <${Trouble} problem=${state.problem} />`;
}
