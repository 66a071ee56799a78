// Reads streams with a client of others: node read.mjs <dialect> <url>. Takes a list of cases
// {name, streams: [path]} as JSON from the standard input, where each stream goes on with the
// conversation of the one before, and prints what the client came to, one line of JSON for a case.
import { text } from 'node:stream/consumers';

const [dialect, url] = process.argv.slice(2);
const { read } = await import(`./${dialect}.mjs`);
for (const { name, streams } of JSON.parse(await text(process.stdin))) {
  let result;
  try {
    result = await read(streams.map((path) => url + path));
  } catch (error) {
    result = { thrown: String(error?.stack ?? error) };
  }
  process.stdout.write(JSON.stringify({ name, ...result }) + '\n');
}
process.exit(0);
