import type { ToolSet } from "ai";
import type { ContextBlocks } from "@/lib/session/context/context-blocks";
import { type SearchContextOptions, searchContextTool } from "./search-context";
import { type SetContextOptions, setContextTool } from "./set-context";
import { type ReadLoadedSkills, skillTools } from "./skill-tools";

export interface ContextToolsOptions extends SetContextOptions, SearchContextOptions {
  /** `false` leaves out the tool that writes. Default `true`. */
  readonly allowWrites?: boolean | undefined;
  readonly loadedSkills: ReadLoadedSkills;
}

/** The tools a model gets for the blocks of a session: one for each thing any of them can do. */
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
