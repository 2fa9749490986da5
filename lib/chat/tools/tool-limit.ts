/** OpenAI refuses a request with more. */
const mostTools = 128;
/** A share of the model's context window. */
const mostShare = 0.15;

interface SizedTool {
  readonly name: string;
  readonly tokens: number;
  readonly isSearchable: boolean;
}

export interface ToolBounds {
  readonly tools: number;
  readonly tokens: number;
}

export interface ToolPlan {
  /** Empty when all tools fit. */
  readonly later: ReadonlySet<string>;
  readonly found: ToolBounds;
}

/** Half of the bounds is for tools used last, the rest for search finds. */
export function toolPlan(
  tools: readonly SizedTool[],
  {
    contextWindow,
    ownTools,
    recent,
  }: {
    readonly contextWindow: number;
    readonly ownTools: number;
    /** Names, the last used first. */
    readonly recent: readonly string[];
  },
): ToolPlan {
  const searchable = tools.filter(({ isSearchable }) => isSearchable);
  const others = tools.length - searchable.length;
  const free = { tools: mostTools - ownTools - others, tokens: contextWindow * mostShare };
  if (fits(searchable, free)) return { later: new Set(), found: free };
  const half = { tools: Math.max(1, Math.floor((free.tools - 1) / 2)), tokens: free.tokens / 2 };
  const known = new Map(searchable.map((tool) => [tool.name, tool]));
  const kept = withinBounds(
    recent.flatMap((name) => known.get(name) ?? []),
    half,
  );
  const later = new Set(known.keys());
  for (const { name } of kept) later.delete(name);
  return { later, found: half };
}

function fits(tools: readonly SizedTool[], bounds: ToolBounds): boolean {
  return withinBounds(tools, bounds).length === tools.length;
}

export function withinBounds<Sized extends { readonly tokens?: number }>(
  tools: readonly Sized[],
  bounds: ToolBounds,
): Sized[] {
  let tokens = 0;
  const end = tools.findIndex((tool, at) => {
    tokens += tool.tokens ?? 0;
    return at >= bounds.tools || tokens > bounds.tokens;
  });
  return end === -1 ? [...tools] : tools.slice(0, end);
}
