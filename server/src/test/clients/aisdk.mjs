// ai: a chat over its own transport, which checks each chunk against its schema.
import {
  AbstractChat,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
} from 'ai';

class State {
  status = 'ready';
  error = undefined;
  constructor(messages) {
    this.messages = messages;
  }
  pushMessage = (message) => {
    this.messages = this.messages.concat(message);
  };
  popMessage = () => {
    this.messages = this.messages.slice(0, -1);
  };
  replaceMessage = (index, message) => {
    this.messages = this.messages.with(index, structuredClone(message));
  };
  snapshot = (value) => structuredClone(value);
}

export class Chat extends AbstractChat {
  constructor(init) {
    super({ ...init, state: new State(init.messages ?? []) });
  }
}

export async function read(streams) {
  let n = 0;
  const transport = new DefaultChatTransport({
    api: streams[0],
    fetch: (ignored, init) => fetch(streams[n++], init),
  });
  let thrown;
  const chat = new Chat({
    id: 't1',
    transport,
    onToolCall: ({ toolCall }) => {
      thrown = `the client was asked to run ${toolCall.toolName}`;
    },
    onError: () => {},
    sendAutomaticallyWhen: (options) =>
      n < streams.length && lastAssistantMessageIsCompleteWithApprovalResponses(options),
  });
  await chat.sendMessage({ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Cancel it.' }] });
  if (streams.length > 1) {
    const asked = chat.lastMessage.parts.filter((part) => part.state === 'approval-requested');
    for (const part of asked) {
      await chat.addToolApprovalResponse({ id: part.approval.id, approved: true });
    }
    while (n < streams.length || chat.status !== 'ready') {
      if (chat.status === 'error') {
        break;
      }
      await new Promise((resume) => setImmediate(resume));
    }
  }
  return {
    messages: chat.messages,
    requests: n,
    thrown,
    error: chat.error?.message,
  };
}
