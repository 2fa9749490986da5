export function onceUntilFailure(act: () => Promise<void>): () => Promise<void> {
  let begun: Promise<void> | null = null;
  return () => {
    begun ??= act().catch((error: unknown) => {
      begun = null;
      throw error;
    });
    return begun;
  };
}
