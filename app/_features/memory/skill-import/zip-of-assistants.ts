interface NamedText {
  readonly key: string;
  readonly content: string;
}

/** A folder of Markdown files, as an import takes it. */
export async function zipOfAssistants(entries: readonly NamedText[]): Promise<Blob> {
  const { BlobWriter, TextReader, ZipWriter } = await import("@zip.js/zip.js/external");
  const writer = new ZipWriter(new BlobWriter("application/zip"), { useWebWorkers: false });
  for (const { key, content } of entries)
    await writer.add(`assistants/${key}.md`, new TextReader(content));
  return writer.close();
}
