/**
 * Replaces `rehype-raw`, a third of Streamdown's weight, which Grove never uses: raw HTML is shown as text.
 */
// biome-ignore lint/style/noDefaultExport: the package it stands in for has one
export default function noRawHtml(): () => void {
  return () => undefined;
}
