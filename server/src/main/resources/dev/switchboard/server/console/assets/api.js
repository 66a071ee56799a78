// The server's HTTP interface, as JSON.

/** What the server refused: its problem+json. */
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || body.title || `The server answered with status ${status}.`);
    this.status = status;
    this.code = body.code ?? '';
    this.body = body;
  }
}

let skew = 0;

/** The time at the server, in milliseconds: what its clock differs from ours counts from two seconds. */
export const now = () => Date.now() + skew;

/** Reads JSON. A number that JavaScript cannot hold exactly stays as it was written. */
export const parse = text => JSON.parse(text, (key, value, context) => {
  const lossy = typeof value === 'number' && context && JSON.rawJSON
    && (!Number.isFinite(value) || context.source.replace(/\D/g, '').length > 15);
  return lossy ? JSON.rawJSON(context.source) : value;
});

/** Whether a value is a number, also one that stays as it was written. */
export const isNumber = value => typeof value === 'number' || Boolean(JSON.isRawJSON?.(value));

/** Whether a value is a JSON object. */
export const isObject = value =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !JSON.isRawJSON?.(value);

async function ask(method, path, body, headers = {}) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: { Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }), ...headers },
      body: body && JSON.stringify(body),
      credentials: 'same-origin',
      cache: 'no-store',
    });
  } catch {
    throw new Problem(0, { detail: 'The server cannot be reached.', code: 'unreachable' });
  }
  readClock(response.headers.get('Date'));
  const text = await response.text();
  const answer = read(text, response);
  if (response.ok) {
    return answer;
  }
  if (response.status === 401 && path !== '/v1/login') {
    dispatchEvent(new Event('logged-out'));
  }
  throw new Problem(response.status, answer ?? {});
}

function readClock(date) {
  const difference = Date.parse(date) + 500 - Date.now();
  if (Number.isFinite(difference)) {
    skew = Math.abs(difference) < 2000 ? 0 : difference;
  }
}

function read(text, response) {
  try {
    return text ? parse(text) : undefined;
  } catch {
    throw new Problem(response.status, { detail: `The server answered with status ${response.status}, not as JSON.` });
  }
}

export const get = path => ask('GET', path);
export const remove = path => ask('DELETE', path);
export const put = (path, body) => ask('PUT', path, body);

/** Sends a deed, under a key by which the server knows it should it be sent twice. */
export const post = (path, body = {}) => ask('POST', path, body, { 'Idempotency-Key': key() });

function key() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('');
}

/** A path from its parts, each encoded: path('v1', 'agents', name). */
export const path = (...parts) => '/' + parts.map(encodeURIComponent).join('/');

/** A query string of the members that say something, with its question mark. */
export function query(members) {
  const filled = Object.entries(members).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return filled.length ? '?' + new URLSearchParams(filled) : '';
}
