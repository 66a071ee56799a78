// Arguments to be edited: a form made from their schema beside their JSON, each following the other.

import { html, useState } from './vendor/htm-preact.js';
import { isNumber, isObject, parse } from './api.js';
import { pretty, scalar, visible } from './text.js';
import { Diff } from './ui.js';

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
  return names.map(name => html`<${Field} key=${name} name=${name} root=${root} ...${resolve(properties[name] ?? like(object[name]), root)}
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
    return resolve({ ...target, ...withoutRef(schema) }, root, depth + 1);
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

function withoutRef({ $ref, ...rest }) {
  return rest;
}

function Field(props) {
  const { name, schema, type, value, required, pointer, id, faults, onChange, root } = props;
  const mine = faults.filter(fault => fault.pointer === pointer);
  const hint = [schema.description, schema.format && `(${schema.format})`].filter(Boolean).join(' ');
  const describe = { id, 'aria-describedby': `${id}-hint`, 'aria-invalid': mine.length ? 'true' : 'false' };
  const below = html`<p id=${id + '-hint'} class=${mine.length ? 'fault' : 'hint'}>${
    mine.length ? mine.map(faultWords).join('; ') : visible(hint)}</p>`;
  const label = html`<span class="name">${visible(name)}${!required && html`<span class="quiet"> optional</span>`}</span>`;
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
  if (type === 'boolean' && (value === undefined || typeof value === 'boolean')) {
    return html`<${Options} values=${[true, false]} value=${value} required=${required} describe=${describe} onChange=${onChange} />`;
  }
  const empty = () => required ? (nullable ? null : '') : undefined;
  if (type === 'string' && (value === undefined || value === null || typeof value === 'string')) {
    const input = event => onChange(event.target.value === '' ? empty() : event.target.value);
    const long = value?.length > 60 || value?.includes('\n');
    return long
      ? html`<textarea ...${describe} rows="4" value=${value} onInput=${input}></textarea>`
      : html`<input ...${describe} type="text" autocomplete="off" value=${value ?? ''} onInput=${input} />`;
  }
  if ((type === 'integer' || type === 'number') && (value === undefined || value === null || isNumber(value) || typeof value === 'string')) {
    const input = event => onChange(event.target.value === '' ? empty() : number(event.target.value));
    return html`<input ...${describe} type="text" inputmode=${type === 'integer' ? 'numeric' : 'decimal'} autocomplete="off"
      value=${value === undefined || value === null ? '' : scalar(value)} onInput=${input} />`;
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
      setDraft(text);
    } catch {
      setDraft(text);
    }
  };
  const broken = draft !== null && draft.trim() !== '' && !readable(draft);
  return html`<textarea ...${describe} class="code" rows="2" spellcheck=${false} value=${draft ?? (value === undefined ? '' : pretty(value))}
      onInput=${input} onBlur=${() => !broken && setDraft(null)}></textarea>
    ${broken && html`<p class="fault">Not JSON yet; what stood there before is sent.</p>`}`;
}

function readable(text) {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
