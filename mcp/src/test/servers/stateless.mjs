// A server of the revision without sessions, over standard input and output, whose tools change.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

serveStdio(() => {
  const server = new McpServer({ name: 'stateless', version: '1.0.0' });
  server.registerTool(
    'greet',
    { description: 'Greets.', inputSchema: z.object({ name: z.string() }) },
    async ({ name }) => ({ content: [{ type: 'text', text: `Hello, ${name}` }] }),
  );
  server.registerTool('add_tool', { description: 'Adds a tool.' }, async () => {
    server.registerTool('later', { description: 'Was added.' }, async () => ({
      content: [{ type: 'text', text: 'later' }],
    }));
    return { content: [{ type: 'text', text: 'added' }] };
  });
  return server;
});
