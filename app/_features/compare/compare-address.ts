export function compareAddress(sessionId: string, left: string, right: string): string {
  const sides = new URLSearchParams({ left, right });
  return `/s/${encodeURIComponent(sessionId)}/compare?${sides}`;
}
