import type { Client, Given } from "./client";

/** Libraries, each in a program of a few lines with a tool that runs a shell. */
export const sdkClients: readonly Client[] = [
  sdk("openai (responses)", ["openai@7.59.0"], ({ model, task }) => [
    'import OpenAI from "openai";',
    "const openai = new OpenAI();",
    `const tools = [{ type: "function", name: "bash", description: "Runs a shell command", ${parameters}, strict: false }];`,
    `let answer = await openai.responses.create({ model: ${model}, input: ${task}, tools });`,
    'while (answer.output.some(({ type }) => type === "function_call")) {',
    '  const calls = answer.output.filter(({ type }) => type === "function_call");',
    '  const input = calls.map((call) => ({ type: "function_call_output", call_id: call.call_id, output: run(JSON.parse(call.arguments)) }));',
    `  answer = await openai.responses.create({ model: ${model}, input, tools, previous_response_id: answer.id });`,
    "}",
    "console.log(answer.output_text);",
  ]),
  sdk("openai (chat, streamed)", ["openai@7.59.0"], ({ model, task }) => [
    'import OpenAI from "openai";',
    "const openai = new OpenAI();",
    "const runner = openai.chat.completions.runTools({",
    `  model: ${model}, stream: true, messages: [{ role: "user", content: ${task} }],`,
    `  tools: [{ type: "function", function: { name: "bash", description: "Runs a shell command", ${parameters}, parse: JSON.parse, function: run } }],`,
    "});",
    "console.log(await runner.finalContent());",
  ]),
  aiSdk("responses", "@ai-sdk/openai@4.0.118", 'openai.responses("house")'),
  aiSdk("chat", "@ai-sdk/openai@4.0.118", 'openai.chat("house")'),
  aiSdk(
    "compatible",
    "@ai-sdk/openai-compatible@3.0.92",
    'createOpenAICompatible({ name: "grove", baseURL: process.env.OPENAI_BASE_URL, apiKey: process.env.OPENAI_API_KEY })("house")',
  ),
  sdk("LangChain", ["@langchain/openai@1.6.0", "@langchain/core@1"], ({ model, task }) => [
    'import { ChatOpenAI } from "@langchain/openai";',
    'import { tool } from "@langchain/core/tools";',
    'import { HumanMessage } from "@langchain/core/messages";',
    'import { z } from "zod";',
    'const bash = tool(run, { name: "bash", description: "Runs a shell command", schema: z.object({ command: z.string() }) });',
    `const chat = new ChatOpenAI({ model: ${model}, configuration: { baseURL: process.env.OPENAI_BASE_URL } }).bindTools([bash]);`,
    `const messages = [new HumanMessage(${task})];`,
    "for (;;) {",
    "  const answer = await chat.invoke(messages);",
    "  messages.push(answer);",
    "  if (!answer.tool_calls?.length) { console.log(answer.text); break; }",
    "  for (const call of answer.tool_calls) messages.push(await bash.invoke(call));",
    "}",
  ]),
  sdk("LlamaIndex", ["llamaindex@0.12.1", "@llamaindex/openai@0.4.23"], ({ task }) => [
    'import { openai } from "@llamaindex/openai";',
    'import { tool } from "llamaindex";',
    'import { z } from "zod";',
    // It looks models up by the names that OpenAI gives them.
    'const llm = openai({ model: "gpt-4o", baseURL: process.env.OPENAI_BASE_URL });',
    'const bash = tool({ name: "bash", description: "Runs a shell command", parameters: z.object({ command: z.string() }), execute: run });',
    `const messages = [{ role: "user", content: ${task} }];`,
    "for (;;) {",
    "  const { newMessages, toolCalls } = await llm.exec({ messages, tools: [bash] });",
    "  messages.push(...newMessages);",
    "  if (toolCalls.length === 0) { console.log(newMessages.at(-1).content); break; }",
    "}",
  ]),
  sdk("Agents SDK", ["@openai/agents@0.20.0"], ({ model, task }) => [
    'import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from "@openai/agents";',
    'import { z } from "zod";',
    "setTracingDisabled(true);",
    'const bash = tool({ name: "bash", description: "Runs a shell command", parameters: z.object({ command: z.string() }), execute: run });',
    `const agent = new Agent({ name: "Helper", instructions: "Help.", model: ${model}, tools: [bash] });`,
    "const modelProvider = new OpenAIProvider({ apiKey: process.env.OPENAI_API_KEY, baseURL: process.env.OPENAI_BASE_URL });",
    `const answer = await new Runner({ modelProvider }).run(agent, ${task});`,
    "console.log(answer.finalOutput);",
  ]),
];

const parameters =
  'parameters: { type: "object", properties: { command: { type: "string" } }, required: ["command"], additionalProperties: false }';

function aiSdk(api: string, provider: string, made: string): Client {
  const name = provider.replace(/@[^@]*$/, "");
  const made_ = api === "compatible" ? "createOpenAICompatible" : "openai";
  return sdk(`AI SDK (${api})`, ["ai@7.0.173", provider], ({ task }) => [
    'import { generateText, isStepCount, tool } from "ai";',
    `import { ${made_} } from "${name}";`,
    'import { z } from "zod";',
    'const bash = tool({ description: "Runs a shell command", inputSchema: z.object({ command: z.string() }), execute: run });',
    `const answer = await generateText({ model: ${made}, prompt: ${task}, tools: { bash }, stopWhen: isStepCount(5) });`,
    "console.log(answer.text);",
  ]);
}

function sdk(
  name: string,
  packages: readonly string[],
  linesOf: (given: Pick<Given, "model" | "task">) => readonly string[],
): Client {
  return {
    name,
    packages: [...packages, "zod@4"],
    command: "node",
    start: ({ task, address, key, model }) => {
      const [asked, called] = [task, model].map((text) => JSON.stringify(text));
      const lines = linesOf({ task: asked ?? "", model: called ?? "" });
      const program = [
        'import { execSync } from "node:child_process";',
        'const run = ({ command }) => String(execSync(command)) || "done";',
        ...lines,
      ];
      return {
        args: ["task.mjs"],
        environment: { OPENAI_BASE_URL: `${address}/v1`, OPENAI_API_KEY: key },
        settings: { "task.mjs": program.join("\n") },
      };
    },
  };
}
