/**
 * Stands in for `rehype-raw`, which Streamdown lists among its defaults and Grove never uses: raw HTML is shown as text.
 * The parser behind it is a third of Streamdown's weight.
 */
// biome-ignore lint/style/noDefaultExport: the package it stands in for has one
export default function noRawHtml(): () => void {
  return () => undefined;
}
