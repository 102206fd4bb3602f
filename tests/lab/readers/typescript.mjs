// What a client of either major is asked to do; `ASKED` is its first argument, as JSON.

export const told = JSON.parse(process.argv[2]);

export function transport(Http, Stdio) {
  return told.url
    ? new Http(new URL(told.url))
    : new Stdio({ command: told.command[0], args: told.command.slice(1) });
}

// `start` is what asks for the first page.
export async function answers(client, start) {
  const steps = {
    async list() {
      const prompts = [];
      let cursor;
      do {
        const page = await client.listPrompts(cursor === undefined ? start : { cursor });
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
  const given = [];
  for (const asked of told.steps) {
    try {
      given.push(await steps[asked.do](asked));
    } catch (problem) {
      given.push({ error: problem.code ?? String(problem) });
    }
  }
  return given;
}
