interface NamedText {
  readonly key: string;
  readonly title: string | null;
  readonly content: string;
}

/** A folder of Markdown files, as an import takes it. */
export async function zipOfAssistants(entries: readonly NamedText[]): Promise<Blob> {
  const { BlobWriter, TextReader, ZipWriter } = await import("@zip.js/zip.js/external");
  const writer = new ZipWriter(new BlobWriter("application/zip"), { useWebWorkers: false });
  const taken = new Set<string>();
  for (const { key, title, content } of entries) {
    // An import calls a text without a name by its file.
    const named = (title ?? key).replace(/[/\\:*?"<>|\p{Cc}]/gu, " ").trim();
    const name = named === "" || taken.has(named.toLowerCase()) ? key : named;
    taken.add(name.toLowerCase());
    await writer.add(`assistants/${name}.md`, new TextReader(content));
  }
  return writer.close();
}
