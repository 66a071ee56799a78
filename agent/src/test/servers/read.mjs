// Reads streams with the packages of the providers. The input is an array of
// {api, url}; for each the output has a line {words, calls, items} or {thrown}. Words with
// something between them are joined by a blank line.
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';

const options = (url) => ({ baseURL: url, apiKey: 'none', maxRetries: 0, logLevel: 'off' });

// No format: what a reply has to be is not for the packages to judge.
const asked = { model: 'm' };

const call = (id, name, given) => ({ id, name, arguments: given });

const readers = {
  async responses(url) {
    const client = new OpenAI(options(url));
    const response = await client.responses.stream({ ...asked, input: [] }).finalResponse();
    if (response.status === 'in_progress') {
      throw new Error('the stream ended before the response was complete');
    }
    const of = (type) => response.output.filter((item) => item.type === type);
    return {
      words: of('message')
        .map(({ content }) => content.map(({ text }) => text).join(''))
        .join('\n\n'),
      calls: of('function_call').map((item) =>
        call(item.call_id, item.name, JSON.parse(item.arguments)),
      ),
      items: of('reasoning'),
    };
  },

  async chat(url) {
    const client = new OpenAI(options(url));
    const stream = client.chat.completions.stream({ ...asked, messages: [] });
    const message = await stream.finalMessage();
    return {
      words: message.content ?? '',
      calls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: given } }) =>
        call(id, name, JSON.parse(given)),
      ),
      items: [],
    };
  },

  async anthropic(url) {
    const client = new Anthropic(options(url));
    const stream = client.messages.stream({ ...asked, max_tokens: 9, messages: [] });
    const message = await stream.finalMessage();
    const of = (...types) => message.content.filter(({ type }) => types.includes(type));
    return {
      words: message.content
        .reduce(
          (pieces, { type, text }) =>
            type === 'text'
              ? [...pieces.slice(0, -1), (pieces.at(-1) ?? '') + text]
              : [...pieces, ''],
          [''],
        )
        .filter((piece) => piece !== '')
        .join('\n\n'),
      calls: of('tool_use').map(({ id, name, input }) => call(id, name, input)),
      items: of('thinking', 'redacted_thinking'),
    };
  },
};

let input = '';
for await (const chunk of process.stdin) {
  input += chunk;
}
for (const { api, url } of JSON.parse(input)) {
  let read;
  try {
    read = await readers[api](url);
  } catch (error) {
    read = { thrown: String(error.message ?? error) };
  }
  console.log(JSON.stringify(read));
}
