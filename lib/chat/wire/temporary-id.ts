const prefix = "temporary-";

/** Begins the id of a chat that is deleted at its end, and by which it is kept apart from the others. */
export function isTemporaryId(sessionId: string): boolean {
  return sessionId.startsWith(prefix);
}

export function temporaryIdOf(keptId: string): string {
  return `${prefix}${keptId}`;
}

/** The id of a temporary chat once it is kept. */
export function keptIdOf(temporaryId: string): string {
  return temporaryId.slice(prefix.length);
}
