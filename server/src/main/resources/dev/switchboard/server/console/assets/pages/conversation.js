import { html, useCallback, useEffect, useLayoutEffect, useRef, useState } from '../vendor/htm-preact.js';
import { follow, get, now, path, post, query, remove, useNews } from '../api.js';
import { apply, EMPTY, spent, waiting, words } from '../model.js';
import { go, useKeys } from '../router.js';
import { count, statusWords, visible } from '../text.js';
import { announce, Ago, Dialog, Empty, Freshness, Heading, Loading, Sign, Trouble, useLoad, useSoon } from '../ui.js';
import { TimeLine, Transcript } from './course.js';

export function Conversation({ id, place }) {
  const address = path('v1', 'conversations', id);
  const info = useLoad(() => get(address), [id]);
  const { model, link } = useEvents(id, address);
  const [shown, setShown] = useState(place.hash || null);
  const [side, setSide] = useState('transcript');
  const [problem, setProblem] = useState(null);
  useRefresh(model, info, id);

  const choose = useCallback(call => setShown(old => old === call ? null : call), []);
  useEffect(() => {
    history.replaceState(null, '', location.pathname + location.search + (shown ? '#' + encodeURIComponent(shown) : ''));
  }, [shown]);
  const jump = useCallback(call => {
    setShown(call);
    setSide('timeline');
    requestAnimationFrame(() => {
      const row = document.getElementById('row-' + call);
      row?.scrollIntoView({ block: 'nearest' });
      row?.focus();
    });
  }, []);
  const attempt = async deed => {
    setProblem(null);
    try {
      await deed();
    } catch (failed) {
      setProblem(failed);
    }
  };
  const cancel = () => attempt(async () => {
    await post(address + '/cancel');
    announce('Cancelling.');
  });

  const open = waiting(model);
  // A first message has no end of its own, so that only the server knows.
  const status = open.length ? 'waiting' : model.running && info.value?.status !== 'idle' ? 'running' : 'idle';
  useKeys('This conversation', {
    Enter: ['From its field, send the message; from a call, show its details'], m: ['To the message', () => document.getElementById('say')?.focus()],
    j: ['Next call on the time line', () => step(1)], k: ['Previous call', () => step(-1)],
    w: ['To the request that waits', () => document.querySelector('.ask.open')?.focus()],
    x: [cancelling(status), () => status !== 'idle' && cancel()],
    Escape: ['Close the call’s details', () => setShown(null)],
  });
  if (link.state === 'gone' || info.problem?.status === 404) {
    return html`<${Heading} title=${id} /><${Trouble} problem=${link.problem ?? info.problem} /><p><a href="/">To the conversations</a></p>`;
  }
  const requests = new Map((info.value?.waitingRequests ?? []).map(request => [request.call.id, request]));
  const agent = info.value?.agent;
  return html`<${Head} ...${{ id, address, info: info.value, status, open, spent: spent(model), link, cancel, attempt }} />
    <${Trouble} problem=${problem ?? info.problem} />
    <div class="switch" role="group" aria-label="What is shown">${[['transcript', 'Transcript'], ['timeline', 'Time line'], ['offer', 'What may run']].map(([name, title]) =>
      html`<button key=${name} type="button" aria-pressed=${side === name} onClick=${() => setSide(name)}>${title}</button>`)}</div>
    <div class=${'talk show-' + side}>
      <section class="pane transcript" aria-label="Transcript"><h2 class="unseen">Transcript</h2>
        ${model.last === 0 && link.state === 'connecting' ? html`<${Loading} what="the conversation" />` : html`<${Transcript} model=${model} working=${status === 'running'} requests=${requests} conversation=${id} agent=${agent} jump=${jump} onAnswered=${info.reload} />`}
        <${Composer} address=${address} status=${status} key=${id} />
      </section>
      <section class="pane timeline" aria-label="Time line"><h2>Time line</h2>
        ${model.calls.size ? html`<${TimeLine} model=${model} shown=${shown} choose=${choose} conversation=${id} agent=${agent} />`
          : html`<${Empty} title="No calls yet."><p>Each call of a tool gets a bar here: when it waited, asked and ran.</p><//>`}</section>
      <section class="pane offer" aria-label="What may run now"><${Offer} offer=${info.value?.offer} /></section>
    </div>`;
}

// The server denies what waits, and the turn goes on without it.
const cancelling = status => status === 'waiting' ? 'Deny all pending' : 'Cancel the turn';

function Head({ id, address, info, status, open, spent: [tokens, cost], link, cancel, attempt }) {
  const [asking, setAsking] = useState(false);
  const state = status === 'waiting' ? `Waits for approval of ${open.map(call => visible(call.name)).join(', ')}` : statusWords[status];
  const forget = () => attempt(async () => {
    await remove(address);
    announce('Deleted.');
    go('/');
  });
  return html`<${Heading} title=${id}>
      <${Sign} kind=${status}>${state}<//>
      <span class="tools">${status !== 'idle' && html`<button type="button" aria-keyshortcuts="x" onClick=${cancel}>${cancelling(status)}</button>`}
        <a class="button" href=${address + '/export'} download=${id.replace(/\W/g, '_') + '.json'}>Download</a>
        <button type="button" onClick=${() => setAsking(true)}>Delete…</button></span><//>
    <p class="facts">${info && html`<span><span class="quiet">agent</span> <bdi>${visible(info.agent)}</bdi></span>
      <span><span class="quiet">of</span> <bdi>${visible(info.principal ?? 'nobody')}</bdi></span>
      <span><span class="quiet">began</span> <${Ago} at=${info.created} /></span>`}
      ${tokens > 0 && html`<span><span class="quiet">used</span> ${count(tokens, 'token')}${cost >= 0 && `, cost ${+cost.toFixed(6)}`}</span>`}
      ${link.state !== 'live' && html`<${Freshness} link=${link} />`}</p>
    ${asking && html`<${Dialog} title="Delete this conversation?" onClose=${() => setAsking(false)}>
      <p>Its events, calls, results and requests are removed for good. What its tools did stays done.</p>
      <div class="actions"><button type="button" class="danger" onClick=${forget}>Delete</button></div><//>`}`;
}

// The conversation's events: first those that are stored, in pages, then each as it comes.
function useEvents(id, address) {
  const [state, setState] = useState({ model: EMPTY, link: { state: 'connecting', seen: Date.now() } });
  useEffect(() => {
    let model = EMPTY;
    let queue = [];
    let timer;
    const show = () => {
      timer = null;
      const before = model;
      model = apply(model, queue);
      queue = [];
      setState(old => ({ ...old, model }));
      tell(before, model);
    };
    const stop = follow({
      rests: true,
      url: () => address + '/events' + query({ after: model.last }),
      catchUp: async () => {
        let page;
        do {
          page = await get(address + '/events' + query({ after: String(model.last), limit: 1000 }));
          model = apply(model, page.items.map(item => ({ ...item, at: Date.parse(item.at) })));
        } while (page.next && page.items.length);
        setState(old => ({ ...old, model }));
      },
      onEvent: (event, number) => {
        queue.push({ number, event, at: now() });
        timer ??= setTimeout(show, model.calls.size > 300 ? 250 : 40);
      },
      onState: link => setState(old => {
        if (link.state !== old.link.state && [link.state, old.link.state].includes('broken')) {
          announce(link.state === 'live' ? 'Connected again.' : 'The connection is lost; reconnecting.');
        }
        return { ...old, link };
      }),
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [id]);
  return state;
}

// Says what those who do not see the page have to know.
function tell(before, after) {
  const asked = waiting(after).filter(call => !before.calls.get(call.id)?.request);
  const turn = after.turns.at(-1);
  const old = before.turns.at(-1);
  if (asked.length) {
    announce(`Approval is wanted for ${asked.map(call => call.name).join(', ')}.`);
  } else if (turn?.end && !(old?.key === turn.key && old.end)) {
    announce(words(turn) || 'The turn ended.');
  }
}

// Asks again for what events do not say, once they have changed it.
function useRefresh(model, info, id) {
  const calls = [...model.calls.values()];
  const mark = [model.running, model.turns.length, ...['result', 'request', 'answer'].map(word => calls.filter(call => call[word]).length)].join('/');
  const soon = useSoon(info.reload, 250);
  const first = useRef(true);
  useEffect(() => {
    first.current ? (first.current = false) : soon();
  }, [mark]);
  useNews(event => (event.id === id || event.type === 'opened') && soon(), [id]);
}

function step(by) {
  const rows = [...document.querySelectorAll('.lanes :is(.call-row, .fold)')];
  const at = rows.indexOf(document.activeElement);
  const next = rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.max(0, Math.min(rows.length - 1, at + by))];
  next?.focus();
}

function Composer({ address, status }) {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(null);
  const box = useRef();
  useLayoutEffect(() => {
    box.current.style.height = 'auto';
    box.current.style.height = Math.min(box.current.scrollHeight + 2, 240) + 'px';
  }, [text]);

  async function submit(event) {
    event.preventDefault();
    if (!text.trim() || busy || status !== 'idle') {
      return;
    }
    box.current.focus();
    setBusy(true);
    setProblem(null);
    try {
      await post(address + '/turns', { text });
      setText('');
    } catch (failed) {
      setProblem(failed);
    }
    setBusy(false);
  }

  const hint = { running: 'The agent is at work; a message can be sent when it has ended.', waiting: 'A request waits for an answer first.', idle: 'Enter sends, Shift and Enter begin a new line.' }[status];
  return html`<form class="composer" onSubmit=${submit}>
    <label class="unseen" for="say">Message</label>
    <textarea id="say" ref=${box} rows="1" maxlength="100000" placeholder="Message" aria-describedby="say-hint" value=${text}
      onInput=${event => setText(event.target.value)}
      onKeyDown=${event => event.key === 'Enter' && !event.shiftKey && !event.isComposing && submit(event)}></textarea>
    <button type="submit" class="primary" disabled=${busy || status !== 'idle' || !text.trim()}>Send</button>
    <p id="say-hint" class="hint">${hint}</p>
    <${Trouble} problem=${problem} />
  </form>`;
}

// The rule's own words, without the sentence that every refusal begins with.
const reason = why => visible(why ?? '').replace(/^Tool rule violation: Tool '.*?' cannot be executed: /, '');

function Offer({ offer }) {
  if (!offer) {
    return html`<h2>What may run now</h2><${Loading} what="the tools" />`;
  }
  const allowed = offer.tools.filter(tool => tool.allowed).length;
  return html`<h2>What may run now <span class="quiet">${allowed} of ${count(offer.tools.length, 'tool')}</span></h2>
    ${offer.must?.length > 0 && html`<p class="must">Still required: ${offer.must.map(name => html`<code key=${name}>${visible(name)}</code> `)}</p>`}
    <ul class="offers">${offer.tools.map(tool => html`<li key=${tool.name}>
      <${Sign} kind=${tool.allowed ? 'ok' : 'refused'}><span class="unseen">${tool.allowed ? 'allowed: ' : 'not allowed: '}</span><span class="mono">${visible(tool.name)}</span><//>
      <span class="quiet">${tool.mode}</span>
      ${!tool.allowed && html`<p>${reason(tool.why)}</p>`}</li>`)}</ul>`;
}
