const prefix = "temporary-";

/** A temporary chat is deleted at its end, and kept apart from the others. */
export function isTemporaryId(sessionId: string): boolean {
  return sessionId.startsWith(prefix);
}

export function temporaryIdOf(keptId: string): string {
  return `${prefix}${keptId}`;
}

export function keptIdOf(temporaryId: string): string {
  return temporaryId.slice(prefix.length);
}
