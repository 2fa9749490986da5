/** They lead to the page's own address, so they are no part of a file of it. */
export function shareLinks({ canReport }: { canReport: boolean }): string {
  const report = canReport ? ` · <a href="?report">Report</a>` : "";
  return `<p class="file"><a href="?copy">Continue as mine</a> · <a href="?save=page">Save</a> · <a href="?save=copy">JSON</a>${report}</p>`;
}

/** No text of a person can look like them: its tags are escaped. */
export function withoutShareLinks(page: string): string {
  return page.replace(/<p class="file"><a href="\?copy">.*?<\/p>/, "");
}
