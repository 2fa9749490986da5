import { storedOverrides, storedProviders } from "@/lib/chat/settings/providers";
import { exportLines, type PortableOf } from "@/lib/postgres";
import type { OwnerServices } from "./owner-services";
import type { Services } from "./services";

/** Everything an owner has except secrets: a provider's name and address, never its key. */
export async function exportEverything(
  { sql }: Services,
  owner: OwnerServices,
): Promise<AsyncGenerator<string>> {
  const [providers, modelOverrides, { defaultModel }] = await Promise.all([
    storedProviders(owner),
    storedOverrides(owner),
    owner.settings.read(),
  ]);
  const settings: PortableOf<"settings"> = {
    type: "settings",
    defaultModel: typeof defaultModel === "string" ? defaultModel : null,
    modelOverrides,
  };
  const addresses = providers.map(
    ({ id, provider, name, baseUrl }): PortableOf<"provider"> => ({
      type: "provider",
      id,
      provider,
      name,
      baseUrl,
    }),
  );
  return exportLines(sql, { ownerId: owner.ownerId, settings: [settings, ...addresses] });
}

/** One session with its own documents. */
export function exportSession(
  { sql }: Services,
  { ownerId }: OwnerServices,
  sessionId: string,
): AsyncGenerator<string> {
  return exportLines(sql, { ownerId, sessionId });
}
