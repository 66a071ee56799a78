// openai: a stream read as chunks and by the helper that puts them together, and a whole answer.
import OpenAI from 'openai';

export async function read([stream, whole]) {
  const told = {};
  const request = { model: 'bistro', messages: [{ role: 'user', content: 'Hello' }] };
  const client = (url) =>
    new OpenAI({
      baseURL: 'http://localhost',
      apiKey: 'none',
      maxRetries: 0,
      fetch: (ignored, init) => fetch(url, init),
    }).chat.completions;
  try {
    const chunks = await client(stream).create({ ...request, stream: true });
    told.streamed = '';
    for await (const chunk of chunks) {
      told.streamed += chunk.choices[0]?.delta.content ?? '';
      told.finish = chunk.choices[0]?.finish_reason ?? told.finish;
      told.usage = chunk.usage ?? told.usage;
    }
    told.gathered = await client(stream).stream(request).finalContent();
  } catch (error) {
    told.streamError = error.message;
  }
  try {
    const answer = await client(whole).create(request);
    told.whole = answer.choices[0].message.content;
  } catch (error) {
    told.wholeError = error.message;
  }
  return told;
}
