/** Text exactly as it is, line breaks included: the fallback for everything that cannot be shown as Markdown. */
export function PlainText({ text }: { text: string }) {
  return <div className="wrap-anywhere whitespace-pre-wrap">{text}</div>;
}
