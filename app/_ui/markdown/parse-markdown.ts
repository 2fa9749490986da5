import type { Root } from "mdast";
import { fromMarkdown, type Options } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { allowTags } from "./allowed-tags";
import { keptParses } from "./kept-parses";

/** The tree is shared, so nobody may change it. */
export type ParseMarkdown = (text: string) => Root;

export interface Syntax {
  readonly extensions: NonNullable<Options["extensions"]>;
  readonly mdastExtensions: NonNullable<Options["mdastExtensions"]>;
}

/** Of GitHub's Markdown with `more`. Raw HTML is left as text, except for the allowed tags. */
export function parserOf(more: Syntax = { extensions: [], mdastExtensions: [] }): ParseMarkdown {
  const options = {
    extensions: [gfm(), ...more.extensions],
    mdastExtensions: [gfmFromMarkdown(), ...more.mdastExtensions],
  };
  function parse(text: string): Root {
    const tree = fromMarkdown(text, options);
    allowTags(tree);
    return tree;
  }
  // A page keeps its elements; a server renders the same messages again and again.
  return typeof window === "undefined" ? keptParses(parse) : parse;
}

export const parseMarkdown = parserOf();
