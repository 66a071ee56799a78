// Draws the pictures of the console in docs/images:
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
const page = await browser.newPage({ viewport: { width: 1180, height: 800 }, colorScheme: 'light' });
await page.goto(address + '/login');
await page.fill('input', token);
await page.keyboard.press('Enter');
await page.locator('.rows').waitFor();
for (const [name, path, shown] of [
  ['console', '/conversations/demo', '.ask.open'],
  ['console-approvals', '/approvals', '.ask.open'],
]) {
  await page.goto(address + path);
  await page.locator(shown).first().waitFor();
  await page.waitForTimeout(1000);
  await page.screenshot({ path: join(images, name + '.png') });
  console.log(join('docs/images', name + '.png'));
}
await browser.close();
