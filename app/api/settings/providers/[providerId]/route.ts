import { endpoint } from "@/app/api/endpoint";
import { removeProvider, saveProvider } from "@/lib/chat/settings/providers";
import { settingsView } from "@/lib/chat/settings/settings-view";
import { installationFor } from "@/lib/server/owner-of";
import { assertMayReach } from "@/lib/server/reachable-address";

export const PUT = endpoint(
  "PUT /api/settings/providers/:providerId",
  async ({ owner, services, identity, params: { providerId: id }, body }) => {
    const { provider, name, baseUrl = null, apiKey } = body;
    await assertMayReach(identity, baseUrl);
    await saveProvider(owner, services.secrets, { id, provider, name, baseUrl, apiKey });
    return settingsView(await installationFor(identity, services), owner);
  },
);

export const DELETE = endpoint(
  "DELETE /api/settings/providers/:providerId",
  async ({ owner, services, identity, params }) => {
    await removeProvider(owner, params.providerId);
    return settingsView(await installationFor(identity, services), owner);
  },
);
