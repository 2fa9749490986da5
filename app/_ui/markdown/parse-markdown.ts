import type { Root } from "mdast";
import { fromMarkdown, type Options } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { cjkFriendlyExtension } from "micromark-extension-cjk-friendly";
import { gfmStrikethroughCjkFriendly } from "micromark-extension-cjk-friendly-gfm-strikethrough";
import { gfm } from "micromark-extension-gfm";
import { allowTags } from "./allowed-tags";

/** Characters of Markdown, a tree of which takes about twenty times as many bytes. */
const keptChars = 2_000_000;

/** The tree is shared and must not be changed. */
export type ParseMarkdown = (text: string) => Root;

export interface Syntax {
  readonly extensions: NonNullable<Options["extensions"]>;
  readonly mdastExtensions: NonNullable<Options["mdastExtensions"]>;
}

export function parserOf(more: Syntax = { extensions: [], mdastExtensions: [] }): ParseMarkdown {
  const options = {
    // These follow GitHub's, whose rule for marks expects spaces between words.
    extensions: [gfm(), cjkFriendlyExtension(), gfmStrikethroughCjkFriendly(), ...more.extensions],
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

/** Keeps parsed texts: parsing is half the time of rendering a conversation. */
export function keptParses<Tree>(parse: (text: string) => Tree): (text: string) => Tree {
  const trees = new Map<string, Tree>();
  let chars = 0;
  return (text) => {
    const known = trees.get(text);
    const tree = known ?? parse(text);
    trees.delete(text);
    trees.set(text, tree);
    if (known === undefined) chars += text.length;
    for (const [oldest] of trees) {
      if (chars <= keptChars) break;
      trees.delete(oldest);
      chars -= oldest.length;
    }
    return tree;
  };
}
