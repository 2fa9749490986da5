/** In characters of Markdown, a tree of which takes about twenty times as many bytes. */
const keptChars = 2_000_000;

/** Parses a text once while it is kept, which is half the time of rendering a conversation. */
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
