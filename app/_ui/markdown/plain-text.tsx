/** Text verbatim, line breaks included: the fallback wherever Markdown fails. */
export function PlainText({ text }: { text: string }) {
  return <div className="wrap-anywhere whitespace-pre-wrap">{text}</div>;
}
