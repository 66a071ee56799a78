// The tools of an agent: schemas, calls by hand, breakers.

import { html, useEffect, useRef, useState } from '../vendor/htm-preact.js';
import { get, now, parse, path, post } from '../api.js';
import { ArgumentsEditor, faultWords, useArguments } from '../editor.js';
import { setQuery } from '../router.js';
import { duration, pretty, prettyText, visible } from '../text.js';
import { AgentChoice, announce, Code, Empty, Heading, Loaded, Master, Sign, Trouble, useLoad, useNow } from '../ui.js';

const EVERY = 5000;

export function Tools({ place, agents }) {
  const agent = place.query.get('agent') ?? agents[0]?.name ?? '';
  const tools = useLoad(async () => ({ at: now(), ...(agent ? await get(path('v1', 'agents', agent, 'tools')) : { items: [] }) }), [agent]);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && tools.reload(), EVERY);
    return () => clearInterval(timer);
  }, [agent]);
  const items = tools.value?.items ?? [];
  const chosen = items.find(tool => tool.name === place.query.get('tool')) ?? items[0];
  return html`<${Heading} title="Tools" />
    <form class="filters" onSubmit=${event => event.preventDefault()}>
      <${AgentChoice} agents=${agents} value=${agent} onChange=${value => setQuery({ agent: value, tool: '' })} /></form>
    <${Loaded} from=${tools} what="tools">${() => !chosen ? html`<${Empty} title="This agent has no tools." />`
        : html`<${Master} title="Tools of the agent" what="tool" items=${items} chosen=${chosen} choose=${tool => setQuery({ tool: tool.name })} line=${line}>
          <${Tool} key=${agent + '/' + chosen.name} agent=${agent} tool=${chosen} at=${tools.value.at} reload=${tools.reload} /><//>`}<//>`;
}

const line = tool => html`<span class="mono">${visible(tool.name)}</span> <span class="quiet">${tool.mode}</span>
  ${tool.breaker.state !== 'closed' && html` <${Sign} kind="failed">breaker ${words(tool.breaker.state)}<//>`}`;

const words = state => state.replace('_', '-');

function Tool({ agent, tool, at, reload }) {
  return html`<section class="card"><h2 class="mono">${visible(tool.name)}</h2>
      <p>${visible(tool.description || 'It has no description.')}</p>
      <p class="facts"><span class=${'mode ' + tool.mode}>${tool.mode}</span>${tool.strict && html`<span>strict</span>`}</p>
      <${Breaker} agent=${agent} tool=${tool} at=${at} reload=${reload} />
      <details><summary>Schema of its parameters</summary><${Code} text=${pretty(tool.parameters)} label="Schema" /></details></section>
    <${TryIt} agent=${agent} tool=${tool} reload=${reload} />`;
}

function Breaker({ agent, tool, at, reload }) {
  const { state, failures, retryAfterMs } = tool.breaker;
  const [problem, setProblem] = useState(null);
  const line = useRef();
  const current = useNow(state === 'open' ? 250 : 0);
  const left = Math.max(0, at + (retryAfterMs ?? 0) - current);
  const close = async () => {
    try {
      await post(path('v1', 'agents', agent, 'breakers', tool.name, 'close'));
      setProblem(null);
      announce('The breaker is closed.');
      line.current.focus();
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
  return html`<p class="breaker" ref=${line} tabindex="-1"><${Sign} kind=${state === 'closed' ? 'ok' : 'failed'}>${said}<//>
    ${state !== 'closed' && html` <button type="button" onClick=${close}>Close it now</button>`}</p><${Trouble} problem=${problem} />`;
}

function TryIt({ agent, tool, reload }) {
  const state = useArguments({});
  const [call, setCall] = useState({});
  const result = call.answer?.result;

  async function run(event) {
    event.preventDefault();
    if (state.fault) {
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
    <div class="actions"><button type="submit" class="primary" disabled=${call.busy || Boolean(state.fault)}>${call.busy ? 'Running…' : 'Run'}</button></div>
    <${Trouble} problem=${call.problem} />
    ${call.answer && !result && html`<p><${Sign} kind="waiting">It waits for approval<//> <a href=${path('conversations', call.answer.conversation)}>in its conversation</a></p>`}
    ${result && html`<section aria-label="Result"><p class="facts"><${Sign} kind=${result.success ? 'ok' : 'failed'}>${result.success ? 'ok' : visible(result.code ?? 'failed')}<//>
      <span class="quiet">${duration(call.took)}</span> <a href=${path('conversations', call.answer.conversation)}>in its conversation</a></p>
      ${result.error && html`<p class="error-words">${visible(result.error)}</p>`}
      ${result.faults?.map((fault, i) => html`<p key=${i} class="fault">${faultWords(fault)}</p>`)}
      <h4>What a model would read</h4><${Code} text=${prettyText(result.text ?? '', parse)} label="What a model would read" /></section>`}
  </form>`;
}
