// Draws the pictures of the console in docs/images, of a demonstration that has just been started:
//   ./switchboard serve --demo            prints an address and a token
//   node server/src/test/browser/pictures.mjs http://127.0.0.1:8000 TOKEN
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const { chromium } = createRequire(import.meta.url)('package');
const [address, token] = process.argv.slice(2);
if (!address || !token) {
  console.error('Usage: node pictures.mjs ADDRESS TOKEN');
  process.exit(2);
}
const images = join(here, '../../../../docs/images');
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 1120, height: 720 } });

const ask = (method, path, body) => fetch(address + path, {
  method,
  headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
  body: body && JSON.stringify(body),
}).then(answer => answer.json());
const press = async keys => {
  for (const key of keys.split(' ')) {
    await page.keyboard.press(key);
  }
};
const status = id => ask('GET', '/v1/conversations/' + id).then(one => one.status);

// What the demonstration has not shown: further conversations, and an edit of a block.
async function prepare() {
  while (await status('demo') !== 'waiting') {
    await page.waitForTimeout(200);
  }
  for (const [id, text] of [
    ['anniversary', 'What is on the menu for a vegetarian?'],
    ['table-for-two', 'Do you have a table for two?'],
    ['call-4711', 'Please cancel my reservation.'],
  ]) {
    await ask('POST', '/v1/agents/Reservations/conversations', { id, text });
    while (await status(id) === 'running') {
      await page.waitForTimeout(200);
    }
  }
  const block = '/v1/agents/Reservations/blocks/guest';
  const { version } = await ask('GET', block);
  const value = 'Ada comes with three friends.\nOne of them is a vegetarian, and all like the patio.';
  await ask('PUT', block, { value, version });
}

const pictures = [
  // name, theme, address, what is waited for, what is done then, height
  ['console-conversations', 'light', '/', '.rows li:nth-child(4)', () => press('j'), 325],
  ['console', 'light', '/conversations/demo', '.ask.open', () => undefined, 720],
  ['console-dark', 'dark', '/conversations/demo', '.ask.open', () => press('j j Enter'), 720],
  ['console-approvals', 'light', '/approvals', '.ask.open', async () => {
    await press('e Control+a');
    await page.keyboard.type('R2');
    await page.locator('.diff .new').waitFor();
  }, 690],
  ['console-tools', 'light', '/tools?tool=send_confirmation', '.master', async () => {
    for (let n = 0; n < 3; n++) {
      await ask('POST', '/v1/agents/Reservations/tools/send_confirmation/calls', { arguments: { text: 'Hello ' + n } });
    }
    await page.locator('.breaker button').waitFor();
  }, 520],
  ['console-memory', 'dark', '/memory', '.edits summary', () => page.locator('.edits summary').click(), 640],
];

await prepare();
await page.goto(address + '/login');
await page.fill('input', token);
await page.keyboard.press('Enter');
await page.locator('.rows').waitFor();
for (const [name, colorScheme, path, shown, then, height] of pictures) {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width: 1120, height });
  await page.goto(address + path);
  await page.locator(shown).first().waitFor();
  await page.waitForTimeout(1000);
  await then();
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(images, name + '.png') });
  console.log(join('docs/images', name + '.png'));
}
await browser.close();
