import type { ContextBlocks } from "@/lib/session/context/context-blocks";
import type { SessionProposals } from "@/lib/session/context/session-proposals";
import { isSkillProvider } from "@/lib/session/context-provider";
import type { LoadedSkill } from "@/lib/session/session-provider";
import type { ContextTools } from "./made-tools";
import { type SearchContextOptions, searchContextTool } from "./search-context";
import { type HeldWrite, type SetContextOptions, setContextTool } from "./set-context";
import { type ReadLoadedSkills, skillTools } from "./skill-tools";

interface ContextToolsOptions extends SetContextOptions, SearchContextOptions {
  /** `false` omits the writing tool. Default `true`. */
  readonly allowWrites?: boolean | undefined;
  readonly loadedSkills: ReadLoadedSkills;
  readonly listedSkills?: readonly LoadedSkill[] | undefined;
}

export interface ToolsOptions
  extends Omit<
    ContextToolsOptions,
    "loadedSkills" | "listedSkills" | "holdsOnlySkills" | "proposalOf"
  > {
  /**
   * Turns every write, or with `"skills"` every write to a block of skills, into a proposal for the person to accept or
   * decline. Default `false`.
   */
  readonly holdWrites?: boolean | "skills" | undefined;
  /** Stores a held write. Default: as a proposal of this session. */
  readonly hold?: SetContextOptions["hold"];
  /**
   * Names the proposal of a call by the id of the call. Held writes then need approval (of the AI SDK), so that a run
   * pauses until they are decided. Default: it goes on.
   */
  readonly proposalIdOf?: ((toolCallId: string) => string) | undefined;
  /** The path whose loaded skills count. Default: the active one. */
  readonly leafId?: string | undefined;
  /**
   * `false` keeps the descriptions of tools, with which a request begins, the same when a skill is loaded, so that a
   * model provider can reuse what it has read. Default `true`.
   */
  readonly listsLoaded?: boolean | undefined;
}

interface ToolParts {
  readonly blocks: ContextBlocks;
  readonly proposals: SessionProposals;
  readonly messages: { loadedSkills(leafId?: string): Promise<readonly LoadedSkill[]> };
}

/** The tools of a session: writes may become proposals, and the skills of a path count as loaded. */
export async function sessionTools(
  { blocks, messages, proposals }: ToolParts,
  {
    leafId,
    holdWrites = false,
    hold,
    proposalIdOf,
    listsLoaded = true,
    ...options
  }: ToolsOptions = {},
): Promise<ContextTools> {
  const propose = async ({ provenance, toolCallId, ...write }: HeldWrite) => {
    const id = proposalIdOf?.(toolCallId);
    await proposals.add({ ...write, id, messageId: provenance?.messageId ?? null });
  };
  const proposalOf = proposalIdOf && ((id: string) => proposals.get(proposalIdOf(id)));
  const loadedSkills = () => messages.loadedSkills(leafId);
  const hasSkills = blocks.registered.some(({ provider }) => isSkillProvider(provider));
  return contextTools(blocks, {
    seenVersions: await blocks.versions(),
    ...options,
    ...(holdWrites && {
      hold: hold ?? propose,
      proposalOf,
      holdsOnlySkills: holdWrites === "skills",
    }),
    loadedSkills,
    listedSkills: hasSkills && listsLoaded ? await loadedSkills() : [],
  });
}

/** The tools for the blocks of a session, one per capability. */
export function contextTools(blocks: ContextBlocks, options: ContextToolsOptions): ContextTools {
  const { allowWrites = true, loadedSkills, listedSkills, onFound, ...writing } = options;
  const set_context = allowWrites ? setContextTool(blocks, writing) : null;
  const search_context = searchContextTool(blocks, { onFound });
  return {
    ...(set_context && { set_context }),
    ...skillTools(blocks, { loadedSkills, listed: listedSkills }),
    ...(search_context && { search_context }),
  };
}
