// ai: whether the messages of a page load are such as the client takes.
import { validateUIMessages } from 'ai';

export async function read([history]) {
  const messages = await (await fetch(history)).json();
  const valid = messages.length === 0 ? [] : await validateUIMessages({ messages });
  return { messages: valid };
}
