import { removeProvider, saveProvider } from "@/lib/chat/settings/providers";
import { settingsView } from "@/lib/chat/settings/settings-view";
import { writeProviderRequest } from "@/lib/chat/wire/settings";
import { bodyOf, route } from "@/lib/server/route";

interface Params {
  providerId: string;
}

export const PUT = route<Params>(async ({ owner, services, params, request }) => {
  const { provider, name, baseUrl = null, apiKey } = await bodyOf(request, writeProviderRequest);
  await saveProvider(owner, services.secrets, {
    id: params.providerId,
    provider,
    name,
    baseUrl,
    apiKey,
  });
  return Response.json(await settingsView(services.installation, owner));
});

export const DELETE = route<Params>(async ({ owner, services, params }) => {
  await removeProvider(owner, params.providerId);
  return Response.json(await settingsView(services.installation, owner));
});
