const prefix = "temporary-";
const memoryPrefix = `${prefix}with-memory-`;

export function isTemporaryId(sessionId: string): boolean {
  return sessionId.startsWith(prefix);
}

export function takesMemoryAlong(temporaryId: string): boolean {
  return temporaryId.startsWith(memoryPrefix);
}

export function temporaryIdOf(keptId: string, { withMemory = false } = {}): string {
  return `${withMemory ? memoryPrefix : prefix}${keptId}`;
}

export function keptIdOf(temporaryId: string): string {
  return temporaryId.slice((takesMemoryAlong(temporaryId) ? memoryPrefix : prefix).length);
}
