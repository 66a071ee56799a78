// ai: a chat over its own transport, which checks each chunk against its schema.
import { randomUUID } from 'node:crypto';
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';
import { Chat } from '../aisdk.mjs';
import { Caller, until } from './caller.mjs';

const STATES = {
  'input-available': 'running',
  'approval-requested': 'waiting',
  'approval-responded': 'answered',
  'output-available': 'done',
  'output-error': 'failed',
  'output-denied': 'denied',
};

export class Client extends Caller {
  constructor(of) {
    super(of);
    this.attach([]);
  }

  attach(messages) {
    this.end = undefined;
    this.requests = 0;
    const transport = new DefaultChatTransport({
      api: `${this.url}/ai/Desk`,
      headers: this.headers,
      fetch: (url, init) => {
        this.requests++;
        return fetch(url, init);
      },
    });
    const chat = new Chat({
      id: this.conversation,
      messages,
      transport,
      onToolCall: ({ toolCall }) => {
        this.thrown = `the client was asked to run ${toolCall.toolName}`;
      },
      onError: () => {},
      onFinish: ({ finishReason }) => {
        if (chat === this.chat) {
          this.end = finishReason;
        }
      },
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    });
    this.chat = chat;
  }

  async open() {}

  begin(text, image) {
    const mediaType = image?.replace(/^data:(.*);.*$/, '$1');
    this.end = undefined;
    this.running = this.chat.sendMessage({
      id: randomUUID(),
      role: 'user',
      parts: [
        ...(image ? [{ type: 'file', mediaType, url: image, filename: 'dot.gif' }] : []),
        { type: 'text', text },
      ],
    });
  }

  asked() {
    const parts = this.chat.lastMessage?.parts ?? [];
    return parts.filter((part) => part.state === 'approval-requested');
  }

  async respond(approved, reason) {
    const before = this.requests;
    this.end = undefined;
    for (const part of this.asked()) {
      await this.chat.addToolApprovalResponse({ id: part.approval.id, approved, reason });
    }
    await until(() => this.requests > before, 'the answer is sent');
  }

  isIdle() {
    return this.chat.status === 'ready' || this.chat.status === 'error';
  }

  async startToApprove(edited) {
    if (edited) {
      await this.answerElsewhere(edited);
    }
    await this.respond(true);
  }

  async approve(edited) {
    await this.startToApprove(edited);
    await until(() => this.isIdle(), 'the answer is taken');
  }

  async deny(reason) {
    await this.respond(false, reason);
    await until(() => this.isIdle(), 'the answer is taken');
  }

  // Nothing is said to the server.
  async leave() {
    await this.chat.stop();
    await this.running;
  }

  async answerElsewhere(edited) {
    const [part] = this.asked();
    await this.answer(part.approval.id, { decision: 'approve', arguments: edited });
  }

  // A page that loads its messages and takes up the turn that runs.
  async reload() {
    const before = this.chat;
    const messages = await this.call('GET', `/ai/Desk/${this.conversation}/messages`);
    this.attach(messages);
    await before.stop();
    await this.running;
    this.running = this.chat.resumeStream();
    await Promise.race([
      this.running,
      until(() => this.chat.status === 'streaming', 'the stream goes on'),
    ]);
  }

  parts() {
    return this.chat.messages
      .filter((message) => message.role === 'assistant')
      .flatMap((message) => message.parts);
  }

  words() {
    return this.parts()
      .filter((part) => part.type === 'text' && part.text)
      .map((part) => part.text);
  }

  told() {
    const calls = this.parts()
      .filter((part) => part.type === 'dynamic-tool')
      .map((part) => ({
        name: part.toolName,
        arguments: part.input,
        state: STATES[part.state] ?? part.state,
        result: part.output ?? part.errorText,
      }));
    return {
      users: this.chat.messages
        .filter(({ role }) => role === 'user')
        .map(({ parts }) => parts[0].text),
      words: this.words(),
      calls,
      end: this.end,
      reason: this.chat.lastMessage?.metadata?.stopReason,
      error: this.chat.error?.message,
      thrown: this.thrown,
      requests: this.requests,
      messages: this.chat.messages,
    };
  }
}
