export function sessionTitle({ title }: { title: string }): string {
  return title === "" ? "New chat" : title;
}
