// Arguments to be edited, and requests to run a call with them.

import { html, useLayoutEffect, useRef, useState } from './vendor/htm-preact.js';
import { isNumber, isObject, parse, path, post } from './api.js';
import { useKeys } from './router.js';
import { answerWords, clock, pretty, visible } from './text.js';
import { announce, Code, Countdown, Diff, Sign, Trouble } from './ui.js';

/** The state of an editor: {value, text, fault, setValue, setText}; `fault` where the text is not an object of JSON. */
export function useArguments(initial) {
  const [state, setState] = useState(() => ({ value: initial, text: pretty(initial), fault: '' }));
  return {
    ...state,
    setValue: value => setState({ value, text: pretty(value), fault: '' }),
    setText: text => setState(old => {
      try {
        const value = parse(text);
        return isObject(value)
          ? { value, text, fault: '' }
          : { ...old, text, fault: 'Arguments have to be an object, such as {"name": "Ada"}.' };
      } catch (wrong) {
        return { ...old, text, fault: `Not JSON: ${wrong.message}` };
      }
    }),
  };
}

/** The form, the JSON and, where there is an original, the difference from it. */
export function ArgumentsEditor({ state, schema, original, faults = [], id }) {
  const stray = faults.filter(fault => fault.pointer === '');
  return html`<div class="editor">
    <div class="sides">
      <div role="group" aria-label="As a form"><p class="minor">Form</p>
        <${ObjectFields} schema=${schema} root=${schema} value=${state.value} pointer="" id=${id} faults=${faults} onChange=${state.setValue} />
        ${stray.map(fault => html`<p class="fault">${faultWords(fault)}</p>`)}
      </div>
      <div role="group" aria-label="As JSON"><p class="minor"><label for=${id + '-json'}>JSON</label></p>
        <textarea id=${id + '-json'} class="code" spellcheck=${false} rows=${Math.min(24, state.text.split('\n').length + 1)}
          value=${state.text} aria-invalid=${state.fault ? 'true' : 'false'} aria-describedby=${id + '-fault'}
          onInput=${event => state.setText(event.target.value)}></textarea>
        <p id=${id + '-fault'} class="fault" aria-live="polite">${state.fault}</p>
      </div>
    </div>
    ${original !== undefined && pretty(original) !== pretty(state.value) && html`<div><p class="minor">Your change</p>
      <${Diff} before=${pretty(original)} after=${pretty(state.value)} label="Difference from the arguments of the call" /></div>`}
  </div>`;
}

/** A fault of arguments in a sentence. */
export const faultWords = fault =>
  visible(`${fault.pointer || 'The whole'}: expected ${fault.expected}, found ${fault.found}`);

function ObjectFields({ schema, root, value, pointer, id, faults, onChange }) {
  const object = isObject(value) ? value : {};
  const properties = isObject(schema?.properties) ? schema.properties : {};
  const names = [...new Set([...Object.keys(properties), ...Object.keys(object)])];
  if (!names.length) {
    return html`<p class="quiet">No arguments.</p>`;
  }
  const set = (name, next) => {
    const copy = { ...object, [name]: next };
    if (next === undefined) {
      delete copy[name];
    }
    onChange(copy);
  };
  const known = name => properties[name] ?? (isObject(schema?.additionalProperties) && schema.additionalProperties);
  return names.map(name => html`<${Field} key=${name} name=${name} root=${root} known=${known(name)} ...${resolve(known(name) || like(object[name]), root)}
    value=${Object.hasOwn(object, name) ? object[name] : undefined} required=${schema?.required?.includes?.(name) ?? false}
    pointer=${pointer + '/' + name.replaceAll('~', '~0').replaceAll('/', '~1')} id=${id + '-' + name.replace(/\W/g, '_')}
    faults=${faults} onChange=${next => set(name, next)} />`);
}

// The schema of an argument that none speaks of.
function like(value) {
  const type = typeof value === 'string' ? 'string' : isNumber(value) ? 'number' : typeof value === 'boolean' ? 'boolean' : undefined;
  return type && { type };
}

// What a schema comes to once references and "or null" are looked through: {schema, nullable, type}.
function resolve(schema, root, depth = 0) {
  if (!isObject(schema) || depth > 10) {
    return { schema: {}, nullable: false };
  }
  if (typeof schema.$ref === 'string' && schema.$ref.startsWith('#/')) {
    const target = schema.$ref.slice(2).split('/')
      .reduce((at, part) => at?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], root);
    return resolve({ ...target, ...schema, $ref: undefined }, root, depth + 1);
  }
  const union = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(union)) {
    const rest = union.filter(one => one?.type !== 'null');
    if (rest.length === 1) {
      return { ...resolve({ ...schema, anyOf: undefined, oneOf: undefined, ...rest[0] }, root, depth + 1), nullable: rest.length < union.length };
    }
    return { schema, nullable: false };
  }
  const types = [schema.type].flat().filter(type => type !== 'null');
  return { schema, type: types.length === 1 ? types[0] : undefined, nullable: [schema.type].flat().includes('null') };
}

function Field(props) {
  const { name, known, schema, type, value, required, pointer, id, faults, onChange, root } = props;
  const mine = faults.filter(fault => fault.pointer === pointer);
  const hint = [schema.description, schema.format && `(${schema.format})`].filter(Boolean).join(' ');
  const describe = { id, 'aria-describedby': `${id}-hint`, 'aria-invalid': mine.length ? 'true' : 'false' };
  const below = html`<p id=${id + '-hint'} class=${mine.length ? 'fault' : 'hint'}>${
    mine.length ? mine.map(faultWords).join('; ') : visible(hint)}</p>`;
  const label = html`<span class="name">${visible(name)}${!required && html`<span class="quiet"> ${known ? 'optional' : 'not in the schema'}</span>`}</span>`;
  if (type === 'object' && isObject(schema.properties) && (value === undefined || isObject(value))) {
    return html`<fieldset><legend>${label}</legend>
      <${ObjectFields} schema=${schema} root=${root} value=${value} pointer=${pointer} id=${id} faults=${faults} onChange=${onChange} />
      ${(mine.length > 0 || hint) && below}</fieldset>`;
  }
  return html`<div class="field"><label for=${id}>${label}</label><${Control} ...${props} describe=${describe} />${below}</div>`;
}

function Control({ schema, type, nullable, value, required, describe, onChange }) {
  if (Array.isArray(schema.enum)) {
    return html`<${Options} values=${schema.enum} value=${value} required=${required} describe=${describe} onChange=${onChange} />`;
  }
  if (type === 'boolean') {
    return html`<${Options} values=${nullable ? [true, false, null] : [true, false]} value=${value} required=${required} describe=${describe} onChange=${onChange} />`;
  }
  const empty = () => required ? (nullable ? null : '') : undefined;
  if (['string', 'integer', 'number'].includes(type)) {
    // A value of another type is shown as its JSON.
    const text = typeof value === 'string' ? value : JSON.stringify(value ?? undefined) ?? '';
    const read = type === 'string' ? String : number;
    const input = event => onChange(event.target.value === '' ? empty() : read(event.target.value));
    return text.length > 60 || text.includes('\n')
      ? html`<textarea ...${describe} rows="4" value=${text} onInput=${input}></textarea>`
      : html`<input ...${describe} type="text" inputmode=${{ integer: 'numeric', number: 'decimal' }[type]} autocomplete="off" value=${text} onInput=${input} />`;
  }
  return html`<${JsonField} value=${value} describe=${describe} onChange=${onChange} />`;
}

// What is typed as a number, or the text where it is none: the server says what is wrong with it.
function number(text) {
  try {
    const value = parse(text);
    return isNumber(value) && JSON.stringify(value) === text ? value : text;
  } catch {
    return text;
  }
}

function Options({ values, value, required, describe, onChange }) {
  const words = option => typeof option === 'string' ? visible(option) : JSON.stringify(option);
  const index = values.findIndex(option => option === value);
  const odd = value !== undefined && index < 0;
  return html`<select ...${describe} onChange=${event => onChange(event.target.value === '' ? undefined : values[Number(event.target.value)])}>
    ${(!required || value === undefined) && html`<option value="" selected=${value === undefined}>(not given)</option>`}
    ${odd && html`<option value="odd" selected disabled>${words(value)}</option>`}
    ${values.map((option, i) => html`<option key=${i} value=${i} selected=${i === index}>${words(option)}</option>`)}
  </select>`;
}

function JsonField({ value, describe, onChange }) {
  const [draft, setDraft] = useState(null);
  const input = event => {
    const text = event.target.value;
    try {
      onChange(text.trim() ? parse(text) : undefined);
      setDraft({ text });
    } catch {
      setDraft({ text, broken: true });
    }
  };
  return html`<textarea ...${describe} class="code" rows="2" spellcheck=${false} value=${draft?.text ?? (value === undefined ? '' : pretty(value))}
      onInput=${input} onBlur=${() => !draft?.broken && setDraft(null)}></textarea>
    ${draft?.broken && html`<p class="fault">Not JSON yet; what stood there before is sent.</p>`}`;
}

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
    ${request.reason && html`<p class="reason">${visible(request.reason)}</p>`}
    <p class="facts">${request.mode && html`<span class=${'mode ' + request.mode}>${request.mode}</span>`}
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
    <${Trouble} problem=${problem} />
    ${open ? html`<${Actions} ...${{ mood, setMood, scope, setScope, edited, approve, edit, answer }} id=${id} expiresAt=${timed && request.expiresAt} />` : html`<${Outcome} answer=${request.answer} />`}
  </div>`;
}

function Actions({ mood, setMood, scope, setScope, edited, approve, edit, answer, id, expiresAt }) {
  const [reason, setReason] = useState('');
  if (mood === 'deny') {
    return html`<form class="deny actions" onSubmit=${event => { event.preventDefault(); answer('deny', reason.trim() ? { reason: reason.trim() } : {}); }}>
      <label for=${id + '-reason'}>Reason, which the model is told</label>
      <input id=${id + '-reason'} type="text" maxlength="2000" autocomplete="off" value=${reason} onInput=${event => setReason(event.target.value)} />
      <button type="submit" class="danger">Deny</button>
      <button type="button" onClick=${() => setMood('read')}>Back</button>
    </form>`;
  }
  return html`<div class="actions">
    <span class="joined"><button type="button" class="primary" aria-keyshortcuts="a" onClick=${approve}>${edited ? 'Approve edited' : 'Approve'}</button>
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
