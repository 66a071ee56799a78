import { html, useRef, useState } from '../vendor/htm-preact.js';
import { get, path, query, useNews } from '../api.js';
import { setQuery, useKeys } from '../router.js';
import { statusWords, visible } from '../text.js';
import { AgentChoice, Ago, Choice, Empty, Heading, Loaded, Sign, useLoad, useSoon } from '../ui.js';

const PAGE = 50;
const MOST = 200;

export function Conversations({ place, me, agents }) {
  const [making, setMaking] = useState(null); // the module of the dialog, which is loaded then
  const make = async () => setMaking(await import('./new-conversation.js'));
  const filters = Object.fromEntries(['agent', 'status', 'principal'].map(name => [name, place.query.get(name) ?? '']));
  const inputs = [filters.agent, filters.status, filters.principal];
  const shown = useRef([]);
  const page = useLoad(async () => {
    const limit = Math.min(MOST, Math.max(PAGE, shown.current.length));
    const first = await get('/v1/conversations' + query({ ...filters, limit }));
    return { items: [...first.items, ...shown.current.slice(limit)], next: first.next };
  }, inputs);
  shown.current = page.value?.items ?? [];
  const more = async () => {
    const next = await get('/v1/conversations' + query({ ...filters, limit: PAGE, cursor: page.value.next }));
    page.set(old => ({ items: [...old.items, ...next.items], next: next.next }));
  };
  useNews(useSoon(page.reload, 400), []);
  useKeys('Conversations', {
    j: ['Next conversation', () => step(1)], k: ['Previous conversation', () => step(-1)],
    n: ['New conversation', make], '/': ['To the filters', () => document.querySelector('.filters select')?.focus()],
  });
  const filtered = inputs.some(Boolean);
  return html`<${Heading} title="Conversations"><span class="tools">${me.permissions.includes('talk') && html`<${CallButton} agents=${agents} preset=${filters.agent} />`}
      <button type="button" class="primary" aria-keyshortcuts="n" onClick=${make}>New conversation</button></span><//>
    <form class="filters" role="search" aria-label="Filters" onSubmit=${event => event.preventDefault()}>
      <${AgentChoice} agents=${agents} all value=${filters.agent} onChange=${agent => setQuery({ agent })} />
      <${Choice} label="State" value=${filters.status} options=${[['', 'all'], ...Object.entries(statusWords)]} onChange=${status => setQuery({ status })} />
      ${me.permissions.includes('operate') && html`<label class="choice"><span>Principal</span><input type="text" autocomplete="off" value=${filters.principal} onChange=${event => setQuery({ principal: event.target.value.trim() })} /></label>`}
      ${filtered && html`<button type="button" onClick=${() => setQuery({ agent: '', status: '', principal: '' })}>Clear</button>`}
    </form>
    <${Loaded} from=${page} what="conversations">${value => html`<${Rows} page=${value} status=${filters.status} filtered=${filtered} more=${more} />`}<//>
    ${making && html`<${making.NewConversation} agents=${agents} preset=${filters.agent} onClose=${() => setMaking(null)} />`}`;
}

// The button that calls an agent; nothing if none can be called here. What it opens is loaded then.
function CallButton({ agents, preset }) {
  const [shown, setShown] = useState(null);
  const callable = agents.filter(agent => agent.call);
  const open = async () => setShown(await import('./call.js'));
  return callable.length > 0 && html`<button type="button" onClick=${open}>Call</button>
    ${shown && html`<${shown.CallDialog} agents=${callable} preset=${preset} onClose=${() => setShown(null)} />`}`;
}

function Rows({ page, status, filtered, more }) {
  const items = page.items.filter(item => !status || item.status === status);
  if (!items.length && !page.next) {
    return filtered
      ? html`<${Empty} title="No conversation fits these filters."><p>One that does appears here by itself.</p><//>`
      : html`<${Empty} title="No conversations yet."><p>Begin one with “New conversation”, or let a client do it; it appears here at once.</p><//>`;
  }
  return html`<div class="rows-head" aria-hidden="true"><span>State</span><span>Conversation</span><span>Agent</span><span>Principal</span><span>Turns</span><span>Calls</span><span>Began</span></div>
    <ul class="rows">${items.map(item => html`<${Row} key=${item.id} item=${item} />`)}</ul>
    ${page.next && html`<button type="button" class="more" onClick=${more}>Show older ones</button>`}`;
}

function Row({ item }) {
  return html`<li><a href=${path('conversations', item.id)}>
    <span><${Sign} kind=${item.status}>${statusWords[item.status] ?? item.status}${item.waiting > 1 ? ` (${item.waiting})` : ''}<//></span>
    <span class="mono id"><bdi>${visible(item.id)}</bdi></span>
    <span class="agent"><bdi>${visible(item.agent)}</bdi></span>
    <span class="quiet"><bdi>${visible(item.principal ?? '')}</bdi></span>
    <span class="number">${item.turns}<span class="unit"> ${item.turns === 1 ? 'turn' : 'turns'}</span></span>
    <span class="number">${item.calls}<span class="unit"> ${item.calls === 1 ? 'call' : 'calls'}</span></span>
    <span class="quiet when"><${Ago} at=${item.created} /></span>
  </a></li>`;
}

function step(by) {
  const links = [...document.querySelectorAll('.rows a')];
  const at = links.indexOf(document.activeElement);
  links[Math.max(0, Math.min(links.length - 1, at < 0 ? 0 : at + by))]?.focus();
}
