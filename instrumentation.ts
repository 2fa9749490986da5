/** Runs once when the server starts; the first request waits for it. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { startServices } = await import("./lib/server/start-services");
  await startServices();
}
