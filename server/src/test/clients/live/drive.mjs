// A client of others that talks to a server: node drive.mjs <client>. Takes commands from the
// standard input, one line of JSON {of, command, args} each, where `of` is {url, token,
// conversation}, and prints for each what the client has come to, as a line of JSON.
import { createInterface } from 'node:readline';

const { Client } = await import(`./${process.argv[2]}.mjs`);
const clients = new Map();
for await (const line of createInterface({ input: process.stdin })) {
  const { of, command, args } = JSON.parse(line);
  const key = of.url + of.conversation;
  let told;
  try {
    if (!clients.has(key)) {
      clients.set(key, new Client(of));
    }
    const client = clients.get(key);
    await client[command](...args);
    told = await client.told();
  } catch (error) {
    told = { thrown: String(error?.stack ?? error) };
  }
  process.stdout.write(JSON.stringify(told) + '\n');
}
process.exit(0);
