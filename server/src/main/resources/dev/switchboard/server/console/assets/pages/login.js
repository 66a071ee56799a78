// Logging in by token.

import { html, useState } from '../vendor/htm-preact.js';
import { post } from '../api.js';
import { Heading, Trouble } from '../ui.js';

// Only an address of this console is gone to afterwards.
const next = place => {
  const wanted = place.query.get('next') ?? '/';
  return /^\/(?![/\\])/.test(wanted) && !wanted.startsWith('/login') ? wanted : '/';
};

export function Login({ place }) {
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState(null);
  const [busy, setBusy] = useState(false);

  async function submit(event) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await post('/v1/login', { token: token.trim() });
      location.assign(next(place));
    } catch (failed) {
      setProblem(failed);
      setBusy(false);
    }
  }

  return html`<form class="login card" onSubmit=${submit}>
    <${Heading} title="Log in" />
    <label for="token">Token</label>
    <input id="token" type="password" autocomplete="current-password" required autofocus value=${token} onInput=${event => setToken(event.target.value)} />
    <p class="hint">The server printed one at its first start. <code>switchboard token add</code> makes another.</p>
    <${Trouble} problem=${problem} />
    <button type="submit" class="primary" disabled=${busy}>Log in</button>
  </form>`;
}
