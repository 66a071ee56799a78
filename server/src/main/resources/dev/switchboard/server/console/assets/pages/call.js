import { html, useEffect, useRef, useState } from '../vendor/htm-preact.js';
import { visible } from '../text.js';
import { announce, Choice, Dialog, Sign } from '../ui.js';

const KEYS = [...'123456789*0#'];
const REASONS = {
  hung_up: 'You have hung up', end_call: 'The agent has ended the call', silence: 'Nobody said anything', duration: 'The call has reached its limit',
  failed: 'The call could not continue', shutdown: 'The server stops', busy: 'The line is busy',
};

/** A dialog in which one of these agents is called. */
export function CallDialog({ agents, preset, onClose }) {
  const [name, setName] = useState(agents.some(agent => agent.name === preset) ? preset : agents[0].name);
  const [number, setNumber] = useState(agents.length === 1 ? 1 : 0); // of the call, 0 before the first
  const agent = agents.find(one => one.name === name);
  return html`<${Dialog} title=${`Call ${visible(name)}`} onClose=${onClose}>
    ${number === 0
      ? html`<form class="stack" onSubmit=${event => { event.preventDefault(); setNumber(1); }}>
        <${Choice} label="Agent" value=${name} options=${agents.map(one => [one.name, visible(one.name)])} onChange=${setName} />
        <div class="actions"><button type="submit" class="primary">Call</button></div></form>`
      : html`<${Call} key=${number} address=${agent.call} again=${() => setNumber(number + 1)} />`}<//>`;
}

// The lines of a call: each response of the agent grows as its words come.
const add = (lines, by, token, last, firm) => {
  const open = lines.at(-1);
  return open?.by === by && !open.last
    ? [...lines.slice(0, -1), { by, text: open.text + token, last, firm }]
    : token ? [...lines, { by, text: token, last, firm }] : lines;
};

function useCall(address) {
  const [lines, setLines] = useState([]);
  const [state, setState] = useState({ word: 'connecting' });
  const socket = useRef();
  useEffect(() => {
    const line = new WebSocket(new URL(address, location.href.replace(/^http/, 'ws')));
    socket.current = line;
    line.onopen = () => setState({ word: 'connected' });
    line.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === 'text') {
        setLines(old => add(old, 'agent', message.token, message.last, !message.interruptible));
      } else if (message.type === 'end') {
        setState({ word: 'ended', reason: message.reason });
      }
    };
    line.onclose = () => setState(old => old.word === 'ended' ? old : { word: 'ended', reason: old.word === 'connected' ? 'lost' : 'refused' });
    return () => {
      line.onmessage = line.onclose = null;
      line.close();
    };
  }, [address]);
  const send = (message, text) => {
    const said = lines.at(-1);
    if (message.type === 'prompt' && said?.by === 'agent' && !said.last && !said.firm) {
      socket.current.send(JSON.stringify({ type: 'interrupt', utteranceUntilInterrupt: said.text }));
    }
    socket.current.send(JSON.stringify(message));
    setLines(old => add(old, 'caller', text, true));
  };
  const hangUp = () => {
    setState({ word: 'ended', reason: 'hung_up' });
    socket.current.close();
  };
  return { lines, state, send, hangUp };
}

function Call({ address, again }) {
  const { lines, state, send, hangUp } = useCall(address);
  const [text, setText] = useState('');
  const log = useRef();
  const open = state.word === 'connected';
  useEffect(() => document.getElementById('call-text').focus(), []);
  useEffect(() => {
    log.current.scrollTop = log.current.scrollHeight;
    const said = lines.at(-1);
    said?.by === 'agent' && said.last && announce(said.text);
  }, [lines]);
  const say = event => {
    event.preventDefault();
    const words = text.trim();
    if (open && words) {
      send({ type: 'prompt', voicePrompt: words, last: true }, words);
      setText('');
    }
  };
  return html`<p class="facts"><${Sign} kind=${open ? 'running' : state.word === 'ended' ? 'idle' : 'waiting'}>${stateWords(state)}<//></p>
    <ol class="call-lines" ref=${log} tabindex="0" aria-label="What is said">${lines.map(({ by, text: words }, i) => html`<li key=${i} class=${'said-by ' + (by === 'caller' ? 'user' : 'text')}>
      <p class="speaker">${by === 'caller' ? 'You' : 'Agent'}</p><p class="words">${visible(words)}</p></li>`)}</ol>
    <form class="call-say" onSubmit=${say}><label class="unseen" for="call-text">What you say</label>
      <input id="call-text" type="text" autocomplete="off" maxlength="4000" placeholder="Say something" value=${text} onInput=${event => setText(event.target.value)} />
      <button type="submit" class="primary" disabled=${!open || !text.trim()}>Say</button></form>
    <div class="keypad" role="group" aria-label="Keypad">${KEYS.map(key => html`<button key=${key} type="button" disabled=${!open} onClick=${() => send({ type: 'dtmf', digit: key }, `Key ${key}`)}>${key}</button>`)}</div>
    <div class="actions">${state.word === 'ended'
      ? html`<button type="button" class="primary" onClick=${again}>Call again</button>`
      : html`<button type="button" class="danger" onClick=${hangUp}>Hang up</button>`}</div>`;
}

function stateWords({ word, reason }) {
  switch (word) {
    case 'connecting': return 'Calling…';
    case 'connected': return 'Connected';
    default: return reason === 'refused' ? 'The server has not accepted the call' : reason === 'lost' ? 'The connection is lost' : REASONS[reason] ?? `The call has ended: ${reason}`;
  }
}
