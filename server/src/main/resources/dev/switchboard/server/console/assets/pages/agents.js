import { html, useEffect, useState } from '../vendor/htm-preact.js';
import { get, now, parse, path, post, put, query, useNews } from '../api.js';
import { ArgumentsEditor, faultWords, useArguments } from '../editor.js';
import { setQuery, useKeys } from '../router.js';
import { clock, count, duration, pretty, prettyText, visible } from '../text.js';
import { AgentChoice, announce, Code, Diff, Empty, Heading, Loaded, Loading, Master, Sign, Trouble, useLoad, useNow, useSoon } from '../ui.js';

const EVERY = 5000;

export function Tools({ place, agents }) {
  const agent = place.query.get('agent') ?? agents[0]?.name ?? '';
  const tools = useLoad(async () => agent
    ? { at: now(), ...await get(path('v1', 'agents', agent, 'tools')), sources: (await get(path('v1', 'agents', agent, 'sources')).catch(() => ({}))).items }
    : { items: [] }, [agent]);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && tools.reload(), EVERY);
    return () => clearInterval(timer);
  }, [agent]);
  useNews(useSoon(tools.reload, 200), []);
  const items = tools.value?.items ?? [];
  const chosen = items.find(tool => tool.name === place.query.get('tool')) ?? items[0];
  return html`<${Heading} title="Tools" />
    <form class="filters" onSubmit=${event => event.preventDefault()}>
      <${AgentChoice} agents=${agents} value=${agent} onChange=${value => setQuery({ agent: value, tool: '' })} /></form>
    <${Sources} items=${tools.value?.sources} />
    <${Loaded} from=${tools} what="tools">${() => !chosen ? html`<${Empty} title="This agent has no tools." />`
        : html`<${Master} title="Tools of the agent" what="tool" items=${items} chosen=${chosen} choose=${tool => setQuery({ tool: tool.name })} line=${toolLine}>
          <${Tool} key=${agent + '/' + chosen.name} agent=${agent} tool=${chosen} at=${tools.value.at} reload=${tools.reload} /><//>`}<//>`;
}

const Sources = ({ items }) => items?.length > 0 && html`<section class="card"><h2>Servers</h2>
  ${items.map(({ name, ready, detail, tools }) => html`<details key=${name}><summary><${Sign} kind=${ready ? 'ok' : 'failed'}>${visible(name)}<//> <span class="quiet">${visible(detail)}, ${count(tools.length, 'tool')}</span></summary>
    <p class="mono">${tools.map(visible).join(', ')}</p></details>`)}</section>`;

const toolLine = tool => html`<span class="mono">${visible(tool.name)}</span> <span class="quiet">${tool.mode}</span>
  ${(tool.breaker?.state ?? 'closed') !== 'closed' && html` <${Sign} kind="failed">breaker ${words(tool.breaker.state)}<//>`}`;

const words = state => state.replace('_', '-');

function Tool({ agent, tool, at, reload }) {
  return html`<section class="card"><h2 class="mono">${visible(tool.name)}</h2>
      <p>${visible(tool.description || 'It has no description.')}</p>
      <p class="facts"><span class=${'mode ' + tool.mode}>${tool.mode}</span>${tool.strict && html`<span>strict</span>`}</p>
      ${tool.breaker && html`<${Breaker} agent=${agent} tool=${tool} at=${at} reload=${reload} />`}
      <details><summary>Schema of its parameters</summary><${Code} text=${pretty(tool.parameters)} label="Schema" /></details></section>
    <${TryIt} agent=${agent} tool=${tool} reload=${reload} />`;
}

function Breaker({ agent, tool, at, reload }) {
  const { state, failures, retryAfterMs } = tool.breaker;
  const [problem, setProblem] = useState(null);
  const current = useNow(state === 'open' ? 250 : 0);
  const left = Math.max(0, at + (retryAfterMs ?? 0) - current);
  const close = async () => {
    try {
      await post(path('v1', 'agents', agent, 'breakers', tool.name, 'close'));
      setProblem(null);
      announce('The breaker is closed.');
      reload();
    } catch (failed) {
      setProblem(failed);
    }
  };
  const said = {
    closed: failures ? `Breaker closed; ${failures} failed in a row` : 'Breaker closed',
    open: left > 0 ? `Breaker open: calls are turned away for ${duration(Math.ceil(left / 1000) * 1000).replace('.0', '')}` : 'Breaker open: the next call is a probe',
    half_open: 'Breaker half-open: one call is let through as a probe',
  }[state];
  return html`<p class="breaker" tabindex="-1"><${Sign} kind=${state === 'closed' ? 'ok' : 'failed'}>${said}<//>
    ${state !== 'closed' && html` <button type="button" onClick=${close}>Close it now</button>`}</p><${Trouble} problem=${problem} />`;
}

function TryIt({ agent, tool, reload }) {
  const state = useArguments({});
  const [call, setCall] = useState({});
  const result = call.answer?.result;

  async function run(event) {
    event.preventDefault();
    if (call.busy) {
      return;
    }
    setCall({ busy: true });
    const began = performance.now();
    try {
      const answer = await post(path('v1', 'agents', agent, 'tools', tool.name, 'calls'), { arguments: state.value });
      setCall({ answer, took: performance.now() - began });
      announce(!answer.result ? 'The call waits for approval.' : answer.result.success ? 'The call succeeded.' : 'The call failed.');
    } catch (problem) {
      setCall({ problem });
    }
    reload();
  }

  return html`<form class="card" onSubmit=${run}><h2>Try it</h2>
    <p class="hint">This is a real call${tool.mode === 'read' ? '' : `, and the tool’s mode is ${tool.mode}`}. Rules, consent and breaker apply as to any other.</p>
    <${ArgumentsEditor} state=${state} schema=${tool.parameters} id=${'try-' + tool.name.replace(/\W/g, '_')} faults=${result?.faults} />
    <div class="actions"><button type="submit" class="primary" disabled=${state.fault}>${call.busy ? 'Running…' : 'Run'}</button></div>
    <${Trouble} problem=${call.problem} />
    ${call.answer && !result && html`<p><${Sign} kind="waiting">It waits for approval<//> <a href=${path('conversations', call.answer.conversation)}>in its conversation</a></p>`}
    ${result && html`<section aria-label="Result"><p class="facts"><${Sign} kind=${result.success ? 'ok' : 'failed'}>${result.success ? 'ok' : visible(result.code ?? 'failed')}<//>
      <span class="quiet">${duration(call.took)}</span> <a href=${path('conversations', call.answer.conversation)}>in its conversation</a></p>
      ${result.error && html`<p class="error-words">${visible(result.error)}</p>`}
      ${result.faults?.map((fault, i) => html`<p key=${i} class="fault">${faultWords(fault)}</p>`)}
      <h3 class="minor">What a model would read</h3><${Code} text=${prettyText(result.text ?? '', parse)} label="What a model would read" /></section>`}
  </form>`;
}

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
        : html`<${Master} title="Blocks" what="block" items=${items} chosen=${chosen} choose=${block => setQuery({ block: block.label })} line=${blockLine}>
          <${Block} key=${agent + '/' + chosen.label} agent=${agent} label=${chosen.label} changed=${blocks.reload} /><//>`}<//>`;
}

const blockLine = block => html`<span class="mono">${visible(block.label)}</span> <span class="quiet">${block.kind}${block.pinned ? ', pinned' : ''}</span>`;

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
