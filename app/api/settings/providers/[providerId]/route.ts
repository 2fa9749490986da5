import { writeProviderRequest } from "@/lib/chat/wire/settings";
import { HttpError } from "@/lib/server/http-error";
import { saveProvider } from "@/lib/server/model-settings";
import { bodyOf, route } from "@/lib/server/route";
import { settingsView } from "@/lib/server/settings-view";

interface Params {
  providerId: string;
}

export const PUT = route<Params>(async ({ owner, services, params, request }) => {
  const { provider, name, baseUrl = null, apiKey } = await bodyOf(request, writeProviderRequest);
  if (provider === "compatible" && baseUrl === null) {
    throw new HttpError(
      400,
      "invalid-body",
      "An OpenAI-compatible server needs its address.",
      "baseUrl",
    );
  }
  await saveProvider(owner, services.secretsKeyFile, {
    id: params.providerId,
    provider,
    name,
    baseUrl,
    apiKey,
  });
  services.models.forget(owner.ownerId);
  return Response.json(await settingsView(services, owner));
});

export const DELETE = route<Params>(async ({ owner, services, params }) => {
  if (!(await owner.settings.removeSecret(params.providerId))) {
    throw new HttpError(404, "provider-not-found", "This provider is not stored here.");
  }
  services.models.forget(owner.ownerId);
  return Response.json(await settingsView(services, owner));
});
