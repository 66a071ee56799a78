// The memory of an agent: its blocks with their history, and a search.

import { html, useState } from '../vendor/htm-preact.js';
import { get, path, post, put, query } from '../api.js';
import { setQuery, useKeys } from '../router.js';
import { clock, count, visible } from '../text.js';
import { AgentChoice, announce, Diff, Empty, Heading, Loaded, Loading, Master, Sign, Trouble, useLoad } from '../ui.js';

export function Memory({ place, agents }) {
  const agent = place.query.get('agent') ?? agents[0]?.name ?? '';
  const blocks = useLoad(async () => agent ? get(path('v1', 'agents', agent, 'blocks')) : { items: [] }, [agent]);
  const items = blocks.value?.items ?? [];
  const chosen = items.find(block => block.label === place.query.get('block')) ?? items[0];
  useKeys('Memory', {
    '/': ['To the search', () => document.getElementById('memory-search')?.focus()],
  });
  return html`<${Heading} title="Memory" />
    <div class="filters"><${AgentChoice} agents=${agents} value=${agent} onChange=${value => setQuery({ agent: value, block: '', q: '' })} />
      <${SearchForm} asked=${place.query.get('q') ?? ''} /></div>
    ${place.query.get('q') && html`<${Hits} agent=${agent} asked=${place.query.get('q')} />`}
    <${Loaded} from=${blocks} what="blocks">${() => !chosen ? html`<${Empty} title="This agent has no blocks."><p>Blocks are made by the agent’s file, by the tool <code>block</code>, or with <code>switchboard memory edit</code>.</p><//>`
        : html`<${Master} title="Blocks" what="block" items=${items} chosen=${chosen} choose=${block => setQuery({ block: block.label })} line=${line}>
          <${Block} key=${agent + '/' + chosen.label} agent=${agent} label=${chosen.label} changed=${blocks.reload} /><//>`}<//>`;
}

const line = block => html`<span class="mono">${visible(block.label)}</span> <span class="quiet">${block.kind}${block.pinned ? ', pinned' : ''}</span>`;

function SearchForm({ asked }) {
  const [text, setText] = useState(asked);
  return html`<form class="choice" role="search" onSubmit=${event => { event.preventDefault(); setQuery({ q: text.trim() }); }}>
    <label for="memory-search">Search</label><input id="memory-search" type="search" autocomplete="off" value=${text} onInput=${event => setText(event.target.value)} />
    <button type="submit">Search</button>${asked && html`<button type="button" onClick=${() => { setText(''); setQuery({ q: '' }); }}>Clear</button>`}</form>`;
}

function Hits({ agent, asked }) {
  const found = useLoad(() => get(path('v1', 'agents', agent, 'memory') + query({ query: asked })), [agent, asked]);
  return html`<section class="card" aria-label="Found"><h2>Found for “${visible(asked)}” ${found.value && html`<span class="quiet">${count(found.value.total, 'hit')}</span>`}</h2>
    <${Loaded} from=${found} what="hits">${({ hits }) => hits.length ? html`<ul class="hits">${hits.map(hit => html`<li key=${hit.id}><p class="quiet">${visible(hit.domain)}${hit.label && html` · <span class="mono">${visible(hit.label)}</span>`} · ${clock(Date.parse(hit.at))} · score ${Number(hit.score).toFixed(2)}</p>
      <p dir="auto">${visible(hit.text)}</p></li>`)}</ul>` : html`<p>Nothing was found.</p>`}<//></section>`;
}

function Block({ agent, label, changed }) {
  const address = path('v1', 'agents', agent, 'blocks', label);
  const block = useLoad(() => get(address), [address]);
  const [draft, setDraft] = useState(null);
  const [problem, setProblem] = useState(null);
  const value = draft ?? block.value?.value ?? '';
  const change = async (deed, said) => {
    setProblem(null);
    try {
      await deed();
      setDraft(null);
      announce(said);
      await block.reload();
      changed();
    } catch (failed) {
      setProblem(failed);
    }
  };
  if (!block.value) {
    return block.problem ? html`<${Trouble} problem=${block.problem} retry=${block.reload} />` : html`<${Loading} what="the block" />`;
  }
  const { description, limit, kind, permission, version, pinned, edits = [] } = block.value;
  const over = [...value].length > limit;
  const save = event => {
    event.preventDefault();
    change(() => put(address, { value, version }), 'Saved.');
  };
  return html`<form class="card" onSubmit=${save}><h2 class="mono">${visible(label)}</h2>
      <p>${visible(description || 'It has no description.')}</p>
      <p class="facts"><span>${kind}${pinned ? ', pinned' : ''}</span><span><span class="quiet">agents may</span> ${permission.replace('_', ' ')}</span><span><span class="quiet">version</span> ${version}</span></p>
      <label for="block-value">Value</label>
      <textarea id="block-value" rows=${Math.min(20, Math.max(5, value.split('\n').length + 1))} aria-describedby="block-room" aria-invalid=${over ? 'true' : 'false'} value=${value} onInput=${event => setDraft(event.target.value)}></textarea>
      <p id="block-room" class=${over ? 'fault' : 'hint'}>${[...value].length} of ${limit} characters</p>
      ${draft !== null && draft !== block.value.value && html`<${Diff} before=${block.value.value} after=${draft} label="Your change" />`}
      <${Trouble} problem=${problem} />
      <div class="actions"><button type="submit" class="primary" disabled=${draft === null || draft === block.value.value || over}>Save</button>
        ${draft !== null && html`<button type="button" onClick=${() => { setDraft(null); block.reload(); }}>Drop the change</button>`}</div></form>
    <section class="card"><h2>History</h2>
      ${edits.length === 0 ? html`<p class="quiet">It was never edited.</p>` : html`<div class="actions"><button type="button" onClick=${() => change(() => post(address + '/undo'), 'Undone.')}>Undo the last edit</button></div>`}
      <ol class="edits">${[...edits].reverse().map(edit => html`<li key=${edit.version}><details><summary><${Sign} kind="idle">${visible(edit.operation)}<//> by <b>${visible(edit.author)}</b> <span class="quiet">${clock(Date.parse(edit.at))} · version ${edit.version}</span></summary>
        <${Diff} before=${edit.before ?? ''} after=${edit.after ?? ''} label=${'Edit to version ' + edit.version} /></details></li>`)}</ol></section>`;
}
