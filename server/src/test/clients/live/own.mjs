// @steerable/agent-ui: its hook in a page without a screen, over its parser and its bridge.
import { createElement } from 'react';
import { create } from 'react-test-renderer';
import { useChatStream } from '@steerable/agent-ui/hooks';
import { SSEParser, bridgeLegacySSE, parseSSEData } from '@steerable/agent-ui/state';
import { Caller, until } from './caller.mjs';

export class Client extends Caller {
  last = '0';
  waiting = new Set();
  events = [];

  async attach(initialMessages) {
    const transport = { stream: (input, onEvent) => this.stream(input, onEvent) };
    const toolResultToMessage = (result) => ({
      id: `res_${result.callId}`,
      role: 'tool',
      content: '',
      toolResult: result,
    });
    const options = { transport, initialMessages, toolResultToMessage };
    const Page = () => {
      this.hook = useChatStream(options);
      return null;
    };
    this.hook = undefined;
    this.page = create(createElement(Page));
    await until(() => this.hook, 'the page is there');
  }

  async open() {
    await this.call('POST', '/v1/agents/Desk/conversations', { id: this.conversation });
    await this.attach([]);
  }

  async stream(input, onEvent) {
    const aborter = new AbortController();
    this.aborter = aborter;
    const resumes = input.metadata?.resume;
    const path = `/v1/conversations/${this.conversation}/${resumes ? 'events' : 'turns'}`;
    const headers = { ...this.headers, Accept: 'text/event-stream' };
    if (resumes) {
      headers['Last-Event-ID'] = this.last;
    }
    const response = await fetch(this.url + path, {
      method: resumes ? 'GET' : 'POST',
      headers,
      body: resumes ? undefined : JSON.stringify({ text: input.content }),
      signal: aborter.signal,
    });
    if (!response.ok) {
      throw new Error(`${response.status} ${await response.text()}`);
    }
    this.connected = true;
    let over = false;
    const parser = new SSEParser({
      onFrame: (frame) => {
        if (aborter.signal.aborted || over) {
          return;
        }
        const event = bridgeLegacySSE(parseSSEData(frame.data), frame.event);
        this.note(frame, event);
        onEvent(event);
        over = resumes && event.type === 'done';
      },
      onError: (error) => {
        throw error;
      },
    });
    const decoder = new TextDecoder();
    for await (const chunk of response.body) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      if (over) {
        break;
      }
    }
    parser.end();
  }

  note(frame, event) {
    this.last = frame.id;
    this.events.push(Number(frame.id));
    if (event.type === 'done') {
      this.end = event.payload.stopReason;
    } else if (event.type === 'error') {
      this.error = event.code;
    } else if (event.event === 'consent_request') {
      this.waiting.add(event.payload.id);
    } else if (event.event === 'consent_answer') {
      this.waiting.delete(event.payload.id);
    }
  }

  begin(text) {
    this.run(this.hook.sendUserMessage({ content: text }));
  }

  run(turn) {
    this.end = undefined;
    this.error = undefined;
    this.connected = false;
    this.running = turn.finally(() => {
      this.running = undefined;
    });
  }

  // React shows what came last a moment later: what was put behind it shows that it is there.
  async shown() {
    const mark = { id: `mark_${this.events.length}_${this.last}`, role: 'system', content: '' };
    this.hook.appendMessage(mark);
    await until(() => this.hook.messages.includes(mark), 'the page shows all');
  }

  async rest() {
    await this.running;
    await this.shown();
  }

  async decide(body) {
    const [request] = this.waiting;
    await this.answer(`${this.conversation}:${request}`, body);
    this.run(this.hook.resumeTurn());
  }

  startToApprove(edited) {
    return this.decide({ decision: 'approve', arguments: edited });
  }

  async approve(edited) {
    await this.startToApprove(edited);
    await this.rest();
  }

  async deny(reason) {
    await this.decide({ decision: 'deny', reason });
    await this.rest();
  }

  // A page that kept its messages and the number of the last event it read.
  async reload() {
    const streamed = this.running !== undefined;
    await this.shown();
    const { messages } = this.hook;
    this.aborter.abort();
    this.page.unmount();
    await this.attach(messages);
    if (streamed) {
      this.run(this.hook.resumeTurn());
      await until(() => this.connected, 'the stream goes on');
    }
  }

  words() {
    return this.hook.messages
      .filter((message) => message.role === 'assistant' && message.content)
      .map((message) => message.content);
  }

  told() {
    const { messages } = this.hook;
    const results = new Map(
      messages.filter((one) => one.toolResult).map((one) => [one.toolResult.callId, one.toolResult]),
    );
    const calls = messages
      .flatMap((message) => message.toolCalls ?? [])
      .map((call) => ({
        name: call.name,
        arguments: call.arguments,
        state: state(results.get(call.id), this.waiting.has(call.id)),
        result: results.get(call.id)?.text,
      }));
    return {
      users: messages.filter(({ role }) => role === 'user').map(({ content }) => content),
      words: this.words(),
      calls,
      end: this.end,
      error: this.error,
      events: this.events,
    };
  }
}

function state(result, waits) {
  if (!result) {
    return waits ? 'waiting' : 'running';
  }
  return result.success ? 'done' : result.code === 'consent_denied' ? 'denied' : 'failed';
}
