import type { GetPromptResult, McpServer, Prompt } from "@modelcontextprotocol/server";
import { z } from "zod";
import { Memory } from "@/lib/chat/memory/memory";
import { holdsSkills } from "@/lib/chat/sessions/block-kinds";
import { answerCall, answerRequest, badCursor, CallRefusedError } from "./answer-call";
import { blocksKnownTo, type ConnectedClient, may } from "./connected-client";
import { pageOf } from "./list-page";

const promptsAtOnce = 200;

const reads = { readOnlyHint: true, openWorldHint: false } as const;

export interface ServedSkill {
  readonly label: string;
  readonly key: string;
  readonly title: string;
  readonly description: string | null;
}

export function registerSkills(server: McpServer, client: ConnectedClient): void {
  if (!may(client, "skills:read")) return;
  registerTools(server, client);
  server.server.registerCapabilities({ prompts: {} });
  server.server.setRequestHandler("prompts/list", ({ params }) =>
    answerRequest(client, () => listPrompts(client, params?.cursor)),
  );
  server.server.setRequestHandler("prompts/get", ({ params }) =>
    answerRequest(client, () => getPrompt(client, params)),
  );
}

function registerTools(server: McpServer, client: ConnectedClient): void {
  const name = { label: z.string().max(200), key: z.string().max(200) };
  server.registerTool(
    "list_skills",
    {
      title: "List skills",
      description:
        "List the skills of this place: instructions for certain tasks, to read when one fits.",
      outputSchema: z.object({
        skills: z.array(z.object({ ...name, description: z.string().nullable() })),
      }),
      annotations: reads,
    },
    () =>
      answerCall(client, async () => ({
        skills: (await listSkills(client)).map(({ label, key, description }) => {
          return { label, key, description };
        }),
      })),
  );
  server.registerTool(
    "read_skill",
    {
      title: "Read a skill",
      description: "Read a skill, or a file it names as <key>/<file>.",
      inputSchema: z.object(name),
      outputSchema: z.object({ ...name, content: z.string() }),
      annotations: reads,
    },
    ({ label, key }) =>
      answerCall(client, async () => ({
        label,
        key,
        content: await readSkill(client, label, key),
      })),
  );
}

export async function listSkills(client: ConnectedClient): Promise<ServedSkill[]> {
  const memory = new Memory(client.owner, null);
  const blocks = (await blocksKnownTo(client)).filter(
    (block) => holdsSkills(block) && block.error === null,
  );
  const entries = await Promise.all(
    blocks.map(async ({ id, label }) =>
      (await memory.entries(id)).map(({ key, title, description }) => {
        return { label, key, title, description };
      }),
    ),
  );
  return entries.flat();
}

export async function readSkill(
  client: ConnectedClient,
  label: string,
  key: string,
): Promise<string> {
  const block = (await blocksKnownTo(client)).find((each) => each.label === label);
  if (!block || !holdsSkills(block))
    throw new CallRefusedError(`There are no skills in “${label}”.`);
  return (await new Memory(client.owner, null).entry(block.id, key)).content;
}

function promptName({ label, key }: ServedSkill): string {
  return label === "skills" ? key : `${label}/${key}`;
}

function promptOf(skill: ServedSkill): Prompt {
  const { title, description } = skill;
  const task = { name: "task", description: "The task to use the skill for.", required: false };
  const name = promptName(skill);
  return { name, title, ...(description && { description }), arguments: [task] };
}

async function listPrompts(client: ConnectedClient, cursor: string | undefined) {
  const all = (await listSkills(client)).filter(({ key }) => !key.includes("/"));
  const page = pageOf(all, { cursor, limit: promptsAtOnce });
  if (!page) throw badCursor();
  const { items, ...next } = page;
  return { prompts: items.map(promptOf), ...next };
}

async function getPrompt(
  client: ConnectedClient,
  { name, arguments: given = {} }: { name: string; arguments?: Record<string, string> | undefined },
): Promise<GetPromptResult> {
  const skill = (await listSkills(client)).find((each) => promptName(each) === name);
  if (!skill) throw new CallRefusedError(`There is no skill “${name}”.`);
  const { task = "" } = given;
  const content = await readSkill(client, skill.label, skill.key);
  const text = task.trim() === "" ? content : `${content}\n\n# Task\n\n${task}`;
  return {
    ...(skill.description && { description: skill.description }),
    messages: [{ role: "user", content: { type: "text", text } }],
  };
}
