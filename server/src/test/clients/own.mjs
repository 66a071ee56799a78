// @steerable/agent-ui: its parser and its bridge, in pieces as a network cuts them.
import { SSEParser, bridgeLegacySSE, parseSSEData } from '@steerable/agent-ui/state';

export async function read([stream]) {
  const events = [];
  let complete = false;
  const parser = new SSEParser({
    onFrame: (frame) => {
      events.push({ id: frame.id, event: bridgeLegacySSE(parseSSEData(frame.data), frame.event) });
    },
    onComplete: () => {
      complete = true;
    },
    onError: (error) => {
      throw error;
    },
  });
  const told = await (await fetch(stream)).text();
  for (let at = 0; at < told.length; at += 7) {
    parser.feed(told.slice(at, at + 7));
  }
  parser.end();
  return { events, complete };
}
