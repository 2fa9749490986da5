import type { ToolSet } from "ai";
import type { ContextBlocks } from "@/lib/session/context/context-blocks";
import type { SessionParts } from "@/lib/session/parts/session-parts";
import { type SearchContextOptions, searchContextTool } from "./search-context";
import { type HeldWrite, type SetContextOptions, setContextTool } from "./set-context";
import { type ReadLoadedSkills, skillTools } from "./skill-tools";

interface ContextToolsOptions extends SetContextOptions, SearchContextOptions {
  /** `false` omits the writing tool. Default `true`. */
  readonly allowWrites?: boolean | undefined;
  readonly loadedSkills: ReadLoadedSkills;
}

export interface ToolsOptions extends Omit<ContextToolsOptions, "loadedSkills" | "hold"> {
  /** Turns every write into a proposal for the person to accept or decline. Default `false`. */
  readonly holdWrites?: boolean | undefined;
  /** The path whose loaded skills count. Default: the active one. */
  readonly leafId?: string | undefined;
}

/** The tools of a session: writes may become proposals, and the skills of a path count as loaded. */
export async function sessionTools(
  { blocks, messages, proposals }: Pick<SessionParts, "blocks" | "messages" | "proposals">,
  { leafId, holdWrites = false, ...options }: ToolsOptions = {},
): Promise<ToolSet> {
  const hold = async ({ provenance, ...write }: HeldWrite) => {
    await proposals.add({ ...write, messageId: provenance?.messageId ?? null });
  };
  return contextTools(blocks, {
    seenVersions: await blocks.versions(),
    ...options,
    ...(holdWrites && { hold }),
    loadedSkills: () => messages.loadedSkills(leafId),
  });
}

/** The tools for the blocks of a session, one per capability. */
export function contextTools(blocks: ContextBlocks, options: ContextToolsOptions): ToolSet {
  const { allowWrites = true, loadedSkills, onFound, ...writing } = options;
  const set_context = allowWrites ? setContextTool(blocks, writing) : null;
  const search_context = searchContextTool(blocks, { onFound });
  return {
    ...(set_context && { set_context }),
    ...skillTools(blocks, loadedSkills),
    ...(search_context && { search_context }),
  };
}
