// @ag-ui/client, which verifies every event.
import { randomUUID } from 'node:crypto';
import { HttpAgent } from '@ag-ui/client';
import { Caller, until } from './caller.mjs';

export class Client extends Caller {
  constructor(of) {
    super(of);
    this.attach();
  }

  attach() {
    this.end = undefined;
    this.error = undefined;
    this.customs = [];
    this.snapshots = 0;
    const agent = new HttpAgent({
      url: `${this.url}/agui/Desk`,
      threadId: this.conversation,
      headers: this.headers,
    });
    agent.subscribe({
      onRunFinishedEvent: ({ event }) => {
        this.end = event.outcome?.type ?? event.outcome;
        this.reason = event.result?.stopReason ?? event.metadata?.switchboard?.stopReason;
      },
      onRunErrorEvent: ({ event }) => {
        if (agent === this.agent) {
          this.end = 'error';
          this.error = event.code;
        }
      },
      onMessagesSnapshotEvent: () => {
        this.snapshots++;
      },
      onCustomEvent: ({ event }) => {
        this.customs.push(event.name);
      },
    });
    this.agent = agent;
  }

  run(parameters = {}) {
    const { agent } = this;
    this.end = undefined;
    this.running = agent.runAgent({ runId: randomUUID(), ...parameters }).catch((error) => {
      if (agent === this.agent) {
        this.error ??= String(error);
      }
    });
  }

  async open() {}

  begin(text, image) {
    const [, mimeType, value] = image?.match(/^data:(.*);base64,(.*)$/) ?? [];
    const content = image
      ? [{ type: 'text', text }, { type: 'image', source: { type: 'data', value, mimeType } }]
      : text;
    this.agent.addMessage({ id: randomUUID(), role: 'user', content });
    this.run();
  }

  resume(payload) {
    const resume = this.agent.pendingInterrupts.map((interrupt) => ({
      interruptId: interrupt.id,
      status: 'resolved',
      payload,
    }));
    this.run({ resume });
  }

  startToApprove(edited) {
    this.resume({ approved: true, ...(edited && { editedArgs: edited }) });
  }

  async approve(edited) {
    this.startToApprove(edited);
    await this.rest();
  }

  async deny(reason) {
    this.resume({ approved: false, reason });
    await this.rest();
  }

  async answerElsewhere(edited) {
    const [interrupt] = this.agent.pendingInterrupts;
    await this.answer(interrupt.id, { decision: 'approve', arguments: edited });
  }

  // A page that has lost everything but the id of its conversation.
  async reload() {
    const before = this.agent;
    this.attach();
    before.abortRun();
    await this.running;
    await this.join();
  }

  async join() {
    this.snapshots = 0;
    this.error = undefined;
    this.run();
    await until(() => this.snapshots === 1 || this.error, 'a snapshot');
  }

  // A page whose connection broke.
  async rejoin() {
    const { agent } = this;
    this.agent = undefined;
    agent.abortRun();
    await this.running;
    this.agent = agent;
    agent.abortController = new AbortController();
    await this.join();
  }

  words() {
    return this.agent.messages
      .filter((message) => message.role === 'assistant' && message.content)
      .map((message) => message.content);
  }

  told() {
    const { messages } = this.agent;
    const waiting = this.agent.pendingInterrupts ?? [];
    const results = new Map(
      messages.filter(({ role }) => role === 'tool').map((message) => [message.toolCallId, message]),
    );
    const calls = messages
      .flatMap((message) => message.toolCalls ?? [])
      .map((call) => {
        const result = results.get(call.id);
        return {
          name: call.function.name,
          arguments: JSON.parse(call.function.arguments),
          state: state(result, waiting.some((interrupt) => interrupt.toolCallId === call.id)),
          result: result?.content,
        };
      });
    return {
      users: messages.filter(({ role }) => role === 'user').map(({ content }) => content),
      words: this.words(),
      calls,
      end: this.end,
      reason: this.reason,
      error: this.error,
      customs: this.customs,
      snapshots: this.snapshots,
      messages: messages.filter(({ role }) => role !== 'activity'),
    };
  }
}

function state(result, waits) {
  const told = result?.metadata?.switchboard;
  if (!told) {
    return waits ? 'waiting' : 'running';
  }
  return told.success ? 'done' : told.code === 'consent_denied' ? 'denied' : 'failed';
}
