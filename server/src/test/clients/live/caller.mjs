// What the clients have in common: where the server is, and the requests that no dialect has.
export class Caller {
  constructor({ url, token, conversation }) {
    this.url = url;
    this.conversation = conversation;
    this.headers = { Authorization: `Bearer ${token}` };
  }

  async call(method, path, body, headers = {}) {
    const response = await fetch(this.url + path, {
      method,
      headers: { ...this.headers, 'Content-Type': 'application/json', ...headers },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`${method} ${path}: ${response.status} ${text}`);
    }
    return text && JSON.parse(text);
  }

  answer(request, body) {
    return this.call('POST', `/v1/approvals/${encodeURIComponent(request)}`, body);
  }

  cancelTurn() {
    return this.call('POST', `/v1/conversations/${this.conversation}/cancel`);
  }

  // Begins a turn and comes back once these words of it are there.
  async start(text, words) {
    this.begin(text);
    await until(() => this.words().join('').includes(words), words);
  }

  async say(text, image) {
    this.begin(text, image);
    await this.rest();
  }

  async rest() {
    await this.running;
  }

  async cancel() {
    await this.cancelTurn();
    await this.rest();
  }
}

export async function until(condition, what) {
  const end = Date.now() + 8000;
  while (!(await condition())) {
    if (Date.now() > end) {
      throw new Error(`in vain for 8 s: ${what}`);
    }
    await new Promise((resume) => setTimeout(resume, 5));
  }
}
