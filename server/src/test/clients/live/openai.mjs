// openai: streams of chat completions by its helper. A person allows calls by the approval's id,
// which the reply's last sentence names.
import { randomUUID } from 'node:crypto';
import OpenAI from 'openai';
import { Caller, until } from './caller.mjs';

export class Client extends Caller {
  said = [];

  constructor(of) {
    super(of);
    this.completions = new OpenAI({
      baseURL: `${this.url}/v1`,
      apiKey: of.token,
      maxRetries: 0,
    }).chat.completions;
  }

  request(text) {
    return { model: 'Desk', messages: [{ role: 'user', content: text }] };
  }

  // The same key counts once.
  options() {
    return { headers: { 'X-Conversation-Id': this.conversation, 'Idempotency-Key': this.key } };
  }

  async open() {}

  begin(text, image) {
    this.key = randomUUID();
    this.text = image
      ? [{ type: 'text', text }, { type: 'image_url', image_url: { url: image } }]
      : text;
    this.said.push('');
    this.take();
  }

  take() {
    this.end = undefined;
    this.error = undefined;
    const stream = this.completions.stream(
      { ...this.request(this.text), stream_options: { include_usage: true } },
      this.options(),
    );
    this.stream = stream;
    const at = this.said.length - 1;
    this.said[at] = '';
    stream.on('content', (delta) => {
      if (stream === this.stream) {
        this.said[at] += delta;
      }
    });
    this.running = this.finish(stream);
  }

  async finish(stream) {
    try {
      const completion = await stream.finalChatCompletion();
      this.end = completion.choices[0].finish_reason;
      this.usage = completion.usage;
    } catch (error) {
      if (stream === this.stream) {
        this.end = 'error';
        this.error = error.code ?? error.message;
      }
    }
  }

  // The same without a stream.
  async whole(text) {
    const completion = await this.completions.create(this.request(text), {
      headers: { 'X-Conversation-Id': this.conversation },
    });
    this.said.push(completion.choices[0].message.content);
    this.end = completion.choices[0].finish_reason;
    this.usage = completion.usage;
  }

  // A request that is refused.
  async ask(model) {
    try {
      await this.completions.create({ ...this.request('Hi'), model });
    } catch (error) {
      this.error = `${error.status} ${error.code}`;
    }
  }

  asked() {
    return /Approval: (\S+)/.exec(this.said.at(-1))[1];
  }

  async decide(body) {
    await this.answer(this.asked(), body);
    await until(async () => {
      const shown = await this.call('GET', `/v1/conversations/${this.conversation}`);
      return shown.status === 'idle';
    }, 'the turn ends');
  }

  approve(edited) {
    return this.decide({ decision: 'approve', arguments: edited });
  }

  deny(reason) {
    return this.decide({ decision: 'deny', reason });
  }

  // A client that lost its stream asks for the same once more.
  async reload() {
    const { stream, running } = this;
    this.stream = undefined;
    stream.abort();
    await running;
    this.take();
    await until(() => this.said.at(-1), 'the words come again');
  }

  words() {
    return this.said.filter(Boolean);
  }

  told() {
    return {
      words: this.words(),
      calls: [],
      end: this.end,
      error: this.error,
      usage: this.usage,
    };
  }
}
