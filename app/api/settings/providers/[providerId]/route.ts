import { endpoint } from "@/app/api/endpoint";
import { removeProvider, saveProvider } from "@/lib/chat/settings/providers";
import { settingsView } from "@/lib/chat/settings/settings-view";

export const PUT = endpoint(
  "PUT /api/settings/providers/:providerId",
  async ({ owner, services, params: { providerId: id }, body }) => {
    const { provider, name, baseUrl = null, apiKey } = body;
    await saveProvider(owner, services.secrets, { id, provider, name, baseUrl, apiKey });
    return settingsView(services.installation, owner);
  },
);

export const DELETE = endpoint(
  "DELETE /api/settings/providers/:providerId",
  async ({ owner, services, params }) => {
    await removeProvider(owner, params.providerId);
    return settingsView(services.installation, owner);
  },
);
