// The client that the conformance suite starts for each scenario: it has a client that runs already do
// the work, at the port of the first argument, against the URL of the last.
const [port, url] = process.argv.slice(2);
const answer = await fetch(`http://127.0.0.1:${port}/`, {
  method: 'POST',
  body: JSON.stringify({
    url,
    scenario: process.env.MCP_CONFORMANCE_SCENARIO,
    context: JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}'),
  }),
});
console.log(await answer.text());
process.exit(answer.ok ? 0 : 1);
