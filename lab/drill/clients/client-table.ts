/** Somebody else's program, as its users start it for one task. */
export interface Client {
  readonly name: string;
  /** On npm, with its version. */
  readonly package: string;
  /** A script of the package that npm leaves out where scripts are off. */
  readonly prepare?: string;
  readonly command: string;
  start(given: Given): Started;
}

export interface Given {
  readonly task: string;
  /** Grove's, without `/v1`. */
  readonly address: string;
  readonly key: string;
  readonly model: string;
}

interface Started {
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Settings in its home, which is also where it works, by path. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

export const clients: readonly Client[] = [
  {
    name: "Claude Code",
    package: "@anthropic-ai/claude-code@2.1.197",
    command: "claude",
    start: ({ task, address, key, model }) => ({
      args: ["-p", task, "--dangerously-skip-permissions", "--model", model],
      environment: {
        ANTHROPIC_BASE_URL: address,
        ANTHROPIC_API_KEY: key,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        // It refuses to act for root without one.
        IS_SANDBOX: "1",
      },
    }),
  },
  {
    name: "Codex",
    package: "@openai/codex@0.171.0",
    command: "codex",
    start: ({ task, address, key, model }) => {
      const provider = `{name="Grove",base_url="${address}/v1",env_key="PROGRAM_KEY",wire_api="responses"}`;
      const set = ["model_provider=grove", `model_providers.grove=${provider}`];
      const alone = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
      return {
        args: ["exec", ...alone, ...set.flatMap((each) => ["-c", each]), "-m", model, task],
        environment: { PROGRAM_KEY: key },
      };
    },
  },
  opencode("chat", "@ai-sdk/openai-compatible"),
  opencode("responses", "@ai-sdk/openai"),
];

function opencode(api: string, npm: string): Client {
  return {
    name: `opencode (${api})`,
    package: "opencode-ai@1.18.33",
    prepare: "postinstall.mjs",
    command: "opencode",
    start: ({ task, address, key, model }) => {
      const limit = { context: 100_000, output: 8_000 };
      const grove = {
        npm,
        name: "Grove",
        options: { baseURL: `${address}/v1`, apiKey: key },
        models: { [model]: { name: model, tool_call: true, limit } },
      };
      const settings = { permission: { bash: "allow" }, autoupdate: false, provider: { grove } };
      return {
        args: ["run", "--model", `grove/${model}`, task],
        settings: { "opencode.json": settings },
      };
    },
  };
}
