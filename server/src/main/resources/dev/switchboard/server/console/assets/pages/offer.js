// What may run now, and why the rest may not.

import { html } from '../vendor/htm-preact.js';
import { count, visible } from '../text.js';
import { Loading, Sign } from '../ui.js';

// The rule's own words, without the sentence that every refusal begins with.
const reason = why => visible(why ?? '').replace(/^Tool rule violation: Tool '.*?' cannot be executed: /, '');

export function Offer({ offer }) {
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
