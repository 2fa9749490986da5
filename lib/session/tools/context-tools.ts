import type { ToolSet } from "ai";
import type { ContextBlocks } from "@/lib/session/context/context-blocks";
import { type SearchContextOptions, searchContextTool } from "./search-context";
import { type SetContextOptions, setContextTool } from "./set-context";
import { type ReadLoadedSkills, skillTools } from "./skill-tools";

export interface ContextToolsOptions extends SetContextOptions, SearchContextOptions {
  /** `false` omits the writing tool. Default `true`. */
  readonly allowWrites?: boolean | undefined;
  readonly loadedSkills: ReadLoadedSkills;
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
