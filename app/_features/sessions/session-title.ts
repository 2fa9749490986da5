/** A session's title as it is shown; one that has none yet is called what it is. */
export function sessionTitle({ title }: { title: string }): string {
  return title === "" ? "New chat" : title;
}
