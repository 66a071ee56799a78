import { html, useState } from '../vendor/htm-preact.js';
import { path, post } from '../api.js';
import { go } from '../router.js';
import { count, visible } from '../text.js';
import { AgentChoice, Dialog, Trouble } from '../ui.js';

/** A dialog that begins a conversation with one of these agents. */
export function NewConversation({ agents, preset, onClose }) {
  const [agent, setAgent] = useState(preset || agents[0]?.name || '');
  const [text, setText] = useState('');
  const [id, setId] = useState('');
  const [problem, setProblem] = useState(null);
  const [busy, setBusy] = useState(false);
  const chosen = agents.find(one => one.name === agent);

  async function submit(event) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      const made = await post(path('v1', 'agents', agent, 'conversations'), { ...(id && { id }), ...(text.trim() && { text }) });
      go(path('conversations', made.id));
    } catch (failed) {
      setProblem(failed);
      setBusy(false);
    }
  }

  return html`<${Dialog} title="New conversation" onClose=${onClose}><form class="stack" onSubmit=${submit}>
    <${AgentChoice} agents=${agents} value=${agent} onChange=${setAgent} />
    ${chosen && html`<p class="hint">Model ${visible(chosen.model)}, ${count(chosen.tools, 'tool')}.${chosen.firstMessage && html` It begins with “${visible(chosen.firstMessage)}”`}</p>`}
    <label for="new-text">First message <span class="quiet">optional</span></label>
    <textarea id="new-text" rows="4" maxlength="100000" value=${text} onInput=${event => setText(event.target.value)}></textarea>
    <label for="new-id">Id <span class="quiet">(optional; generated if empty)</span></label>
    <input id="new-id" type="text" autocomplete="off" pattern="[A-Za-z0-9_.:\\-]{1,128}" title="1 to 128 of A-Z a-z 0-9 _ . : -" value=${id} onInput=${event => setId(event.target.value)} />
    <${Trouble} problem=${problem} />
    <div class="actions"><button type="submit" class="primary" disabled=${busy || !agent}>Begin</button></div>
  </form><//>`;
}
