import type { Tool } from "ai";
import { messageOf } from "../context/context-block";
import type { ContextBlocks } from "../context/context-blocks";
import type { LoadedSkill, MaybePromise } from "../session-provider";
import { loadedAfter, type SkillEvent } from "../skill-events";
import { labelledInput } from "./tool-input";

/** The tools add their own loads and unloads. */
export type ReadLoadedSkills = () => MaybePromise<readonly LoadedSkill[]>;

const key = { type: "string", description: "The key, as the block lists it." } as const;

/** A refusal is data, since a document may begin with any words. */
export type SkillOutput = string | { readonly outcome: "refused"; readonly reason: string };

export type SkillTool = Tool<LoadedSkill, SkillOutput>;

interface SkillToolsOptions {
  readonly loadedSkills: ReadLoadedSkills;
  readonly listed?: readonly LoadedSkill[] | undefined;
}

export function skillTools(
  blocks: ContextBlocks,
  { loadedSkills, listed = [] }: SkillToolsOptions,
): { load_context?: SkillTool; unload_context?: SkillTool } {
  const labels = blocks.registeredAs("loadable").map(({ label }) => label);
  if (labels.length === 0) return {};
  const loaded = trackLoaded(loadedSkills);
  const inputSchema = labelledInput<LoadedSkill>(labels, {
    properties: { key },
    required: ["key"],
  });
  return {
    load_context: {
      description: `Load a whole document that a block lists. Blocks: ${labels.join(", ")}.`,
      inputSchema,
      execute: (skill) => orRefusal(() => load(blocks, loaded, skill)),
      toModelOutput,
    },
    unload_context: {
      description: `Give back the space of a document loaded before. It can be loaded again.${listOf(listed)}`,
      inputSchema,
      execute: (skill) => orRefusal(() => unload(loaded, skill)),
      toModelOutput,
    },
  };
}

async function orRefusal(call: () => Promise<SkillOutput>): Promise<SkillOutput> {
  try {
    return await call();
  } catch (error) {
    // A thrown error would end the run.
    return refused(`Error: ${messageOf(error)}`);
  }
}

function refused(reason: string): SkillOutput {
  return { outcome: "refused", reason };
}

function toModelOutput({ output }: { readonly output: SkillOutput }) {
  return { type: "text", value: typeof output === "string" ? output : output.reason } as const;
}

function listOf(skills: readonly LoadedSkill[]): string {
  if (skills.length === 0) return "";
  return ` Currently loaded: ${skills.map(({ label, key }) => `${label}:${key}`).join(", ")}.`;
}

interface Tracker {
  loaded(): Promise<readonly LoadedSkill[]>;
  note(event: SkillEvent): void;
}

/** Loads of the running answer are not stored yet. */
function trackLoaded(loadedSkills: ReadLoadedSkills): Tracker {
  const events: SkillEvent[] = [];
  return {
    note: (event) => events.push(event),
    loaded: async () => {
      const before = (await loadedSkills()).map((skill) => ({ ...skill, action: "load" as const }));
      return loadedAfter([...before, ...events]);
    },
  };
}

async function load(
  blocks: ContextBlocks,
  loaded: Tracker,
  { label, key }: LoadedSkill,
): Promise<SkillOutput> {
  const content = await blocks.load(label, key);
  if (content === null) return refused(`Not found: ${key}`);
  loaded.note({ label, key, action: "load" });
  return content;
}

async function unload(loaded: Tracker, { label, key }: LoadedSkill): Promise<SkillOutput> {
  const before = await loaded.loaded();
  if (!before.some((skill) => skill.label === label && skill.key === key)) {
    return refused(`Skill "${key}" is not currently loaded in "${label}".${listOf(before)}`);
  }
  loaded.note({ label, key, action: "unload" });
  return `Unloaded "${key}" from ${label}. Context reclaimed.`;
}
