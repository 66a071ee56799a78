import { html, useRef, useState } from '../vendor/htm-preact.js';
import { get, path, query, useNews } from '../api.js';
import { ApprovalCard } from '../editor.js';
import { setQuery, useKeys } from '../router.js';
import { answerWords, telling, visible } from '../text.js';
import { AgentChoice, Choice, Countdown, Empty, Heading, Loaded, Sign, useLoad, useSoon } from '../ui.js';

export function Approvals({ place, me, agents }) {
  const status = place.query.get('status') === 'answered' ? 'answered' : 'pending';
  const agent = place.query.get('agent') ?? '';
  return html`<${Heading} title="Approvals" />
    <form class="filters" role="search" aria-label="Filters" onSubmit=${event => event.preventDefault()}>
      <${Choice} label="Requests" value=${status} options=${[['pending', 'waiting'], ['answered', 'answered']]} onChange=${value => setQuery({ status: value === 'pending' ? '' : value })} />
      <${AgentChoice} agents=${agents} all value=${agent} onChange=${value => setQuery({ agent: value })} />
    </form>
    <${Inbox} key=${status + agent} status=${status} agent=${agent} me=${me} />`;
}

function Inbox({ status, agent, me }) {
  const shown = useRef([]);
  const inbox = useLoad(() => load(status, agent, shown.current), []);
  const all = shown.current = inbox.value ?? [];
  const read = useRef();
  const [, draw] = useState();
  const select = id => draw(read.current = id);
  const soon = useSoon(inbox.reload, 200);
  useNews(event => event.type !== 'conversation' && soon(), []);
  // What others answer goes at once. The one that is read stays, closed, lest a key meant for it answers the next.
  const waits = item => status === 'answered' || item.status === 'pending';
  const current = all.find(item => item.id === read.current) ?? all.find(waits);
  read.current = current?.id;
  const items = all.filter(item => item === current || waits(item));
  const step = by => {
    const next = items[Math.max(0, Math.min(items.length - 1, items.indexOf(current) + by))];
    select(next?.id);
    document.getElementById(rowId(next))?.focus();
  };
  useKeys('Approvals', { j: ['Next request', () => step(1)], k: ['Previous request', () => step(-1)] });
  const answered = (id, answer) => inbox.set(old => old.map(item => item.id === id ? { ...item, status: 'answered', answer } : item));
  return html`<${Loaded} from=${inbox} what="requests">${() => items.length === 0 ? html`<${Empty} title=${status === 'pending' ? 'Nothing waits for an answer.' : 'Nothing has been answered yet.'}><p>A request appears here as soon as a tool needs consent.</p><//>`
        : html`<ol class="inbox">${items.map(item => html`<${Item} key=${item.id} item=${item} open=${item === current} me=${me} select=${select} answered=${answered} />`)}</ol>`}<//>`;
}

const rowId = item => 'ask-row-' + item?.id;

function Item({ item, open, me, select, answered }) {
  return html`<li class=${open ? 'open' : ''}>
    <button type="button" id=${rowId(item)} class="ask-row" aria-expanded=${open} onClick=${() => select(item.id)}>
      <span class="label"><span class="mono">${visible(item.call.name)}</span> <span class="quiet arg">${telling(item.call.arguments)}</span></span>
      <span class="quiet"><bdi>${visible(item.agent)}</bdi></span>
      <span>${item.answer ? html`<${Sign} kind=${item.answer.decision === 'deny' ? 'denied' : 'ok'}>${answerWords(item.answer)}<//>`
        : item.status === 'pending' ? html`<${Countdown} until=${Date.parse(item.expiresAt)} />` : html`<${Sign} kind="idle">No longer open<//>`}</span>
    </button>
    ${open && html`<${ApprovalCard} request=${item} keys=${true} timed=${false} onAnswered=${answer => answered(item.id, answer)}>
      <${LastLines} of=${item} me=${me} /><//>`}
  </li>`;
}

// What was said last before the request, in a conversation that not everyone may open who answers.
function LastLines({ of: { id, conversation }, me }) {
  const lines = useLoad(() => get(path('v1', 'approvals', id) + '/lines'), [id]);
  const name = html`<bdi class="mono">${visible(conversation)}</bdi>`;
  return html`<div class="last-lines"><h2 class="minor">Last lines of ${me.permissions.includes('operate') ? html`<a href=${path('conversations', conversation)}>${name}</a>` : name}</h2>
    ${lines.problem && html`<p class="quiet">${visible(lines.problem.message)}</p>`}
    ${lines.value?.items.map(({ event }, i) => html`<p key=${i} dir="auto"><b>${event.payload ? 'User' : 'Agent'}:</b> ${event.payload?.text ?? event.content}</p>`)}
    ${lines.value?.items.length === 0 && html`<p class="quiet">Nothing was said yet.</p>`}</div>`;
}

// Without moving what is read: new requests come last, and of the answered ones the newest first.
async function load(status, agent, old) {
  const [closed, open] = await Promise.all(['answered', 'pending'].map(one => get('/v1/approvals' + query({ status: one, agent, limit: 200 }))));
  if (status === 'answered') {
    return closed.items.map(named);
  }
  const known = new Map([...closed.items, ...open.items].map(item => [item.id, item]));
  const kept = old.map(item => known.has(item.id) ? { ...item, ...known.get(item.id) } : { ...item, status: 'answered' });
  return [...kept, ...open.items.filter(item => !old.some(one => one.id === item.id))];
}

// Of what was answered a while ago the server tells the answer alone.
const named = item => item.call ? item : { ...item, call: { id: item.answer.id, name: item.answer.id, arguments: {} } };
