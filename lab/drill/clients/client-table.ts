import type { Client } from "./client";
import { mcpClients } from "./mcp-clients";
import { sdkClients } from "./sdk-clients";

export const clients: readonly Client[] = [
  claudeCode("Claude Code"),
  claudeCode("Claude Code (MCP)", "calls"),
  codex("Codex"),
  codex("Codex (MCP)", "calls"),
  opencode("chat", "@ai-sdk/openai-compatible"),
  opencode("responses", "@ai-sdk/openai"),
  {
    name: "pi",
    packages: ["@mariozechner/pi-coding-agent@0.73.1"],
    command: "pi",
    start: ({ task, address, key, model }) => {
      const grove = {
        ...{ baseUrl: `${address}/v1`, api: "openai-completions", apiKey: key },
        models: [{ id: model, contextWindow: 100_000, maxTokens: 8_000 }],
      };
      return {
        args: ["--print", "--provider", "grove", "--model", model, task],
        settings: { ".pi/agent/models.json": { providers: { grove } } },
      };
    },
  },
  {
    name: "Qwen Code",
    packages: ["@qwen-code/qwen-code@0.24.4"],
    command: "qwen",
    start: ({ task, address, key, model }) => ({
      args: ["--yolo", "--auth-type", "openai", "--model", model, task],
      environment: { OPENAI_BASE_URL: `${address}/v1`, OPENAI_API_KEY: key },
    }),
  },
  {
    name: "Continue",
    packages: ["@continuedev/cli@1.5.47"],
    command: "cn",
    start: ({ task, address, key, model }) => {
      const own = {
        name: "Grove",
        provider: "openai",
        model,
        apiBase: `${address}/v1`,
        apiKey: key,
      };
      return {
        args: ["--print", "--auto", "--config", "config.yaml", task],
        // JSON is YAML.
        settings: {
          "config.yaml": {
            ...{ name: "Drill", version: "1.0.0", schema: "v1" },
            models: [{ ...own, roles: ["chat"], capabilities: ["tool_use"] }],
          },
        },
        environment: { CONTINUE_TELEMETRY_ENABLED: "0" },
      };
    },
  },
  {
    name: "Cline",
    packages: ["cline@3.0.65"],
    command: "cline",
    before: ({ address, key, model }) => [
      ...["auth", "--provider", "openai-compatible", "--apikey", key],
      ...["--modelid", model, "--baseurl", `${address}/v1`],
    ],
    start: ({ task, model }) => ({
      args: ["--provider", "openai-compatible", "--model", model, task],
    }),
  },
  {
    name: "promptfoo",
    packages: ["promptfoo@0.123.1"],
    command: "promptfoo",
    asks: true,
    start: ({ task, address, key, model }) => {
      const grove = { id: `openai:chat:${model}`, config: { apiBaseUrl: `${address}/v1` } };
      const assert = [{ type: "contains", value: "made" }];
      return {
        args: ["eval", "--no-cache", "--no-progress-bar"],
        settings: {
          "promptfooconfig.yaml": {
            prompts: ["{{task}}"],
            providers: [grove],
            tests: [{ vars: { task }, assert }],
          },
        },
        environment: {
          OPENAI_API_KEY: key,
          PROMPTFOO_DISABLE_TELEMETRY: "1",
          PROMPTFOO_DISABLE_UPDATE: "1",
          PROMPTFOO_DISABLE_REMOTE_GENERATION: "true",
        },
      };
    },
  },
  ...sdkClients,
  ...mcpClients,
];

function opencode(api: string, npm: string): Client {
  return {
    name: `opencode (${api})`,
    packages: ["opencode-ai@1.18.33"],
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

function claudeCode(name: string, mcp?: "calls"): Client {
  return {
    name,
    packages: ["@anthropic-ai/claude-code@2.1.197"],
    command: "claude",
    ...(mcp && { mcp }),
    start: ({ task, address, key, model }) => {
      const headers = { Authorization: `Bearer ${key}` };
      const grove = { type: "http", url: `${address}/mcp`, headers };
      const servers = ["--mcp-config", "servers.json", "--strict-mcp-config"];
      return {
        args: [
          ...["-p", task, "--dangerously-skip-permissions", "--model", model],
          ...(mcp ? servers : []),
        ],
        settings: { "servers.json": { mcpServers: { grove } } },
        environment: {
          ANTHROPIC_BASE_URL: address,
          ANTHROPIC_API_KEY: key,
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
          // It refuses to act for root without one.
          IS_SANDBOX: "1",
        },
      };
    },
  };
}

function codex(name: string, mcp?: "calls"): Client {
  return {
    name,
    packages: ["@openai/codex@0.171.0"],
    command: "codex",
    ...(mcp && { mcp }),
    start: ({ task, address, key, model }) => {
      const provider = `{name="Grove",base_url="${address}/v1",env_key="PROGRAM_KEY",wire_api="responses"}`;
      const server = `{url="${address}/mcp",bearer_token_env_var="PROGRAM_KEY"}`;
      const set = [
        "model_provider=grove",
        `model_providers.grove=${provider}`,
        ...(mcp ? [`mcp_servers.grove=${server}`] : []),
      ];
      const alone = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
      return {
        args: ["exec", ...alone, ...set.flatMap((each) => ["-c", each]), "-m", model, task],
        environment: { PROGRAM_KEY: key },
      };
    },
  };
}
