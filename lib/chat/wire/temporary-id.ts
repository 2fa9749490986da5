const prefix = "temporary-";
const memoryPrefix = `${prefix}with-memory-`;

/** A temporary chat is deleted at its end, and kept apart from the others. */
export function isTemporaryId(sessionId: string): boolean {
  return sessionId.startsWith(prefix);
}

/** Its models read the memory and knowledge that they do not read in other temporary chats. */
export function takesMemoryAlong(temporaryId: string): boolean {
  return temporaryId.startsWith(memoryPrefix);
}

export function temporaryIdOf(keptId: string, { withMemory = false } = {}): string {
  return `${withMemory ? memoryPrefix : prefix}${keptId}`;
}

export function keptIdOf(temporaryId: string): string {
  return temporaryId.slice((takesMemoryAlong(temporaryId) ? memoryPrefix : prefix).length);
}
