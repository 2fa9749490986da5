import { Session } from "grove-session";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { assistantsBlock, type BlockDefinition, refOf } from "@/lib/chat/sessions/blocks";
import {
  type Assistant,
  type AssistantRef,
  assistantProblem,
  readAssistant,
} from "@/lib/chat/wire/assistants";
import { loadSkill } from "./skills";

export interface AssistantInUse {
  readonly ref: AssistantRef;
  /** `null` where the version is not stored or cannot be read. */
  readonly assistant: Assistant | null;
  readonly text: string;
  /** `null` once deleted. */
  readonly newest: { readonly version: number; readonly text: string } | null;
}

export async function readAssistantInUse(
  { blocks }: Pick<OwnerData, "blocks">,
  ref: AssistantRef,
): Promise<AssistantInUse> {
  const entries = blocks.loadable(refOf(await assistantsBlock({ blocks }), null));
  const [last] = await entries.entryVersions(ref.key, { limit: 1 });
  const behind = (last?.version ?? 0) - ref.version;
  const used = behind > 0 ? await entries.entryVersions(ref.key, { limit: behind + 1 }) : [last];
  const text = used.find((each) => each?.version === ref.version)?.content ?? null;
  const isReadable = text !== null && assistantProblem(text) === null;
  return {
    ref,
    assistant: isReadable ? readAssistant(text, ref.key) : null,
    text: text ?? "",
    newest: last?.content == null ? null : { version: last.version, text: last.content },
  };
}

/** `null` once it is deleted, or where it cannot be read. */
export async function defaultAssistantOf({
  blocks,
  defaultAssistant: key = null,
}: Pick<OwnerData, "blocks" | "defaultAssistant">): Promise<{
  readonly ref: AssistantRef;
  readonly assistant: Assistant;
} | null> {
  if (key === null) return null;
  const entries = blocks.loadable(refOf(await assistantsBlock({ blocks }), null));
  const [{ version = 0, content = null } = {}] = await entries.entryVersions(key, { limit: 1 });
  if (content === null || assistantProblem(content) !== null) return null;
  const assistant = readAssistant(content, key);
  return { ref: { key, version, name: assistant.name }, assistant };
}

/** An assistant allows no tool that the person has turned off: it takes tools away alone. */
export function allowsTool({ tools, withoutTools }: Assistant, name: string): boolean {
  return (tools === null || tools.includes(name)) && !withoutTools.includes(name);
}

interface SectionOptions {
  readonly sessionId: string;
  readonly blocks: readonly BlockDefinition[];
  readonly inUse: AssistantInUse;
}

export interface AssistantSection {
  /** Empty without instructions. */
  readonly prompt: string;
  readonly missing: readonly string[];
}

export async function assistantSection(
  owner: OwnerData,
  { sessionId, blocks, inUse }: SectionOptions,
): Promise<AssistantSection> {
  const { ref, assistant } = inUse;
  if (assistant === null) return { prompt: "", missing: [`version ${ref.version} of it`] };
  const skills = await Promise.all(
    assistant.skills.map(async (key) => {
      const load = (label: string) => loadSkill(owner, sessionId, { label, key }, blocks);
      const labels = blocks.filter(({ kind }) => kind === "loadable").map(({ label }) => label);
      const found = await Promise.all(labels.map((label) => load(label).catch(() => null)));
      return { key, text: found.find((text) => text !== null) ?? null };
    }),
  );
  const loaded = skills.flatMap(({ key, text }) =>
    text === null ? [] : `# Skill: ${key}\n\n${text}`,
  );
  const content = [assistant.body, ...loaded].filter((part) => part !== "").join("\n\n");
  const missing = skills.flatMap(({ key, text }) => (text === null ? `the skill “${key}”` : []));
  if (content === "") return { prompt: "", missing };
  const rendered = new Session(owner.store, { sessionId, createsSession: false }).withContext(
    "assistant",
    {
      description: `${assistant.name}: how to answer here`,
      provider: { get: async () => content },
    },
  );
  return { prompt: (await rendered.memory.freezeVersionedPrompt()).prompt, missing };
}
