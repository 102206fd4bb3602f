// The TypeScript SDK's client of the first major: `node typescript1.mjs ASKED ENVIRONMENT`.
import { createRequire } from 'node:module';

const told = JSON.parse(process.argv[2]);
const need = createRequire(`${process.argv[3]}/`);
const { Client } = need('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = need('@modelcontextprotocol/sdk/client/stdio.js');
const { StreamableHTTPClientTransport } = need('@modelcontextprotocol/sdk/client/streamableHttp.js');

const client = new Client({ name: 'typescript1', version: '1' });
const steps = {
  async list() {
    const prompts = [];
    let cursor;
    do {
      const page = await client.listPrompts(cursor === undefined ? {} : { cursor });
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
let revision;
transport.setProtocolVersion = ((set) => (version) => {
  revision = version;
  set?.call(transport, version);
})(transport.setProtocolVersion);
await client.connect(transport);
const answers = [];
for (const asked of told.steps) {
  try {
    answers.push(await steps[asked.do](asked));
  } catch (problem) {
    answers.push({ error: problem.code ?? String(problem) });
  }
}
console.log(JSON.stringify({ revision, answers }));
await client.close();
