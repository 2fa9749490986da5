import type { BlockWriters } from "../block-store";
import type { AnyContextProvider } from "../context-provider";
import type { SearchContextTool } from "./search-context";
import type { SetContextTool } from "./set-context";
import type { SkillTool } from "./skill-tools";

/** Each tool exists when a block makes it. */
export type ContextTools = {
  readonly set_context?: SetContextTool;
  readonly load_context?: SkillTool;
  readonly unload_context?: SkillTool;
  readonly search_context?: SearchContextTool;
};

export type ToolName = keyof ContextTools;

declare const made: unique symbol;

/** Marks, in its type alone, a session or manager whose blocks make these tools. */
export interface Makes<Name extends ToolName> {
  readonly [made]?: { readonly [Each in Name]: true };
}

export type NamesMadeBy<Maker> = Maker extends { readonly [made]?: infer Names }
  ? keyof NonNullable<Names> & ToolName
  : never;

export type MakesAs<Maker> = Makes<NamesMadeBy<Maker>>;

/** Tools whose blocks are known to make them have no `?`. */
export type ToolsMadeBy<Maker> = ContextTools & Required<Pick<ContextTools, NamesMadeBy<Maker>>>;

export type GivenProvider = AnyContextProvider | ((sessionId: string) => AnyContextProvider);

export type ProviderOf<Given> = [Given] extends [(sessionId: string) => infer Provider]
  ? Provider
  : Given;

/** Tools that this provider and these writers are certain to make. */
export type ToolsOfBlock<Given, Writers extends BlockWriters> =
  | ("person" extends Writers ? never : IfHas<ProviderOf<Given>, "set", "set_context">)
  | IfHas<ProviderOf<Given>, "load", "load_context" | "unload_context">
  | IfHas<ProviderOf<Given>, "search", "search_context">;

export type IfHas<Provider, Method extends string, Name> = [Provider] extends [
  { readonly [Each in Method]: (...args: never) => unknown },
]
  ? Name
  : never;
