// @ag-ui/client, which verifies every event.
import { HttpAgent } from '@ag-ui/client';

export async function read(streams) {
  let n = 0;
  let error;
  const customs = [];
  const agent = new HttpAgent({
    url: streams[0],
    threadId: 't1',
    initialMessages: [{ id: 'u1', role: 'user', content: 'Cancel it.' }],
    fetch: (ignored, init) => fetch(streams[n], init),
  });
  const subscriber = {
    onRunErrorEvent: ({ event }) => {
      error = event.code;
    },
    onCustomEvent: ({ event }) => {
      customs.push(event.name);
    },
  };
  for (n = 0; n < streams.length; n++) {
    const resume = agent.pendingInterrupts?.map((interrupt) => ({
      interruptId: interrupt.id,
      status: 'resolved',
      payload: { approved: true },
    }));
    const parameters = { runId: n === 0 ? 'r1' : 'r2', ...(resume?.length ? { resume } : {}) };
    await agent.runAgent(parameters, subscriber);
  }
  return {
    messages: agent.messages.filter((message) => message.role !== 'activity'),
    pending: (agent.pendingInterrupts ?? []).map((interrupt) => interrupt.id),
    customs,
    error,
  };
}
