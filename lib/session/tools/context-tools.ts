import type { ContextBlocks } from "../context/context-blocks";
import type { SessionProposals } from "../context/session-proposals";
import type { KeyedKind } from "../context-provider";
import type { LoadedSkill } from "../session-provider";
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
  /** Turns writes, or with `"skills"` those to skills, into proposals. Default `false`. */
  readonly holdWrites?: boolean | "skills" | undefined;
  /** Default: stores a proposal of this session. */
  readonly hold?: SetContextOptions["hold"];
  /**
   * Held writes then need approval (of the AI SDK), so that a run pauses until they are decided. Default: it goes on.
   */
  readonly proposalIdOf?: ((toolCallId: string) => string) | undefined;
  /** The path whose loaded skills count. Default: the active one. */
  readonly leafId?: string | undefined;
  /**
   * `false` keeps descriptions the same when a skill is loaded, so that a provider can reuse the request's beginning.
   * Default `true`.
   */
  readonly listsLoaded?: boolean | undefined;
}

interface ToolParts {
  readonly blocks: ContextBlocks;
  readonly proposals: SessionProposals;
  readonly messages: { loadedSkills(leafId?: string): Promise<readonly LoadedSkill[]> };
}

export async function sessionTools(
  { blocks, messages, proposals }: ToolParts,
  {
    leafId,
    holdWrites = false,
    hold,
    proposalIdOf,
    listsLoaded = true,
    seenVersions,
    ...options
  }: ToolsOptions = {},
): Promise<ContextTools> {
  const propose = async ({ provenance, toolCallId, ...write }: HeldWrite) => {
    const id = proposalIdOf?.(toolCallId);
    await proposals.add({ ...write, id, messageId: provenance?.messageId ?? null });
  };
  const proposalOf = proposalIdOf && ((id: string) => proposals.get(proposalIdOf(id)));
  const loadedSkills = () => messages.loadedSkills(leafId);
  const hasSkills = blocks.registeredAs("loadable").length > 0;
  return contextTools(blocks, {
    seenVersions: seenVersions ?? (await blocks.versions()),
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

export function contextTools(blocks: ContextBlocks, options: ContextToolsOptions): ContextTools {
  const { allowWrites = true } = options;
  const set_context = allowWrites ? setContextTool(blocks, options) : null;
  const made = Object.values(toolsOf).map((make) => make(blocks, options));
  return Object.assign({ ...(set_context && { set_context }) }, ...made) as ContextTools;
}

const toolsOf: Readonly<
  Record<KeyedKind, (blocks: ContextBlocks, options: ContextToolsOptions) => ContextTools>
> = {
  loadable: (blocks, { loadedSkills, listedSkills }) =>
    skillTools(blocks, { loadedSkills, listed: listedSkills }),
  searchable: (blocks, { onFound }) => {
    const search_context = searchContextTool(blocks, { onFound });
    return search_context ? { search_context } : {};
  },
};
