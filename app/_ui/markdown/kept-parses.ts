type Parser = (text: string, ...rest: readonly unknown[]) => unknown;

interface Processor {
  parser?: Parser;
}

/** In characters of Markdown, a tree of which takes about twenty times as many bytes. */
const keptChars = 2_000_000;

/**
 * A remark plugin: parses a text once while it is kept, which is half the time of rendering a conversation. Others change
 * the trees, so each gets a copy.
 */
export function keptParses(this: unknown): void {
  const processor = this as Processor;
  const { parser } = processor;
  if (!parser) return;
  const trees = new Map<string, unknown>();
  let chars = 0;
  processor.parser = (text, ...rest) => {
    const source = String(text);
    const known = trees.get(source);
    const tree = known ?? parser(text, ...rest);
    trees.delete(source);
    trees.set(source, tree);
    if (known === undefined) chars += source.length;
    for (const [oldest] of trees) {
      if (chars <= keptChars) break;
      trees.delete(oldest);
      chars -= oldest.length;
    }
    return copyOf(tree);
  };
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value)) copy[name] = copyOf(each);
  return copy;
}
