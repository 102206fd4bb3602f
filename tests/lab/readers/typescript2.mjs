// The TypeScript SDK's client of the second major: `node typescript2.mjs ASKED ENVIRONMENT`.
import { createRequire } from 'node:module';

const told = JSON.parse(process.argv[2]);
const need = createRequire(`${process.argv[3]}/`);
const { Client, StreamableHTTPClientTransport } = need('@modelcontextprotocol/client');
const { StdioClientTransport } = need('@modelcontextprotocol/client/stdio');

const client = new Client(
  { name: 'typescript2', version: '1' },
  {
    capabilities: { elicitation: {} },
    versionNegotiation: { mode: told.modern ? { pin: '2026-07-28' } : 'legacy' },
  },
);
client.setRequestHandler('elicitation/create', async () => ({
  action: 'accept',
  content: { context: 'x' },
}));
const steps = {
  async list() {
    const prompts = [];
    let cursor;
    do {
      const page = await client.listPrompts(cursor === undefined ? undefined : { cursor });
      prompts.push(...page.prompts);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return prompts;
  },
  get: ({ name, arguments: given }) => client.getPrompt({ name, arguments: given }),
  async complete({ name, argument }) {
    return (await client.complete({ ref: { type: 'ref/prompt', name }, argument })).completion;
  },
  tools: () => client.listTools(),
};

const transport = told.url
  ? new StreamableHTTPClientTransport(new URL(told.url))
  : new StdioClientTransport({ command: told.command[0], args: told.command.slice(1) });
await client.connect(transport);
const answers = [];
for (const asked of told.steps) {
  try {
    answers.push(await steps[asked.do](asked));
  } catch (problem) {
    answers.push({ error: problem.code ?? String(problem) });
  }
}
console.log(JSON.stringify({ revision: client.getNegotiatedProtocolVersion(), answers }));
await client.close();
