/** A file of the page leaves them out: they lead to its own address. */
export function shareLinks({ canReport }: { canReport: boolean }): string {
  const report = canReport ? ` · <a href="?report">Report</a>` : "";
  return `<p class="file"><a href="?copy">Continue as mine</a> · <a href="?save=page">Save</a> · <a href="?save=copy">JSON</a>${report}</p>`;
}

/** No text of a person can look like them: its tags are escaped. */
export function withoutShareLinks(page: string): string {
  return page.replace(/<p class="file"><a href="\?copy">.*?<\/p>/, "");
}

/** Browsers cannot make a SHA-256 on plain `http:`. */
export function previewEnd(sha256: string): string {
  return `<!--${sha256}-->`;
}

/** @throws when the preview came in part. */
export function previewedPage(preview: string): { readonly page: string; readonly sha256: string } {
  const [end, sha256] = /<!--([\da-f]{64})-->$/.exec(preview) ?? [];
  if (end === undefined || sha256 === undefined)
    throw new Error("The preview did not come whole. Read it again.");
  return { page: preview.slice(0, -end.length), sha256 };
}
