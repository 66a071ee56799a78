// The console: its frame, which page an address is, and logging in.

import { html, render, useEffect, useErrorBoundary, useRef, useState } from './vendor/htm-preact.js';
import { get, openFeed, post, useFeedState, useNews } from './api.js';
import { go, keyList, single, useKeys, usePlace } from './router.js';
import { announce, Announcer, Dialog, entitle, Freshness, Heading, Loading, Trouble, useLoad, useSoon } from './ui.js';
import { Memory, Tools } from './pages/agents.js';
import { Approvals } from './pages/approvals.js';
import { Conversation } from './pages/conversation.js';
import { Conversations } from './pages/conversations.js';

const SECTIONS = [
  { path: '/', key: 'g c', title: 'Conversations', page: Conversations, role: 'see_agents' },
  { path: '/approvals', key: 'g a', title: 'Approvals', page: Approvals, role: 'answer_all' },
  { path: '/tools', key: 'g t', title: 'Tools', page: Tools, role: 'call_tools' },
  { path: '/memory', key: 'g m', title: 'Memory', page: Memory, role: 'operate' },
];

function App() {
  const place = usePlace();
  const first = useRef(true);
  useEffect(() => {
    const out = () => location.pathname !== '/login'
      && go('/login?next=' + encodeURIComponent(location.pathname + location.search), { replace: true });
    addEventListener('logged-out', out);
    return () => removeEventListener('logged-out', out);
  }, []);
  useEffect(() => {
    if (!first.current) {
      (document.querySelector('[autofocus]') ?? document.querySelector('h1'))?.focus();
      scrollTo(0, 0);
    }
    first.current = false;
  }, [place.path]);
  return place.path === '/login' ? html`<main id="main"><${Login} place=${place} /></main>` : html`<${Inside} place=${place} />`;
}

function Inside({ place }) {
  const me = useLoad(() => get('/v1/me'), []);
  const agents = useLoad(async () => me.value && get('/v1/agents'), [Boolean(me.value)]);
  useEffect(() => me.value ? openFeed() : undefined, [Boolean(me.value)]);
  const problem = me.problem ?? agents.problem;
  if (!me.value || !agents.value) {
    return html`<main class="boot"><${Heading} title="Console" />${problem
      ? html`<${Trouble} problem=${problem} retry=${() => { me.reload(); agents.reload(); }} />`
      : html`<${Loading} what="the console" />`}</main>`;
  }
  return html`<${Frame} place=${place} me=${me.value} agents=${agents.value.items} />`;
}

function Frame({ place, me, agents }) {
  const [help, setHelp] = useState(false);
  const may = section => me.permissions.includes(section.role);
  const sections = SECTIONS.filter(may);
  const pending = usePending(may(SECTIONS[1]));
  const feed = useFeedState();
  const keys = Object.fromEntries(sections.map(section => [section.key, [section.title, () => go(section.path)]]));
  useKeys('Everywhere', { ...keys, '?': ['This list', () => setHelp(true)], Escape: ['Out of a field'] });
  const id = place.parts[1] === 'conversations' && place.parts[2];
  const section = SECTIONS.find(one => one.path === place.path);
  return html`
    <a class="skip" href="#main">Skip to content</a>
    <header class="top">
      <a class="brand" href="/"><svg viewBox="0 0 32 32" aria-hidden="true"><circle cx="9" cy="10" r="3.5" /><circle cx="23" cy="22" r="3.5" /><path d="M9 14C9 25 23 7 23 18" /></svg><span>Switchboard</span></a>
      <nav aria-label="Pages">${sections.map(one => html`<a key=${one.path} href=${one.path}
        aria-current=${one === section || (id && one.path === '/') ? 'page' : undefined}>${one.title}${
        one.path === '/approvals' && pending > 0 && html` <span class="badge">${pending}<span class="unseen"> waiting</span></span>`}</a>`)}</nav>
      <div class="who"><${Freshness} link=${feed} />
        <span class="quiet principal">${me.principal} <span class="role">(${me.roles + ''})</span></span>
        <button type="button" class="plain" aria-label="Keys" aria-keyshortcuts="?" onClick=${() => setHelp(true)}>?</button>
        <button type="button" class="plain" onClick=${logOut}>Log out</button></div>
    </header>
    <main id="main" tabindex="-1"><${Guarded} key=${place.path}>${
      id ? html`<${Conversation} key=${id} id=${id} place=${place} />`
        : section && may(section) ? html`<${section.page} place=${place} me=${me} agents=${agents} />`
          : html`<${Heading} title=${section ? section.title : 'Not found'} />${
            section && html`<p>It needs another role</p>`}<p><a href="/">Conversations</a></p>`}<//></main>
    ${help && html`<${Keys} onClose=${() => setHelp(false)} />`}
    <${Announcer} />`;
}

// A page that cannot be drawn says so; the rest stays.
function Guarded({ children }) {
  const [problem, reset] = useErrorBoundary(console.error);
  return problem ? html`<${Trouble} problem=${problem} retry=${reset} />` : children;
}

// How many requests wait; said aloud when there are more of them.
function usePending(allowed) {
  const [pending, setPending] = useState(0);
  const soon = useSoon(async () => {
    const found = await get('/v1/approvals?limit=200').catch(() => null);
    if (found?.items.length > pending) {
      announce(`${found.items.length} ${found.items.length === 1 ? 'request waits' : 'requests wait'} for approval.`);
    }
    found && setPending(found.items.length);
  }, 200);
  useNews(event => allowed && event.type !== 'conversation' && soon(), [allowed]);
  useEffect(() => { allowed && soon(); }, [allowed]);
  useEffect(() => entitle({ count: pending }), [pending]);
  return pending;
}

function Keys({ onClose }) {
  const [on, setOn] = useState(single.on());
  const [groups] = useState(keyList);
  return html`<${Dialog} title="Keys" onClose=${onClose}>
    ${groups.map(group => html`<section key=${group.name}><h3>${group.name}</h3><dl class="keys">${group.keys.map(([key, words]) =>
      html`<div key=${key}><dt>${key.split(' ').map(one => html`<kbd>${one}</kbd>`)}</dt><dd>${words}</dd></div>`)}</dl></section>`)}
    <label class="check"><input type="checkbox" checked=${on} onChange=${event => { single.set(event.target.checked); setOn(event.target.checked); }} /> Keys of one character are on</label>
  <//>`;
}

async function logOut() {
  await post('/v1/logout').catch(() => undefined);
  location.assign('/login');
}

// Only an address of this server is gone to afterwards.
function next(place) {
  const wanted = place.query.get('next') ?? '/';
  const url = URL.canParse(wanted, location.origin) && new URL(wanted, location.origin);
  return url && url.origin === location.origin ? url.href : '/';
}

function Login({ place }) {
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

render(html`<${App} />`, document.getElementById('app'));
