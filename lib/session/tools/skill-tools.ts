import { type Tool, tool } from "ai";
import { z } from "zod";
import type { ContextBlocks } from "@/lib/session/context/context-blocks";
import { isSkillProvider } from "@/lib/session/context-provider";
import type { LoadedSkill, MaybePromise } from "@/lib/session/session-provider";
import { loadedAfter, type SkillEvent } from "@/lib/session/skill-events";
import { answer } from "./answer";
import { labelledSchema } from "./labelled-schema";

/** Skills loaded at the start; the tools add their own loads and unloads. */
export type ReadLoadedSkills = () => MaybePromise<readonly LoadedSkill[]>;

const keyShape = { key: z.string().describe("The key, as the block lists it.") };

/** Tools that load and unload whole documents; none without skill blocks. */
export function skillTools(
  blocks: ContextBlocks,
  loadedSkills: ReadLoadedSkills,
): Record<string, Tool> {
  const labels = blocks.registered
    .filter(({ provider }) => isSkillProvider(provider))
    .map(({ label }) => label);
  if (labels.length === 0) return {};
  const loaded = trackLoaded(loadedSkills);
  const inputSchema = labelledSchema(labels, keyShape);
  return {
    load_context: tool({
      description: `Load a whole document that a block lists. Blocks: ${labels.join(", ")}.`,
      inputSchema,
      execute: (skill: LoadedSkill) => answer(() => load(blocks, loaded, skill)),
    }),
    unload_context: tool({
      description: "Give back the space of a document loaded before. It can be loaded again.",
      inputSchema,
      execute: (skill: LoadedSkill) => answer(() => unload(loaded, skill)),
    }),
  };
}

interface Tracker {
  isLoaded(skill: LoadedSkill): Promise<boolean>;
  note(event: SkillEvent): void;
}

/** Loads of the running answer are not stored yet, so they are tracked here. */
function trackLoaded(loadedSkills: ReadLoadedSkills): Tracker {
  const events: SkillEvent[] = [];
  return {
    note: (event) => events.push(event),
    isLoaded: async ({ label, key }) => {
      const before = (await loadedSkills()).map((skill) => ({ ...skill, action: "load" as const }));
      return loadedAfter([...before, ...events]).some(
        (skill) => skill.label === label && skill.key === key,
      );
    },
  };
}

async function load(
  blocks: ContextBlocks,
  loaded: Tracker,
  { label, key }: LoadedSkill,
): Promise<string> {
  const content = await blocks.load(label, key);
  if (content === null) return `Not found: ${key}`;
  loaded.note({ label, key, action: "load" });
  return content;
}

async function unload(loaded: Tracker, { label, key }: LoadedSkill): Promise<string> {
  if (!(await loaded.isLoaded({ label, key }))) {
    return `Skill "${key}" is not currently loaded in "${label}".`;
  }
  loaded.note({ label, key, action: "unload" });
  return `Unloaded "${key}" from ${label}. Context reclaimed.`;
}
